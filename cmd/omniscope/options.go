package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"omniscope/bench"
	"omniscope/internal/filename"
	"omniscope/score"
	"omniscope/session"
)

// evalOptions are the flags of eval BENCHMARK. They make a Spec for each run.
type evalOptions struct {
	spec    session.Spec
	calls   session.Calls
	judge   roleFlags
	options []*optionFlag // of the benchmark's own
	Judges  []string
	Systems []string // files of predictions

	Out         string
	MaxFailures float64
	DryRun      bool
	Force       bool
	JSON        bool
	NoProgress  bool
}

func newEvalOptions(f *pflag.FlagSet, b bench.Benchmark) *evalOptions {
	info := b.Info()
	o := &evalOptions{calls: evalCalls()}
	o.spec.Benchmark = info.Name
	o.judge.role.Attempts, o.judge.role.MaxTokens = info.Asking.Attempts, info.Asking.MaxTokens
	o.addFlags(f, info)
	for _, option := range bench.OptionsOf(b) {
		flag := &optionFlag{Option: option}
		f.Var(flag, option.Name, option.Help)
		o.options = append(o.options, flag)
	}
	return o
}

func (o *evalOptions) addFlags(f *pflag.FlagSet, info bench.Info) {
	s := &o.spec
	f.StringArrayVarP(&o.Systems, "predictions", "p", nil, info.Files.Predictions+"; several times for several systems")
	f.StringVarP(&s.Data, "data", "d", "", info.Files.Data)
	f.StringVar(&s.Field, "caption-field", "", info.Files.CaptionField)
	f.StringVar(&s.System, "system", "", "name of the captioning system (default: the name of the predictions file)")
	f.StringVar(&s.Modality, "modality", "audio-visual", "what the captions describe, as the judge is told: audio, visual or audio-visual; or a, v, av")
	if !info.Modality {
		f.MarkHidden("modality")
	}
	f.StringVar(&s.Profile, "profile", "strict", "scores that the headline shows: strict counts failures and asks again; official is\nthe published scorer, quirks included. Reports show both wherever they differ")
	f.StringArrayVar(&o.Judges, "judge", []string{session.Offline}, "who judges: PROVIDER/NAME such as openai/gpt-4o-2024-11-20, scripted/FILE, or offline,\na lexical baseline that needs no model. 'omniscope list' shows the providers.\nSeveral times for several judges, which are compared at the end")
	o.judge.add(f, session.Judge)
	o.judge.addAttempts(fmt.Sprintf("askings of one question in profile strict, the first included; official asks %s", times(info.Asking.OfficialAttempts)))
	f.StringVar(&s.Prompts, "prompts", "", "folder with prompt files that replace the built-in ones of the same name")
	f.IntVar(&s.Limit, "limit", 0, "score the first N samples only; 0 = all")
	f.StringArrayVar(&s.SampleIDs, "sample-id", nil, "score these samples only: uuids with commas between, or the flag several times")
	f.Uint64Var(&s.Seed, "seed", 0, "seed of the bootstrap intervals")
	f.BoolVar(&s.Allow, "allow-unscorable", false, "score files of which hardly anything can be scored, such as with a misspelt field, which are refused\nbefore anything is asked")
	f.StringVarP(&o.Out, "out", "o", "", "folder of the results (default: WORK-DIR/runs/BENCHMARK-SYSTEM-RUN)")
	f.IntVarP(&o.calls.MaxConcurrency, "max-concurrency", "j", o.calls.MaxConcurrency, "most calls at a time; fewer while the endpoint complains")
	addCallFlags(f, &o.calls)
	f.Float64Var(&o.MaxFailures, "max-failures", 0.05, "share of samples whose judging may fail before the exit code is 3")
	addForce(f, &o.Force)
	f.BoolVar(&o.DryRun, "dry-run", false, "print how many calls, tokens and dollars it would take, and stop")
	f.BoolVar(&o.JSON, "json", false, "print the results document on standard output instead of the table")
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("up to %d times", n)
}

