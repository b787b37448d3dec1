package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/filename"
	"omniscope/internal/spelling"
	"omniscope/model/ref"
	"omniscope/session"
	"omniscope/session/eval"
	"omniscope/session/suite"
)

// evalOptions are the flags of eval BENCHMARK. They make a Spec for each run.
type evalOptions struct {
	benchmark   bench.Benchmark // with the options that are set
	info        bench.Info
	flags       *pflag.FlagSet
	spec        eval.Spec
	calls       session.Calls
	judge       modelFlag
	chain       []*chainFlags  // of further roles
	observers   *observerFlags // nil where no clip is observed
	options     []*optionFlag  // of the benchmark's own
	Predictions []string       // files
	Folders     []string       // that hold such files

	Out         string
	shard       session.Shard
	engine      engineFlag
	repeat      int
	MaxFailures float64
	DryRun      bool
	Force       bool
	JSON        bool
	NoProgress  bool
	inRun       bool // the answers are of the same command, which prints its own end

	first   func(io.Writer, *eval.Evaluation) error // shows something before the results; nil = it does not
	done    []*eval.PlannedRun                      // whose results are written
	results []*document.Results                     // of these
}

func newEvalOptions(f *pflag.FlagSet, b bench.Benchmark) *evalOptions {
	o := &evalOptions{benchmark: b, info: b.Info(), flags: f, calls: evalCalls()}
	o.spec.Benchmark = o.info.Name
	o.addFlags(f)
	if o.info.Judge != "" {
		o.addJudgeFlags(f)
	} else {
		addWorkDir(f, &o.calls.WorkDir)
		addJournal(f, &o.calls.Journal)
	}
	if o.info.Observes {
		o.observers = &observerFlags{}
		o.observers.add(f)
	}
	if o.info.Networks {
		addNetworkFlags(f, &o.calls.Networks)
	}
	if _, ok := b.(bench.Collector); ok {
		f.StringArrayVar(&o.Folders, "systems", nil, o.info.Files.Folders+"; several times for several systems")
	}
	for _, option := range bench.OptionsOf(b) {
		o.options = append(o.options, addOption(f, option))
	}
	for _, a := range o.info.Aliases {
		addAlias(f, a)
	}
	return o
}

// addFlags adds the flags of all benchmarks.
func (o *evalOptions) addFlags(f *pflag.FlagSet) {
	s, files := &o.spec, o.info.Files
	several, strict := "; several times for several systems", "counts failures and asks again"
	if files.InParts {
		several = ""
	}
	if o.info.Judge == "" {
		strict = "scores what is there and counts what is not"
	}
	f.StringArrayVarP(&o.Predictions, "predictions", "p", nil, files.Predictions+several)
	f.StringVarP(&s.Data, "data", "d", "", files.Data)
	f.Lookup("data").Hidden = files.Data == ""
	f.StringVar(&s.System, "system", "", "name of the system (default: the name of the predictions file)")
	addProfile(f, &s.Profile, "scores that the headline shows, and how the judge is asked: official is the published scorer, quirks\nincluded; strict "+strict+". Reports show both wherever they differ")
	f.IntVar(&s.Limit, "limit", 0, "score the first N samples only; 0 = all")
	f.StringArrayVar(&s.SampleIDs, "sample", nil, "score these samples only: ids with commas between, or the flag several times")
	f.Uint64Var(&s.Seed, "seed", 0, "seed of the bootstrap intervals")
	f.IntVar(&s.Repetition, suite.Repetition, 0, "which repetition of a repeated run this is")
	f.Lookup(suite.Repetition).Hidden = true
	f.BoolVar(&s.Allow, "allow-unscorable", false, "score files of which hardly anything can be scored, such as with a misspelt field, which are refused\nbefore anything is asked")
	f.StringVarP(&o.Out, "out", "o", "", "folder of the results (default: WORK-DIR/runs/BENCHMARK-SYSTEM-RUN)")
	addForce(f, &o.Force)
	f.BoolVar(&o.JSON, "json", false, "print the results document on standard output instead of the table")
	addQuiet(f, &o.NoProgress)
}

