package suite

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/filename"
	"omniscope/internal/input"
	"omniscope/internal/settings"
	"omniscope/internal/yamlfile"
	"omniscope/model/ref"
)

// A Setting is a flag of a run; Settings are those of one entry.
type (
	Setting  = settings.Setting
	Settings = settings.Settings
)

// A Suite is many runs: each model on each benchmark, in each profile, at each
// point of the sweep. All other names are flags of `omniscope run BENCHMARK`.
type Suite struct {
	Name       string     `yaml:"name"`
	All        Settings   `yaml:"all"`        // of every run whose benchmark has the flag
	Models     []Settings `yaml:"models"`     // each with the field model
	Benchmarks []Settings `yaml:"benchmarks"` // each with the field benchmark
	Profiles   []string   `yaml:"profiles"`   // model profiles; nil = each model's own
	Sweep      Settings   `yaml:"sweep"`      // values of flags, of which each is run with each
}

// A Run is one of the runs of a suite.
type Run struct {
	Name      string // its folder below that of the suite, such as omni-cloze/gpt-4o/frames-50
	Benchmark string
	Model     string   // as tables name it
	Profile   string   // "" = the model's own
	Point     Settings // of the sweep
	Settings  Settings // flags, of which a later one of a name wins
}

// Repetition is the flag of a run that is one of several repetitions.
const Repetition = "repetition"

// ModelProfile is the setting of a run that names the profile by which its model is asked.
const ModelProfile = "model-profile"

// Read reads a suite's file.
func Read(ctx context.Context, file string) (*Suite, error) {
	text, _, err := input.ReadFile(ctx, file, input.Texts)
	if err != nil {
		return nil, err
	}
	s := &Suite{}
	if err = yamlfile.Decode(text, s); err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "read suite " + file, Err: err}
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	return s, nil
}

func (s *Suite) check() error {
	switch {
	case len(s.Models) == 0:
		return errors.New("it names no model: write models:, and below it a line such as `- model: openai/gpt-4o` for each")
	case len(s.Benchmarks) == 0:
		return errors.New("it names no benchmark: write benchmarks:, and below it a line such as `- benchmark: omni-cloze` for each")
	}
	for _, kind := range []struct {
		field   string
		entries []Settings
	}{{"model", s.Models}, {"benchmark", s.Benchmarks}} {
		for _, entry := range kind.entries {
			if err := checkEntry(entry, kind.field); err != nil {
				return err
			}
		}
	}
	return s.All.CheckTwice()
}

// checkEntry checks an entry that must have a field.
func checkEntry(s Settings, field string) error {
	if s.Text(field) == "" {
		line := 0
		if len(s) > 0 {
			line = s[0].Line
		}
		return fmt.Errorf("line %d: the entry has no field %s", line, field)
	}
	return s.CheckTwice()
}

// Runs are the runs in order: benchmark by benchmark, so that the runs that are
// compared stand together. has reports whether a benchmark's command has a flag;
// what stands under all is given to those that have it.
func (s *Suite) Runs(has func(benchmark, flag string) bool) ([]Run, error) {
	points, err := s.points()
	if err != nil {
		return nil, err
	}
	profiles := s.Profiles
	if len(profiles) == 0 {
		profiles = []string{""}
	}
	var runs []Run
	taken := make(map[string]bool)
	models := s.labels()
	for _, benchmark := range s.Benchmarks {
		name := benchmark.Text("benchmark")
		all := slices.DeleteFunc(slices.Clone(s.All), func(f Setting) bool { return !has(name, f.Name) })
		for i, model := range s.Models {
			for _, profile := range profiles {
				for _, point := range points {
					r := Run{Benchmark: name, Model: models[i], Profile: profile, Point: point}
					r.Settings = slices.Concat(all, benchmark.Without("benchmark"), model)
					if profile != "" {
						r.Settings = append(r.Settings, Setting{Name: ModelProfile, Values: []string{profile}})
					}
					r.Settings = append(r.Settings, point...)
					once := r // repetitions are of one system
					once.Point = point.Without(Repetition)
					if _, named := model.Get("system"); !named && once.Variant() != "" {
						r.Settings = append(r.Settings, Setting{Name: "system", Values: []string{models[i] + " " + once.Variant()}})
					}
					r.Name = r.folder(taken)
					runs = append(runs, r)
				}
			}
		}
	}
	return runs, nil
}

// modelOf is the model of an entry without its settings.
func modelOf(entry Settings) string {
	if r, err := ref.Parse(entry.Text("model")); err == nil {
		return r.Shown()
	}
	return entry.Text("model")
}

// settingsOf are the settings of an entry, those behind its model included. Where a server is makes no other system of a model.
func settingsOf(entry Settings) (all Settings) {
	for _, s := range entry.Without("system") {
		r, err := ref.Parse(s.Values[0])
		if s.Name != "model" || err != nil {
			all = append(all, s)
			continue
		}
		all = append(all, Setting{Name: "model", Values: []string{r.Shown()}})
		for _, one := range r.Settings {
			if k, err := ref.Find(one.Key); err == nil && k.Use != ref.Calls {
				all = append(all, Setting{Name: one.Key, Values: []string{one.Value}})
			}
		}
	}
	return all
}

// labels are what tables call the models: the name that an entry gives as system,
// else the model's, else all of it, with the settings in which entries of one model differ.
func (s *Suite) labels() []string {
	base := func(entry Settings) string {
		if system := entry.Text("system"); system != "" {
			return system
		}
		return path.Base(modelOf(entry))
	}
	count := make(map[string]int)
	for _, entry := range s.Models {
		count[base(entry)]++
	}
	seen := make(map[string]int)
	labels := make([]string, len(s.Models))
	for i, entry := range s.Models {
		labels[i] = base(entry)
		if count[labels[i]] > 1 {
			labels[i] = modelOf(entry) + s.different(entry)
		}
		if seen[labels[i]]++; seen[labels[i]] > 1 {
			labels[i] += " " + strconv.Itoa(seen[labels[i]])
		}
	}
	return labels
}

// different are the settings of an entry in which others of its model differ, such as " temperature=0.7".
func (s *Suite) different(entry Settings) string {
	var parts []string
	for _, other := range s.Models {
		if modelOf(other) != modelOf(entry) {
			continue
		}
		for _, setting := range settingsOf(entry) {
			part := " " + setting.Name + "=" + strings.Join(setting.Values, ",")
			if theirs, _ := settingsOf(other).Get(setting.Name); !slices.Equal(theirs.Values, setting.Values) && !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
		}
	}
	return strings.Join(parts, "")
}

// Variant is what sets a run apart from others of its model on its benchmark:
// profile and point of the sweep; "" where there is one run only.
func (r *Run) Variant() string {
	var parts []string
	if r.Profile != "" {
		parts = append(parts, strings.TrimSuffix(path.Base(r.Profile), path.Ext(r.Profile)))
	}
	for _, p := range r.Point {
		parts = append(parts, axisName(p.Name)+"="+p.Values[0])
	}
	return strings.Join(parts, " ")
}

// folder names the run's folder, which no other has.
func (r *Run) folder(taken map[string]bool) string {
	base := path.Join(filename.Safe(r.Benchmark), filename.Safe(r.Model))
	if v := r.Variant(); v != "" {
		base = path.Join(base, filename.Safe(strings.ReplaceAll(v, "=", "-")))
	}
	name := base
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = filename.Numbered(base, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}