// An optionFlag is the flag of a benchmark's own option. A value that is not among
// the choices is kept for check, which says what was probably meant.
type optionFlag struct {
	bench.Option
	wrong string
}

// Set implements pflag.Value.
func (o *optionFlag) Set(text string) error {
	if o.wrong = ""; len(o.Choices) > 0 && !slices.Contains(o.Choices, text) {
		o.wrong = text
		return nil
	}
	return o.Value.Set(text)
}

func (o *optionFlag) String() string {
	if o.Value == nil { // of the zero value, which help compares with
		return ""
	}
	return o.Value.String()
}

// Type implements pflag.Value.
func (o *optionFlag) Type() string { return o.Value.Type() }

// optionValues are the options as a Spec has them.
func (o *evalOptions) optionValues() map[string]string {
	values := make(map[string]string)
	for _, option := range o.options {
		if text := option.Value.String(); text != "" {
			values[option.Name] = text
		}
	}
	return values
}

// An evalRun is one run of the command: one judge on one system.
type evalRun struct {
	spec *session.Spec
	out  string // folder of the results; "" = the usual one
}

// runs are the runs that the flags ask for: every judge judges every system.
func (o *evalOptions) runs() []*evalRun {
	var runs []*evalRun
	for _, judge := range o.Judges {
		for _, system := range o.Systems {
			spec := o.spec
			spec.Predictions, spec.Options = system, o.optionValues()
			spec.Roles = map[string]*session.Role{session.Judge: o.judge.of(judge)}
			runs = append(runs, &evalRun{spec: &spec, out: o.Out})
		}
	}
	if o.Out != "" && len(runs) > 1 {
		for _, r := range runs {
			r.out = filepath.Join(o.Out, filename.Safe(bench.SystemName(r.spec.Predictions)+"-"+r.spec.Roles[session.Judge].Model))
		}
	}
	return runs
}

func (o *evalOptions) systemNames() []string {
	var names []string
	for _, path := range o.Systems {
		names = append(names, strings.ToLower(filename.Safe(bench.SystemName(path))))
	}
	return names
}

func (o *evalOptions) check() error {
	modality, modalityErr := modalityOf(o.spec.Modality)
	o.spec.Modality = modality
	errs := []error{
		modalityErr,
		checkChoice("profile", o.spec.Profile, profiles),
	}
	for _, option := range o.options {
		if option.wrong != "" {
			errs = append(errs, checkChoice(option.Name, option.wrong, option.Choices))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	several := len(o.Judges)*len(o.Systems) > 1
	switch {
	case len(o.Systems) == 0 || slices.Contains(o.Systems, ""):
		return usagef("give the captions with --predictions FILE")
	case len(o.Systems) > 1 && o.spec.System != "":
		return usagef("--system names one system: leave it out, the systems are called by their files")
	case several && o.JSON:
		return usagef("--json is for one judge and one file of predictions")
	case several && o.optionValues()["continue"] != "":
		return usagef("--continue is for one judge and one file of predictions: the files hold one judge's verdicts on one system")
	case score.Twice(o.Judges) != "":
		return usagef("the judge %s is named twice", score.Twice(o.Judges))
	case score.Twice(o.systemNames()) != "":
		return usagef("systems are told apart by the names of their files, and two are called %s: rename one", score.Twice(o.systemNames()))
	case o.spec.Limit < 0:
		return usagef("--limit must not be negative")
	case !(o.MaxFailures >= 0 && o.MaxFailures <= 1):
		return usagef("--max-failures is a share from 0 to 1, such as 0.05")
	case o.spec.Prompts != "" && slices.Equal(o.Judges, []string{session.Offline}):
		return usagef("--prompts has no use here: the offline judge reads none")
	}
	return errors.Join(o.judge.check(), o.calls.Check())
}

var profiles = []string{bench.Official.String(), bench.Strict.String()}
