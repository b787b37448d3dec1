package recipe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/train"
)

// A level is how sure a finding is.
type level string

// The levels.
const (
	Wrong   level = "wrong"   // the training will be another one than the recipe's, or will fail
	unknown level = "unknown" // a name that is not among those known here; the trainer may have it
)

// A Finding is something in the settings of a recipe folder.
type Finding struct {
	Level level  `json:"level"`
	Kind  string `json:"kind"` // for programs: name, batch, freezing, sound, frames, tokens, value, missing, packing, sharding, rows
	File  string `json:"file"` // in the folder
	Line  int    `json:"line"` // 0 = what is told of is missing from the file
	Name  string `json:"name"` // of the argument or variable
	Text  string `json:"text"`
}

func (f Finding) String() string {
	place := f.File
	if f.Line > 0 {
		place += ":" + strconv.Itoa(f.Line)
	}
	return fmt.Sprintf("%s: %s: %s", place, f.Name, f.Text)
}

// Check reads the settings of a recipe's folder as they are now, for rows with a longest clip of so many seconds (0 = as in the
// recipe), and returns the errors in them, in the order of the file. Settings that cannot be read are an error of kind Invalid
// with file, line and text.
func Check(ctx context.Context, dir string, longest float64) ([]Finding, error) {
	r, err := readSettings(dir)
	if err != nil {
		return nil, err
	}
	if longest > 0 {
		r.Longest = longest
	}
	c := &checker{dir: dir, recipe: r, file: yamlFile}
	if r.Trainer == MSSwift {
		c.file = scriptFile
	}
	if err := c.read(); err != nil {
		return nil, err
	}
	c.checkNames()
	c.checkValues()
	c.checkOptimizer()
	c.checkFreezing()
	c.checkBatch()
	c.checkMedia()
	c.checkMemory()
	if err := c.checkRows(ctx); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.findings, func(a, b Finding) int { return a.Line - b.Line })
	return c.findings, nil
}

// readSettings reads the recipe.json of a folder.
func readSettings(dir string) (*recipe, error) {
	path := filepath.Join(dir, recipeFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, omniscope.NotFoundf("%s is no folder of a recipe: it has no %s, which `omniscope train recipe` writes", dir, recipeFile)
	} else if err != nil {
		return nil, err
	}
	r := &recipe{}
	if err := json.Unmarshal(text, r); err != nil || r.Schema != schema {
		return nil, omniscope.Invalidf("%s is no recipe of this version (%s): make it again", path, schema)
	}
	if err := checkTrainer(r.Trainer, r.Stage); err != nil || r.GPUs < 1 || r.Machines < 1 {
		return nil, omniscope.Invalidf("%s was edited: make it again", path)
	}
	return r, nil
}

// A checker holds the settings as the trainer's file has them.
type checker struct {
	dir      string
	file     string
	recipe   *recipe
	list     []found
	values   map[string]found // the last of each name
	findings []Finding
}

// read reads the trainer's file.
func (c *checker) read() error {
	const most = 64 << 10 // bytes; ours have three thousand
	path := filepath.Join(c.dir, c.file)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return &omniscope.Error{Kind: omniscope.NotFound, Op: "read the settings", Err: err}
	case info.Size() > most:
		return omniscope.Invalidf("%s has more than %d bytes: it holds more than settings", path, most)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if c.recipe.Trainer == MSSwift {
		s, err := readScript(path, text)
		if err != nil {
			return err
		}
		c.list = append(s.environment, s.args...)
	} else if c.list, err = readYAML(path, text); err != nil {
		return err
	}
	c.values = make(map[string]found)
	for _, f := range c.list {
		if before, ok := c.values[f.name]; ok && before.value != f.value {
			c.add("value", f, "it is given twice, here and in line %d, and this one holds", before.line)
		}
		c.values[f.name] = f
	}
	return nil
}

func (c *checker) add(kind string, at found, format string, args ...any) {
	c.findings = append(c.findings, Finding{Wrong, kind, c.file, at.line, at.name, fmt.Sprintf(format, args...)})
}

// missing is a setting that the file does not have.
func missing(name string) found { return found{name: name} }

// argsOf are the trainer's arguments for a setting.
func (c *checker) argsOf(setting string) (list []arg) {
	for _, s := range Settings() {
		for _, a := range s.Args {
			if s.Name == setting && a.Trainer == c.recipe.Trainer && a.Values[c.recipe.Stage-1] != "-" {
				list = append(list, a)
			}
		}
	}
	return list
}

// get is what the file says of a setting, by its first argument.
func (c *checker) get(setting string) (found, bool) {
	args := c.argsOf(setting)
	if len(args) == 0 {
		return found{}, false
	}
	f, ok := c.values[args[0].Name]
	if !ok {
		return missing(args[0].Name), false
	}
	return f, true
}

