package eval

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/ondisk"
	"omniscope/session"
	"omniscope/session/catalog"
)

// evalKind is the kind of runs of this package, in the journal.
const evalKind = "eval"

// Kind is the kind of runs that score on benchmarks.
var Kind = session.Kind{Name: evalKind, New: func() session.Task { return &Spec{} }}

// A Spec says what a run does, as plain data: it is the run's manifest in the
// journal, what a run is named by, and what a replay starts from. It holds nothing
// secret. Benchmark and Predictions are enough: all else is then as the command without flags has it.
type Spec struct {
	Form        int               `json:"spec"`                    // of this document: specForm
	Benchmark   string            `json:"benchmark"`               // by its name in the catalog
	Options     map[string]string `json:"options,omitempty"`       // the benchmark's own, by name; what is missing has its default
	Predictions string            `json:"predictions"`             // file
	Parts       []string          `json:"parts,omitempty"`         // further files of the same predictions
	Data        string            `json:"data,omitempty"`          // file of the benchmark; "" = that of the hub's cache, if one is needed
	Field       string            `json:"caption_field,omitempty"` // with the prediction; "" = the benchmark's own
	IDField     string            `json:"id_field,omitempty"`      // with the id of the sample; "" = the benchmark's own, else see bench.FindIDs
	System      string            `json:"system,omitempty"`        // "" = the name of the file of predictions
	Modality    string            `json:"modality,omitempty"`      // of what a judge is told; "" = that of the answers, else audio-visual
	Profile     string            `json:"profile"`                 // official or strict; "" = bench.DefaultScoring
	Prompts     string            `json:"prompts,omitempty"`       // folder; "" = the built-in ones
	Limit       int               `json:"limit,omitempty"`         // samples; 0 = all
	SampleIDs   []string          `json:"sample_ids,omitempty"`    // nil = all
	Seed        uint64            `json:"seed"`                    // of the intervals
	Repetition  int               `json:"repetition,omitempty"`    // of several of the same run, from 1; 0 = it is the only one

	// Judge is the model that judges, as PROVIDER/NAME, with the settings of the command without flags; "" = that of Roles, else
	// no model: rules of ours.
	Judge string `json:"-"`
	// Roles are models with their settings, by the roles' names. In a Role that is given, Temperature nil and MaxTokens 0 are
	// the model's own.
	Roles map[string]*session.Role `json:"roles,omitempty"`

	// Who looks at the clips, for a benchmark that has them observed.
	Tools     []string `json:"tools,omitempty"`     // by name; nil = all that work here
	Observers []string `json:"observers,omitempty"` // models
	ASR       string   `json:"asr,omitempty"`       // model

	// Known once the inputs are opened.
	Inputs        map[string]string `json:"inputs,omitempty"` // path to SHA-256
	PromptDigests map[string]string `json:"prompt_digests,omitempty"`
	Folder        string            `json:"folder,omitempty"` // that relative paths start from

	Allow bool `json:"-"` // see bench.Inputs

	// ModalityOfAnswers takes the modality from the file of details next to the predictions, if it
	// exists: the user named no modality.
	ModalityOfAnswers bool `json:"-"`
}

const specForm = 2

// UnmarshalJSON reads a run's manifest, also one of an earlier form.
func (s *Spec) UnmarshalJSON(text []byte) error {
	type plain Spec
	if err := json.Unmarshal(text, (*plain)(s)); err != nil {
		return err
	}
	switch s.Form {
	case specForm:
	case 0: // the earlier form has a judge of its own, and one that no journal was given has roles
		var old struct {
			Judge any `json:"judge"`
		}
		if err := json.Unmarshal(text, &old); err != nil {
			return err
		}
		if old.Judge == nil {
			break
		}
		var form1 specForm1
		if err := json.Unmarshal(text, &form1); err != nil {
			return err
		}
		*s = *form1.spec()
	default:
		return omniscope.Invalidf("the run's description has form %d, which a later version of omniscope wrote: use that one", s.Form)
	}
	for name, r := range s.Roles {
		if r == nil {
			return noRole(name)
		}
		r.Name = name
	}
	if b, err := catalog.Benchmark(s.Benchmark); err == nil && b.Info().Judge != "" && s.judge() == nil {
		return noRole(session.Judge)
	}
	return nil
}

