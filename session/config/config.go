// Package config reads omniscope.yaml, the optional file of a project: models with names of the user's own, systems, defaults of flags,
// and settings that no flag is listed for.
//
//	models:
//	  qwen:  {model: vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct, base-url: http://node7:8000/v1, fps: 2}
//	  judge: {model: openai/gpt-4o-2024-11-20}
//	systems:
//	  det: {detective: judge, observers: [qwen]}
//	defaults: {judge: judge, max-cost: 20, work-dir: runs}
//	settings: {cache-size: 20GB, endpoint-wait: 2m}
//
// The file holds no secret: settings of a model name environment variables.
package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/settings"
	"omniscope/internal/spelling"
	"omniscope/internal/yamlfile"
	"omniscope/model/ref"
	"omniscope/session/catalog"
)

// Name is the name of the file.
const Name = "omniscope.yaml"

// A File is what an omniscope.yaml says.
type File struct {
	Path     string
	Above    bool // it is in a folder above the working folder
	Models   []model
	Systems  []system
	Defaults settings.Settings // of flags, by their names
	Settings settings.Settings // likewise, of flags that help does not list
}

// A model is a model reference with a name of the user's own.
type model struct {
	Name string
	Ref  ref.Ref
	Line int
}

// A system is a detective with its observers, that benchmarks run like a model. Models are written as on the command line.
type system struct {
	Name      string
	Detective string
	Observers []string
	ASR       string
	Tools     []string // nil = all that work here
	Inquiries int      // at most, for each clip; 0 = the default
	Line      int
}

// Nearest reads the omniscope.yaml of the working folder, otherwise the one of the nearest folder above. nil = no folder has one.
func Nearest(ctx context.Context) (*File, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, nil // no working folder, no file
	}
	for at := folder; ; at = filepath.Dir(at) {
		path := filepath.Join(at, Name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			f, err := read(ctx, path)
			if err != nil {
				return nil, err
			}
			f.Above = at != folder
			return f, nil
		}
		if filepath.Dir(at) == at {
			return nil, nil
		}
	}
}

// read reads a file. Its errors name the file and the line.
func read(ctx context.Context, path string) (*File, error) {
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path}
	if err := f.parse(text); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Err: fmt.Errorf("%s: %w", path, err)}
	}
	return f, nil
}

// document is the file as YAML has it.
type document struct {
	Models   entries           `yaml:"models"`
	Systems  entries           `yaml:"systems"`
	Defaults settings.Settings `yaml:"defaults"`
	Settings settings.Settings `yaml:"settings"`
}

func (f *File) parse(text []byte) error {
	if strings.TrimSpace(string(text)) == "" {
		return nil
	}
	var d document
	if err := yamlfile.Decode(text, &d); err != nil {
		return err
	}
	f.Defaults, f.Settings = d.Defaults, d.Settings
	if err := errors.Join(f.Defaults.CheckTwice(), f.Settings.CheckTwice()); err != nil {
		return err
	}
	for _, e := range d.Models {
		r, err := e.ref()
		if err == nil {
			err = checkName(e.name)
		}
		if err != nil {
			return fmt.Errorf("line %d: models: %s: %w", e.line, e.name, err)
		}
		f.Models = append(f.Models, model{e.name, r, e.line})
	}
	for _, e := range d.Systems {
		s, err := e.system()
		if _, twice := f.Model(e.name); err == nil && twice {
			err = errors.New("a model has this name, too: choose another")
		}
		if err != nil {
			return fmt.Errorf("line %d: systems: %s: %w", e.line, e.name, err)
		}
		f.Systems = append(f.Systems, s)
	}
	return f.checkTwice()
}

// reserved are names that mean something else where a model is named.
var reserved = []string{"offline", "latest", "detective"}

// checkName refuses a name that could be taken for something else.
func checkName(name string) error {
	switch {
	case strings.ContainsAny(name, "/,@= \t") || strings.HasPrefix(name, "file:"):
		return errors.New("a name has no slash, comma, @, = and no space")
	case slices.Contains(reserved, name):
		return fmt.Errorf("%s is a name of omniscope's own: choose another", name)
	case slices.ContainsFunc(catalog.Providers, func(p catalog.Provider) bool { return p.Name == name }):
		return fmt.Errorf("%s is the name of a provider: choose another", name)
	}
	return nil
}

func (f *File) checkTwice() error {
	lines := make(map[string]int)
	add := func(name string, line int) error {
		if first, twice := lines[name]; twice {
			return fmt.Errorf("line %d: %s is there already, on line %d", line, name, first)
		}
		lines[name] = line
		return nil
	}
	for _, m := range f.Models {
		if err := add(m.Name, m.Line); err != nil {
			return err
		}
	}
	for _, s := range f.Systems {
		if err := add(s.Name, s.Line); err != nil {
			return err
		}
	}
	return nil
}

// Model returns the model of a name.
func (f *File) Model(name string) (model, bool) {
	if f == nil {
		return model{}, false
	}
	i := slices.IndexFunc(f.Models, func(m model) bool { return m.Name == name })
	if i < 0 {
		return model{}, false
	}
	return f.Models[i], true
}