// checkNames finds names that the trainer does not have.
func (c *checker) checkNames() {
	list := known(c.recipe.Trainer)
	for _, f := range c.list {
		if slices.Contains(list, f.name) || isForeign(f.name) {
			continue
		}
		name := meant(f.name, list)
		if name == "" {
			c.findings = append(c.findings, Finding{unknown, "name", c.file, f.line, f.name, "it is not among the names known here; look it up in the documentation of " + string(c.recipe.Trainer)})
			continue
		}
		_, given := c.values[name]
		variable := c.recipe.Trainer == MSSwift && !isArgument(f.name)
		switch {
		case isArgument(f.name) && !isArgument(name):
			c.add("name", f, "%s has no such argument; it is an environment variable: export %s=%s", c.recipe.Trainer, name, f.value)
		case variable && isArgument(name) && given: // a variable of the script's own, such as MODEL
		case variable && isArgument(name):
			c.add("name", f, "%s reads no such variable; it is an argument: %s %s", c.recipe.Trainer, name, f.value)
		case variable:
			c.add("name", f, "%s reads no such environment variable, and says nothing of it (issue 5784); did you mean %s?", c.recipe.Trainer, name)
		default:
			c.add("name", f, "%s has no such argument; did you mean %s?", c.recipe.Trainer, name)
		}
	}
}

func isArgument(name string) bool { return strings.HasPrefix(name, "--") }

// checkValues compares what the paper states, and what a trainer's own default would make another training.
func (c *checker) checkValues() {
	apart := []string{"frozen", "batch", "batch_per_gpu", "accumulation", "sound_in_video"} // have checks of their own
	for _, s := range Settings() {
		v, ok := c.valueOf(s.Name)
		if !ok || slices.Contains(apart, s.Name) || v.Source == Ours && whyMissing[s.Name] == "" {
			continue
		}
		for _, a := range c.argsOf(s.Name) {
			want := v.Value
			if word := a.Values[c.recipe.Stage-1]; word != "" {
				want = word
			}
			f, ok := c.values[a.Name]
			switch {
			case !ok && a.Name == "train.vit_lr":
				c.add("missing", missing(a.Name), "without it VeOmni trains the encoders at 1e-6; the recipe has %s", want)
			case !ok:
				c.add("missing", missing(a.Name), "the recipe has %s%s", want, whyMissing[s.Name])
			case !same(f.value, want) && v.Source != Ours:
				c.add("value", f, "it is %s; %s has %s", f.value, who[v.Source], want)
			}
		}
	}
}

// checkOptimizer finds another one than the paper's, which is the default.
func (c *checker) checkOptimizer() {
	for _, name := range []string{"--optim", "--optimizer", "optim", "train.optimizer.type"} {
		if f, ok := c.values[name]; ok && !strings.Contains(strings.ToLower(f.value), "adamw") {
			c.add("value", f, "it is %s; the paper has AdamW", f.value)
		}
	}
}

var who = map[Source]string{Paper: "the paper", Yours: "the recipe, as you set it,"}

// whyMissing says what happens without a setting of ours. The others may be left out.
var whyMissing = map[string]string{
	"weight_decay": "; ms-swift's default is 0.1, others have their own",
	"warmup":       "; defaults differ",
	"max_tokens":   "; LLaMA-Factory's default of 2048 cuts captions off (issue 5820), others have their own",
	"strict":       "; without it bad and long rows are replaced by others without a word (ms-swift issue 10162)",
	"sharding":     "; without it each GPU holds everything",
	"save":         "; defaults differ",
	"form":         "; without it the rows are read otherwise",
	"template":     "; without it the rows become other tokens",
}

// valueOf is a setting of the recipe.
func (c *checker) valueOf(name string) (settingValue, bool) {
	i := slices.IndexFunc(c.recipe.Settings, func(v settingValue) bool { return v.Name == name })
	if i < 0 {
		return settingValue{}, false
	}
	return c.recipe.Settings[i], true
}

// same compares values as a trainer reads them.
func same(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err1 == nil && err2 == nil {
		return x == y
	}
	p, ok1 := truth(a)
	q, ok2 := truth(b)
	return a == b || ok1 && ok2 && p == q
}

// truth reads words for true and false.
func truth(text string) (value, ok bool) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "y", "t", "1":
		return true, true
	case "false", "no", "off", "n", "f", "0":
		return false, true
	}
	return false, false
}

// checkFreezing compares what is frozen with the stage.
func (c *checker) checkFreezing() {
	for _, a := range c.argsOf("frozen") {
		want := a.Values[c.recipe.Stage-1]
		f, ok := c.values[a.Name]
		switch {
		case ok && (same(f.value, want) || a.Name == "--trainable_parameters" && slices.Contains(strings.Fields(f.value), want)):
		case a.Name == "--trainable_parameters":
			f.name = a.Name
			c.add("freezing", f, "it must name thinker.audio_tower: --freeze_vit true freezes the sound encoder, too (ms-swift issue 9637)")
		case !ok:
			c.add("freezing", missing(a.Name), "it must be %s in %s", want, c.recipe.Stage)
		default:
			c.add("freezing", f, "it is %s; in %s it must be %s", f.value, c.recipe.Stage, want)
		}
	}
	c.checkFurtherFreezing()
}

// checkFurtherFreezing finds arguments that the recipe does not have and that freeze or train other parts.
func (c *checker) checkFurtherFreezing() {
	for _, name := range []string{"--freeze_parameters", "--freeze_parameters_regex", "--freeze_parameters_ratio", "train_mm_proj_only"} {
		if f, ok := c.values[name]; ok && f.value != "" && !same(f.value, "0") {
			c.add("freezing", f, "it freezes more than %s does", c.recipe.Stage)
		}
	}
	for _, name := range []string{"--trainable_parameters", "--trainable_parameters_regex"} {
		f, ok := c.values[name]
		if ok && c.recipe.Stage == train.AudioCaptioner && strings.Contains(f.value, "visual") {
			c.add("freezing", f, "it trains the visual encoder, which stage 1 freezes")
		}
	}
}