func noRole(name string) error {
	return omniscope.Invalidf("the run's description names no %s", name)
}

// Open implements Task. Ordered by another process, it refuses inputs and addresses that differ from the order.
func (s *Spec) Open(ctx context.Context, m *session.Machine) (session.Units, error) {
	inputs, sources := s.Inputs, make(map[string]string) // as they were then
	for name, role := range s.Roles {
		sources[name] = role.Source
	}
	s.Allow = s.Allow || m.Order != nil // the command that began the run has decided
	if m.Order == nil {
		return openFront(ctx, s, m)
	}
	e, err := Open(ctx, s, &Options{Machine: *m})
	if err != nil {
		return nil, err
	}
	if err := e.checkSame(inputs, sources); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// checkSame refuses inputs and addresses that differ from an order.
func (e *Evaluation) checkSame(inputs, sources map[string]string) error {
	if err := session.Unchanged(inputs, e.Read.Inputs); err != nil || e.options.Calls.AnyEndpoint {
		return err
	}
	for name, role := range e.Spec.Roles {
		if source := sources[name]; source != "" && role.Source != source {
			return omniscope.Invalidf("its %s answers at %s, and here at %s: set the same address here, or give --any-endpoint everywhere", name, source, role.Source)
		}
	}
	return nil
}

// Listed implements Task.
func (s *Spec) Listed() session.Listing {
	command, what := "eval "+s.Benchmark, s.Predictions
	if b, err := catalog.Benchmark(s.Benchmark); err == nil {
		info := b.Info()
		command = info.ScoredBy()
	}
	if what == bench.NoPredictions && s.Options["text"] != "" {
		what = s.Options["text"]
	}
	return session.Listing{Command: command, What: []string{what}, By: session.ModelOf(s.judge())}
}

// judge is the role that grades; nil where the benchmark asks no judge.
func (s *Spec) judge() *session.Role { return s.Roles[session.Judge] }

// benchmark opens the benchmark with the run's options.
func (s *Spec) benchmark() (bench.Benchmark, error) {
	b, err := catalog.Benchmark(s.Benchmark)
	if err != nil {
		return nil, err
	}
	for _, o := range bench.OptionsOf(b) {
		value, given := s.Options[o.Name]
		if !given {
			continue
		}
		values, err := bench.ValuesOf(o.Value, value)
		if err != nil {
			return nil, omniscope.Usagef("--%s %s: %w", o.Name, value, err)
		}
		for _, value := range values {
			if o.Path {
				value = s.at(value)
			}
			if err := o.Value.Set(value); err != nil {
				return nil, omniscope.Usagef("--%s %s: %w", o.Name, value, err)
			}
		}
	}
	return b, nil
}

// at makes a path that was given in another folder start from there.
func (s *Spec) at(path string) string {
	if path == bench.NoPredictions {
		return path
	}
	return session.Below(s.Folder, path)
}

// inputs are the Spec's as a benchmark takes them.
func (s *Spec) inputs() (bench.Inputs, error) {
	profile, _ := bench.ParseScoring(s.Profile)
	in := bench.Inputs{
		Predictions: s.at(s.Predictions), Data: s.at(s.Data), CaptionField: s.Field, IDField: s.IDField, System: s.System,
		Modality: s.Modality, Scoring: profile, Limit: s.Limit, Allow: s.Allow,
	}
	for _, path := range s.Parts {
		in.Parts = append(in.Parts, s.at(path))
	}
	for _, list := range s.SampleIDs {
		for id := range strings.SplitSeq(list, ",") {
			in.Samples = append(in.Samples, omniscope.SampleID(id))
		}
	}
	if folder := s.at(s.Prompts); folder != "" {
		if !ondisk.IsFolder(folder) {
			return in, session.NotAFolder(folder)
		}
		in.Prompts, in.PromptsName = os.DirFS(folder), s.Prompts
	}
	return in, nil
}

// manifest is the Spec with what is known of its opened inputs.
func (s *Spec) manifest(plan *bench.Plan) string {
	m := *s
	m.Form, m.Inputs, m.PromptDigests = specForm, plan.Inputs, make(map[string]string)
	for _, p := range plan.Prompts {
		m.PromptDigests[p.Name] = p.Digest
	}
	if m.Folder == "" { // else it is a run that was begun elsewhere
		if dir, err := os.Getwd(); err == nil {
			m.Folder = dir
		}
	}
	text, _ := json.Marshal(m) // its numbers were checked to be finite
	return string(text)
}

// specForm1 is a Spec as earlier versions wrote it: with the judge's settings
// and the options of one benchmark among its own fields.
type specForm1 struct {
	Benchmark        string            `json:"benchmark"`
	Predictions      string            `json:"predictions"`
	Data             string            `json:"data,omitempty"`
	CaptionField     string            `json:"caption_field,omitempty"`
	System           string            `json:"system,omitempty"`
	Modality         string            `json:"modality,omitempty"`
	Profile          string            `json:"profile"`
	Judge            string            `json:"judge"`
	JudgeAttempts    int               `json:"judge_attempts"`
	JudgeTemperature float64           `json:"judge_temperature"`
	JudgeMaxTokens   int               `json:"judge_max_tokens,omitempty"`
	JudgeExtra       string            `json:"judge_extra,omitempty"`
	JudgeMode        string            `json:"judge_mode,omitempty"`
	Continue         string            `json:"continue,omitempty"`
	Prompts          string            `json:"prompts,omitempty"`
	Limit            int               `json:"limit,omitempty"`
	SampleIDs        []string          `json:"sample_ids,omitempty"`
	Seed             uint64            `json:"seed"`
	Inputs           map[string]string `json:"inputs,omitempty"`
	PromptDigests    map[string]string `json:"prompt_digests,omitempty"`
	Source           string            `json:"source,omitempty"`
	Folder           string            `json:"folder,omitempty"`
}

func (o *specForm1) spec() *Spec {
	judge := &session.Role{Name: session.Judge, Model: o.Judge, Attempts: o.JudgeAttempts, MaxTokens: o.JudgeMaxTokens, Extra: o.JudgeExtra, Source: o.Source}
	if o.JudgeTemperature >= 0 {
		judge.Temperature = &o.JudgeTemperature
	}
	s := &Spec{
		Form: specForm, Benchmark: o.Benchmark, Predictions: o.Predictions, Data: o.Data, Field: o.CaptionField, System: o.System, Modality: o.Modality,
		Profile: o.Profile, Prompts: o.Prompts, Limit: o.Limit, SampleIDs: o.SampleIDs, Seed: o.Seed, Roles: map[string]*session.Role{session.Judge: judge},
		Inputs: o.Inputs, PromptDigests: o.PromptDigests, Folder: o.Folder, Options: make(map[string]string),
	}
	for name, value := range map[string]string{"judge-mode": o.JudgeMode, "continue": o.Continue} {
		if value != "" {
			s.Options[name] = value
		}
	}
	return s
}

// form1 is the Spec in its earlier form, by which runs are named: the runs of
// earlier versions are found by the same command.
func (s *Spec) form1() *specForm1 {
	judge := s.judge()
	o := &specForm1{
		Benchmark: s.Benchmark, Predictions: s.Predictions, Data: s.Data, CaptionField: s.Field, System: s.System, Modality: s.Modality,
		Profile: s.Profile, Judge: judge.Model, JudgeAttempts: judge.Attempts, JudgeTemperature: -1, JudgeMaxTokens: judge.MaxTokens, JudgeExtra: judge.Extra,
		JudgeMode: s.Options["judge-mode"], Continue: s.Options["continue"], Prompts: s.Prompts, Limit: s.Limit, SampleIDs: slices.Clone(s.SampleIDs), Seed: s.Seed,
	}
	if judge.Temperature != nil {
		o.JudgeTemperature = *judge.Temperature
	}
	return o
}