// addJudgeFlags adds the flags of benchmarks that ask a judge.
func (o *evalOptions) addJudgeFlags(f *pflag.FlagSet) {
	s, info := &o.spec, o.info
	f.StringVar(&s.Field, "caption-field", "", info.Files.CaptionField)
	f.StringVar(&s.IDField, "id-field", "", "field with the id of the sample, or with the name of its media (default: the benchmark's own, else the first of\nid, uuid, video_id, path, video, audio that names a sample in each row)")
	f.StringVar(&s.Modality, "modality", string(eval.DefaultModality), "modality of the captions, for the judge: audio, visual or audio-visual; or a, v, av. Not given:\nfrom the details that run wrote next to the captions, if any")
	if !info.Modality {
		f.MarkHidden("modality")
	}
	o.judge = modelFlag{many: true, defaults: *eval.DefaultJudge(info, "")}
	o.judge.add(f, session.Judge, session.Offline, cmp.Or(info.JudgeHelp, judgeHelp))
	for _, r := range info.Roles {
		o.chain = append(o.chain, addChainFlags(f, r))
	}
	f.StringVar(&s.Prompts, "prompts", "", "folder with prompt files that replace the built-in ones of the same name")
	f.IntVarP(&o.calls.MaxConcurrency, "concurrency", "j", o.calls.MaxConcurrency, "most calls at a time; fewer while the endpoint complains")
	addCallFlags(f, &o.calls)
	f.Float64Var(&o.MaxFailures, "max-failures", session.DefaultMaxFailures, "share of samples whose judging may fail before the exit code is 3")
	f.VarPF(inverse{&o.calls.SkipExam}, "judge-exam", "", "examine a judge that is a model before it judges: ten items with known answers, asked once for each\nmodel and its settings. More than three wrong mark all scores").NoOptDefVal = "true"
	f.Lookup("judge-exam").Hidden = !info.Examined
	f.IntVar(&o.repeat, "repeat", 1, "ask the judge N times, each time with another seed, and show mean, spread and stability of the scores")
	f.BoolVar(&o.DryRun, "dry-run", false, "print how many calls, tokens and dollars it would take, and stop")
}

const judgeHelp = "who judges: PROVIDER/NAME such as openai/gpt-4o-2024-11-20, scripted/FILE, or offline,\na baseline that compares words and needs no model. 'omniscope docs models' lists the providers.\nSeveral times for several judges, which are compared at the end"

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

func addOption(f *pflag.FlagSet, option bench.Option) *optionFlag {
	o := &optionFlag{Option: option}
	flag := f.VarPF(o, option.Name, option.Short, option.Help)
	if o.Type() == "bool" {
		flag.NoOptDefVal = "true"
	}
	return o
}

// An aliasFlag sets the flag that it is another name of.
type aliasFlag struct {
	pflag.Value
	set *pflag.FlagSet
	of  string
}

func (a *aliasFlag) Set(text string) error { return a.set.Set(a.of, text) }

func addAlias(f *pflag.FlagSet, a bench.Alias) {
	alias := f.VarPF(&aliasFlag{f.Lookup(a.Of).Value, f, a.Of}, a.Name, a.Short, "another name of --"+a.Of)
	alias.Hidden, alias.DefValue = a.Hidden, "" // the flag itself shows the default
}

// valuesOf returns the values of a flag; a list may have several.
func valuesOf(v pflag.Value) []string {
	if list, ok := v.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{v.String()}
}

// otherName is the flag that a flag is another name of, or the flag itself.
func otherName(cmd *cobra.Command, f *pflag.Flag) *pflag.Flag {
	a, ok := f.Value.(*aliasFlag)
	if !ok {
		return f
	}
	if of := cmd.Flags().Lookup(a.of); of != nil && of == a.set.Lookup(a.of) {
		return of
	}
	return f // run has two flags of the name: the questions' and the references'
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
	return cmp.Or(o.wrong, o.Value.String())
}

// Type implements pflag.Value.
func (o *optionFlag) Type() string { return o.Value.Type() }

