// Package recipe writes the settings with which an existing trainer runs the published training of captioners (Omni-Captioner
// paper, arXiv 2510.12720, section 4.1 and A.1), and finds what is wrong with such settings after people have edited them.
//
// Each value is marked with where it comes from: the paper, ours where the paper says nothing, or the user. Trainers are not
// run here; what their arguments are called was read in their sources.
package recipe

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/train"
)

// schema names the form of recipe.json.
const schema = "omniscope.train-recipe/1"

// Options say for what a recipe is.
type Options struct {
	Trainer  Trainer
	Stage    train.Stage
	Model    string            // folder or name on a hub of what the training starts from
	Rows     string            // file of rows, as the trainer is to open it
	Out      string            // folder of the recipe, as the trainer is to open it
	GPUs     int               // of one machine; 0 = 8, as in the paper
	Machines int               // 0 = 1
	Longest  float64           // seconds of the longest clip; 0 = not known
	Set      map[string]string // values in the place of those of the table
	Checked  string            // what `omniscope train check --out` wrote; "" = none
	Force    bool              // replace another recipe in Out
}

// A settingValue is a setting as a recipe has it.
type settingValue struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source Source `json:"source"`
	Means  string `json:"means"`
}

// A recipe is what recipe.json holds.
type recipe struct {
	Schema   string         `json:"schema"`
	Trainer  Trainer        `json:"trainer"`
	Versions string         `json:"trainer_versions_read"`
	Stage    train.Stage    `json:"stage"`
	Model    string         `json:"model"`
	Rows     file           `json:"rows"`
	GPUs     int            `json:"gpus"` // of one machine
	Machines int            `json:"machines"`
	Longest  float64        `json:"longest_seconds,omitempty"`
	Settings []settingValue `json:"settings"`
	Files    []file         `json:"files"`           // with the settings
	Check    string         `json:"check,omitempty"` // digest of the passed `omniscope train check`
	Warnings []string       `json:"warnings,omitempty"`
}