// System returns the system of a name.
func (f *File) System(name string) (system, bool) {
	if f == nil {
		return system{}, false
	}
	i := slices.IndexFunc(f.Systems, func(s system) bool { return s.Name == name })
	if i < 0 {
		return system{}, false
	}
	return f.Systems[i], true
}

// Resolve returns a reference with a model of a provider: a name is looked up in the file (nil = no file), a YAML file is read.
// Settings of the reference win over settings of the file. at is the file with the settings of the model; "" = no file.
func (f *File) Resolve(ctx context.Context, r ref.Ref) (resolved ref.Ref, at string, err error) {
	if r.File != "" {
		own, err := readModel(ctx, r.File)
		return own.With(r.Settings...), r.File, err
	}
	if strings.Contains(r.Model, "/") || slices.Contains(reserved, r.Model) {
		return r, "", nil
	}
	if m, ok := f.Model(r.Model); ok {
		return m.Ref.With(r.Settings...), f.Path, nil
	}
	return r, "", f.unknown(r.Model)
}

// unknown is the error of a name that is not defined.
func (f *File) unknown(name string) error {
	if f == nil || len(f.Models) == 0 {
		return nil // the list of providers knows what was meant
	}
	var names []string
	for _, m := range f.Models {
		names = append(names, m.Name)
	}
	return omniscope.Usagef("%s defines no model %q%s: %s; or write PROVIDER/NAME", f.Path, name, spelling.Among(name, names), strings.Join(names, ", "))
}

// readModel reads the file of one model.
func readModel(ctx context.Context, path string) (ref.Ref, error) {
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return ref.Ref{}, err
	}
	r, err := ref.ParseYAML(text)
	if err == nil {
		err = r.Check(path, true)
	}
	switch {
	case err != nil:
		return r, omniscope.Usagef("%s: %v", path, err)
	case r.File != "" || !strings.Contains(r.Model, "/") && !slices.Contains(reserved, r.Model):
		return r, omniscope.Usagef("%s: model is PROVIDER/NAME, not %s", path, r.Shown())
	}
	return r, nil
}

// entries are named mappings with their lines.
type entries []entry

type entry struct {
	name   string
	line   int
	fields yaml.MapSlice
	text   string // where the value is a text
}

// UnmarshalYAML reads them in the file's order.
func (all *entries) UnmarshalYAML(node ast.Node) error {
	var values []*ast.MappingValueNode
	switch n := node.(type) {
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case *ast.MappingNode:
		values = n.Values
	default:
		return fmt.Errorf("line %d: write NAME: {model: PROVIDER/NAME}", node.GetToken().Position.Line)
	}
	for _, v := range values {
		token := v.Key.GetToken()
		e := entry{name: token.Value, line: token.Position.Line}
		if err := yaml.NodeToValue(v.Value, &e.fields, yaml.UseOrderedMap()); err != nil {
			e.fields = nil
			if err := yaml.NodeToValue(v.Value, &e.text); err != nil {
				return fmt.Errorf("line %d: %s: write {model: PROVIDER/NAME}", e.line, e.name)
			}
		}
		*all = append(*all, e)
	}
	return nil
}

// ref is the reference of an entry: a text, or a mapping.
func (e *entry) ref() (r ref.Ref, err error) {
	if e.fields == nil {
		r, err = ref.Parse(e.text)
	} else {
		r, err = ref.FromFields(e.fields)
	}
	switch {
	case err != nil:
		return r, err
	case r.File != "" || !strings.Contains(r.Model, "/"):
		return r, fmt.Errorf("model is PROVIDER/NAME, not %s", r.Shown())
	}
	if _, _, err := catalog.SplitModel(r.Model); err != nil {
		return r, err
	}
	return r, r.Check(e.name, true)
}

// system is the system that an entry describes.
func (e *entry) system() (s system, err error) {
	s.Name, s.Line = e.name, e.line
	if err := checkName(e.name); err != nil {
		return s, err
	}
	for _, f := range e.fields {
		name := fmt.Sprint(f.Key)
		switch name {
		case "detective":
			s.Detective = fmt.Sprint(f.Value)
		case "asr":
			s.ASR = fmt.Sprint(f.Value)
		case "observers":
			s.Observers, err = texts(name, f.Value)
		case "tools":
			s.Tools, err = texts(name, f.Value)
		case "max-inquiries":
			n, ok := f.Value.(uint64)
			if s.Inquiries = int(n); !ok || n < 1 || n > 1000 {
				err = errors.New("max-inquiries is a number from 1 to 1000")
			}
		default:
			err = fmt.Errorf("there is no field %q%s", name, spelling.Hint(name, []string{"detective", "observers", "asr", "tools", "max-inquiries"}))
		}
		if err != nil {
			return s, err
		}
	}
	if s.Detective == "" {
		return s, errors.New("detective is missing: a language model by its name or PROVIDER/NAME, or offline")
	}
	return s, nil
}

// texts are the texts of a list.
func texts(name string, value any) (all []string, err error) {
	list, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%s is a list, such as [%v]", name, value)
	}
	for _, one := range list {
		text, ok := one.(string)
		if !ok {
			return nil, fmt.Errorf("%s is a list of texts, not of %v", name, one)
		}
		all = append(all, text)
	}
	return all, nil
}