// baseSpec is the Spec that the flags make, without a judge: all files of
// predictions are parts of one system's.
func (o *evalOptions) baseSpec() *eval.Spec {
	spec := o.spec
	spec.ModalityOfAnswers = o.info.Modality && !o.flags.Changed("modality")
	spec.Options, spec.Roles = bench.Given(o.benchmark), make(map[string]*session.Role)
	for _, c := range o.chain {
		if role := c.one(); role != nil {
			spec.Roles[role.Name] = role
		}
	}
	if o.observers != nil {
		o.observers.setIn(&spec)
	}
	if len(o.Predictions) > 0 {
		spec.Predictions, spec.Parts = o.Predictions[0], o.Predictions[1:]
	}
	return &spec
}

// runs are the runs that the flags ask for: every judge judges every system.
func (o *evalOptions) runs() []*eval.PlannedRun {
	if o.info.Judge == "" {
		return []*eval.PlannedRun{{Spec: o.baseSpec(), Dir: o.Out}}
	}
	judges := o.judge.all()
	if o.Out == "" && o.repeat > 1 {
		o.Out = filepath.Join(o.calls.WorkDir, "runs", filename.Safe(fmt.Sprintf("%s-%s-%s-%d-repetitions", o.info.Name, bench.SystemName(o.Predictions[0]), judges[0].Model, o.repeat)))
	}
	return eval.PlanRuns(o.baseSpec(), judges, o.Predictions, o.repeat, o.Out)
}

func (o *evalOptions) check() error {
	errs := []error{spelling.CheckChoice("scoring", o.spec.Profile, profiles)}
	if o.info.Judge != "" {
		modality, err := modalityOf(o.spec.Modality)
		o.spec.Modality, errs = modality, append(errs, err)
	}
	for _, option := range o.options {
		if option.wrong != "" {
			errs = append(errs, spelling.CheckChoice(option.Name, option.wrong, option.Choices))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := o.baseSpec().Check(o.benchmark, o.Folders); err != nil {
		return err
	}
	if o.info.Judge == "" {
		return o.calls.Networks.Check()
	}
	if err := errors.Join(o.checkJudging(), o.checkRepeat()); err != nil {
		return err
	}
	errs = []error{eval.CheckPlan(o.baseSpec(), o.benchmark, o.judge.models(), o.Predictions), o.judge.check(), o.calls.Check()}
	for _, c := range o.chain {
		errs = append(errs, c.check())
	}
	if o.observers != nil {
		errs = append(errs, o.observers.check())
	}
	return errors.Join(errs...)
}

// checkJudging checks how a judge is asked.
func (o *evalOptions) checkJudging() error {
	published := o.info.Asking.OfficialAttempts
	otherAttempts := slices.ContainsFunc(o.judge.refs, func(r ref.Ref) bool {
		n, given := r.Get("attempts")
		return given && n != strconv.Itoa(published)
	})
	return checkRules([]rule{
		{o.JSON && len(o.judge.roles)*len(o.Predictions) > 1, "--json is for one judge and one file of predictions"},
		{!isShare(o.MaxFailures), "--max-failures is a share from 0 to 1, such as 0.05"},
		{o.spec.Profile == bench.Official.String() && otherAttempts,
			fmt.Sprintf("attempts= of the judge is for --scoring strict: official asks a question %s, as the published program does", times(published))},
	})
}

// checkRepeat checks what does not go together with --repeat.
func (o *evalOptions) checkRepeat() error {
	return checkRules([]rule{
		{o.repeat < 1, "--repeat must be at least 1"},
		{o.repeat > 1 && o.JSON, "--json is for one run: repeat.json in --out has the summary of repetitions"},
		{o.repeat > 1 && slices.Contains(o.judge.models(), session.Offline), "--repeat asks a judge again, and the offline baseline always says the same"},
		{o.repeat > 1 && o.shard.N > 0, "--shard does a part of one run: leave out --repeat"},
		{o.repeat > 1 && len(o.Folders) > 0, "--repeat is for named files of predictions: use --predictions instead of --systems"},
	})
}