// A file is a file and the SHA-256 of its bytes.
type file struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// value is the value of a setting, "" if it has none.
func (r *recipe) value(name string) string {
	for _, v := range r.Settings {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// resolve makes a recipe without digests.
func resolve(o Options) (*recipe, error) {
	if err := checkTrainer(o.Trainer, o.Stage); err != nil {
		return nil, err
	}
	r := &recipe{Schema: schema, Trainer: o.Trainer, Versions: versions[o.Trainer], Stage: o.Stage, Model: o.Model, GPUs: cmp.Or(max(o.GPUs, 0), 8), Machines: max(o.Machines, 1), Longest: o.Longest}
	switch {
	case o.GPUs < 0 || o.Machines < 0:
		return nil, omniscope.Usagef("--gpus and --machines are at least 1")
	case !(o.Longest >= 0 && o.Longest < math.MaxInt32):
		return nil, omniscope.Usagef("--longest is a number of seconds")
	case r.GPUs > 1<<20 || r.Machines > 1<<20:
		return nil, omniscope.Usagef("no batch can be divided among %d machines of %d GPUs", r.Machines, r.GPUs)
	}
	for flag, value := range map[string]string{"--model": o.Model, "--rows": o.Rows, "--out": o.Out} {
		if err := checkText(flag, value); err != nil {
			return nil, err
		}
	}
	if o.Trainer == MSSwift && strings.Contains(o.Rows, "#") {
		return nil, omniscope.Usagef("--rows %s: ms-swift reads what follows # as a number of rows: rename the file", o.Rows)
	}
	if err := r.set(o.Set); err != nil {
		return nil, err
	}
	return r, r.divideBatch(o.Set)
}

// checkText refuses texts that a trainer would take for something else. Comments and lines of the files stay whole that way.
func checkText(flag, text string) error {
	switch {
	case text == "":
		return omniscope.Usagef("give %s", flag)
	case strings.HasPrefix(text, "-"):
		return omniscope.Usagef("%s %q begins with -, which the trainer takes for an argument: write ./%s", flag, text, text)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		return omniscope.Usagef("%s %q has characters that cannot be written into settings: rename it", flag, text)
	}
	return nil
}

// set fills in the settings that the trainer has, with the user's values in the place of the table's.
func (r *recipe) set(given map[string]string) error {
	var names []string
	known := make(map[string]*setting)
	for _, s := range Settings() {
		names = append(names, s.Name)
		known[s.Name] = &s
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if err := r.checkSet(name, given[name], known[name], names); err != nil {
			return err
		}
	}
	for _, s := range Settings() {
		v := settingValue{Name: s.Name, Value: s.Value(r.Stage), Source: s.Source, Means: s.Means}
		if text, ok := given[s.Name]; ok {
			v.Value, v.Source = canonical(s.Kind, text), Yours
		}
		has := slices.ContainsFunc(s.Args, func(a arg) bool { return a.Trainer == r.Trainer })
		if v.Value != "" && (has || s.Source == Paper) {
			r.Settings = append(r.Settings, v)
		}
	}
	return nil
}

// checkSet refuses a name or value of --set.
func (r *recipe) checkSet(name, value string, s *setting, names []string) error {
	if s == nil {
		return omniscope.Usagef("--set %s: there is no such setting%s; `omniscope train recipe --settings` lists them", name, spelling.Hint(name, names))
	}
	takes := slices.ContainsFunc(s.Args, func(a arg) bool { return a.Trainer == r.Trainer && a.Values == [2]string{} })
	switch {
	case s.Fixed != "":
		return omniscope.Usagef("--set %s: it cannot be set: %s", name, s.Fixed)
	case !takes:
		return omniscope.Usagef("--set %s: %s has no argument that takes it", name, r.Trainer)
	case s.Value(r.Stage) == "" && name != "resume":
		return omniscope.Usagef("--set %s: %s has no videos", name, r.Stage)
	case s.Kind == wordKind:
		return checkText("--set "+name+"=", value)
	}
	if k, ok := kinds[s.Kind]; ok && !k.is(value) {
		return omniscope.Usagef("--set %s=%s: it is %s", name, value, k.says)
	}
	return nil
}

// kinds describe the values of --set that are not words.
var kinds = map[valueKind]struct {
	says string
	is   func(text string) bool
}{
	numberKind: {"a number of at least 0", isNumber},
	whole:      {"a whole number of at least 0", isWhole},
	truthKind:  {"true or false", func(text string) bool { return text == "true" || text == "false" }},
}

func isNumber(text string) bool {
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && n >= 0 && !math.IsInf(n, 0)
}

func isWhole(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 0 && strconv.Itoa(n) == text
}

// canonical writes a number with a point, without which YAML 1.1 reads 1e-5 as text.
func canonical(k valueKind, text string) string {
	if k != numberKind {
		return text
	}
	n, _ := strconv.ParseFloat(text, 64)
	digits := strconv.FormatFloat(n, 'g', -1, 64)
	mantissa, exponent, scaled := strings.Cut(digits, "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	if scaled {
		return mantissa + "e" + exponent
	}
	return mantissa
}

// divideBatch chooses the accumulation so that GPUs × batch per GPU × accumulation is the paper's batch.
func (r *recipe) divideBatch(given map[string]string) error {
	batch, _ := strconv.Atoi(r.value("batch"))
	per, _ := strconv.Atoi(r.value("batch_per_gpu"))
	gpus := r.GPUs * r.Machines
	if per < 1 || batch%per != 0 {
		return omniscope.Usagef("--set batch_per_gpu=%d does not divide the batch of %d: these do: %s", per, batch, divisors(batch))
	}
	if batch%(gpus*per) != 0 {
		return omniscope.Usagef("the batch of %d cannot be divided among %d GPUs with %d rows each: with --set batch_per_gpu=%d these numbers of GPUs (--gpus times --machines) do: %s",
			batch, gpus, per, per, divisors(batch/per))
	}
	for i := range r.Settings {
		v := &r.Settings[i]
		if steps := strconv.Itoa(batch / (gpus * per)); v.Name == "accumulation" && v.Value != steps {
			v.Means = fmt.Sprintf("%s; the paper has %s on 8 GPUs with its rows per GPU, the batch of %d stays", v.Means, v.Value, batch)
			v.Value, v.Source = steps, Ours
		}
	}
	return nil
}

func divisors(n int) string {
	var list []string
	for d := 1; d <= n; d++ {
		if n%d == 0 {
			list = append(list, strconv.Itoa(d))
		}
	}
	return strings.Join(list, ", ")
}

// An entry is a line of the settings: what a trainer calls something, and the value.
type entry struct {
	name, value string
	kind        valueKind
	source      Source
	means       string
}

// entries are all lines for the trainer, but those of model, rows and places, in the order of the table.
func (r *recipe) entries() (list []entry) {
	for _, s := range Settings() {
		value := r.value(s.Name)
		if value == "" {
			continue
		}
		v := r.Settings[slices.IndexFunc(r.Settings, func(v settingValue) bool { return v.Name == s.Name })]
		for _, a := range s.Args {
			e := entry{a.Name, value, s.Kind, v.Source, s.Name + ": " + v.Means}
			if word := a.Values[r.Stage-1]; word != "" {
				e.value, e.kind = word, a.Kind
			}
			if a.Trainer == r.Trainer && e.value != "-" {
				list = append(list, e)
			}
		}
	}
	return list
}
