package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/results/report"
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/eval"
	"omniscope/session/measure"
	"omniscope/session/predict"
	"omniscope/session/suite"
)

func newRun() *cobra.Command {
	o := &suiteOptions{}
	cmd := &cobra.Command{
		Use:   "run BENCH|SUITE.yaml",
		Short: "Ask models about benchmarks and score their answers",
		Long: `Ask models what a benchmark asks and score their answers, on one budget. Everything is checked before the first call:
data, media, models, keys, scorers. The same command continues after any interruption, and pays for nothing twice. Refusals,
cut and empty answers, and clips that cannot be opened are written to the file of details and never as answers.

'omniscope run SUITE.yaml' does many such runs, every model on every benchmark, and shows one table of each
benchmark at the end; docs/suites.md describes the file. --sweep does one run for each value of a flag.`,
		Example: `  omniscope run omni-cloze --data omni_cloze.jsonl --media clips --model openai/gpt-4o --judge openai/gpt-4o-2024-11-20
  omniscope run suite.yaml --max-cost 20 --dry-run`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return omniscope.Usagef("name a benchmark, %s, or the file of a suite; see `%s --help`", strings.Join(commandNames(cmd), ", "), cmd.CommandPath())
			}
			return exactArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := suite.Read(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			s.All = append(s.All, givenSettings(cmd)...)
			return o.runSuite(cmd, s)
		},
	}
	o.addFlags(cmd.Flags())
	var calls session.Calls // the flags are given to every run: see givenSettings
	addBudgetFlags(cmd.Flags(), &calls)
	addWorkDir(cmd.Flags(), &calls.WorkDir)
	addJournal(cmd.Flags(), &calls.Journal)
	cmd.Flags().BoolP("quiet", "q", false, "show no progress")
	for _, open := range catalog.Benchmarks {
		if b, ok := open().(bench.AnswerWriter); ok {
			one, _ := newRunBenchmark(b.Info(), open)
			cmd.AddCommand(one)
		}
	}
	return cmd
}

// givenSettings are the given flags, except the flags of a suite.
func givenSettings(cmd *cobra.Command) (settings suite.Settings) {
	ofAllCommands := cmd.InheritedFlags()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(suite.OfCommand, f.Name) || ofAllCommands.Lookup(f.Name) != nil {
			return
		}
		settings = append(settings, suite.Setting{Name: otherName(cmd, f).Name, Values: textsOf(f.Value)})
	})
	return settings
}

// A runOptions is the flags of both halves. Flags that both have are given to both.
type runOptions struct {
	predict *predictOptions
	eval    *evalOptions // as the flags are registered; scoring returns options with their values
	bench   func() bench.Benchmark
	Out     string
	sweep   []string
	repeat  int
	noScore bool
	anyway  bool
	dryRun  bool
}

func newRunBenchmark(info bench.Info, open func() bench.Benchmark) (*cobra.Command, *runOptions) {
	o := &runOptions{predict: &predictOptions{}, bench: open}
	cmd := &cobra.Command{
		Use:   info.Name + " --model PROVIDER/NAME --data FILE --media FOLDER",
		Short: info.Title,
		Long:  fmt.Sprintf("Ask models about %s (%s) and score their answers. Several --model are compared.\n%s.", info.Title, info.Paper, info.Licence),
		Example: fmt.Sprintf(`  omniscope run %[1]s --data FILE --media clips --model vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct --dry-run
  omniscope run %[1]s --data FILE --media clips --model openai/gpt-4o-audio-preview --no-score`, info.Name),
		Args: exactArgs(0),
	}
	o.predict.spec.Benchmark = info.Name
	f := cmd.Flags()
	o.predict.addDataFlags(f)
	o.predict.model.many = true
	o.predict.addFlags(f, "")
	f.Lookup("out").Usage = "folder: the answers and what was sent are below it, the results in its folder results (default: below\n--work-dir). With --no-score also the file of the answers, by its ending"
	f.BoolVar(&o.noScore, "no-score", false, "only ask: write the answers, which 'omniscope eval' scores")
	f.BoolVar(&o.anyway, "anyway", false, "ask even where a scorer is missing, so that the results will lack scores")
	f.BoolVar(&o.dryRun, "dry-run", false, "check everything, print how many calls, tokens and dollars asking and judging would take, and stop")
	f.StringArrayVar(&o.sweep, "sweep", nil, "one run for each value of a flag: frames=50,100,200, pixels=..., inquiries=1..10, or any flag by its name;\nseveral times for each with each. Tables and curves of all runs are in --out")
	f.IntVar(&o.repeat, "repeat", 1, "ask the model N times, each time with another seed, and show mean, spread and stability of the scores")
	f.IntVar(&o.predict.spec.Repetition, suite.Repetition, 0, "which repetition of a repeated run this is")
	f.Lookup(suite.Repetition).Hidden = true
	addShard(f, &o.predict.shard)
	o.predict.engine.add(f)
	scoring := pflag.NewFlagSet(info.Name, pflag.ContinueOnError)
	o.eval = newEvalOptions(scoring, open())
	scoring.VisitAll(func(flag *pflag.Flag) {
		if f.Lookup(flag.Name) == nil && !leftOut(flag) {
			if a, ok := flag.Value.(*aliasFlag); ok && f.Lookup(a.of) != nil {
				flag.Usage = "file that the answers are scored with (default: the one next to --data)"
			}
			f.AddFlag(flag)
		}
	})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd) }
	return cmd, o
}

// leftOut reports whether a flag of eval has no place where the predictions are
// this command's own.
func leftOut(f *pflag.Flag) bool {
	name := f.Name
	if alias, ok := f.Value.(*aliasFlag); ok {
		name = alias.of
	}
	return slices.Contains([]string{"predictions", "caption-field", "id-field", "systems", "dry-run", "scored", "write-output", "compat", "repeat"}, name)
}

func (o *runOptions) run(cmd *cobra.Command) (err error) {
	o.Out = o.predict.Out
	several := len(o.predict.model.roles) > 1 || len(o.sweep) > 0 || o.repeat > 1
	if err := checkRules([]rule{
		{o.repeat < 1, "--repeat must be at least 1"},
		{o.repeat > 1 && len(o.eval.judge.roles) > 1, "--repeat is for one judge: the answers differ, and each judge would judge all of them"},
		{len(o.predict.model.roles) > 1 && o.predict.System != "", "--system names one system, and there are several models: leave it out"},
		{o.predict.shard.N > 0 && !o.noScore, "--shard does a part of the asking: give --no-score as well, and then the same command without both"},
		{o.predict.shard.N > 0 && several, "--shard does a part of one run: name one model, without --sweep and --repeat"},
		{o.noScore && o.eval.JSON && !o.dryRun, "--json prints scores: leave out --no-score"},
	}); err != nil {
		return err
	}
	if twice := spelling.Twice(textsOf(&o.predict.model)); twice != "" {
		return omniscope.Usagef("the model %s is named twice", twice)
	}
	if several {
		return o.runSeveral(cmd)
	}
	if o.predict.shard.N > 0 {
		return errors.Join(o.setOut(cmd), o.predict.predictPart(cmd))
	}
	shared := &session.Shared{}
	defer func() { err = shared.End(err) }()
	return o.runOne(cmd, shared)
}

// runOne does the run, or forecasts it.
func (o *runOptions) runOne(cmd *cobra.Command, shared *session.Shared) error {
	if o.dryRun {
		outlook, err := o.foresee(cmd, shared)
		if err != nil {
			return err
		}
		f := measure.NewForecast()
		f.Add("", outlook)
		return showForecast(cmd, f, o.eval.JSON)
	}
	done, err := o.do(cmd, shared)
	if err != nil {
		showSpent(cmd, shared)
	}
	if done == nil {
		return err
	}
	return errors.Join(o.conclude(cmd, done, shared), err)
}

// showForecast prints a forecast.
func showForecast(cmd *cobra.Command, f *measure.Forecast, asJSON bool) error {
	if asJSON {
		return outfile.JSON(documentOut(cmd), f)
	}
	if err := printTables(cmd, report.Comparison{Tables: []omniscope.Table{f.Table()}}); err != nil {
		return err
	}
	for _, note := range f.Assumed {
		fmt.Fprintln(cmd.OutOrStdout(), "assumed:", note)
	}
	for _, lack := range f.Lacks {
		fmt.Fprintln(cmd.OutOrStdout(), "the results will lack:", lack)
	}
	return nil
}

// showSpent prints what all parts of a command spent.
func showSpent(cmd *cobra.Command, shared *session.Shared) {
	if text := shared.Spent(); text != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "this command:", text)
	}
}

// runSeveral does a run for each model, point of the sweep and repetition.
func (o *runOptions) runSeveral(cmd *cobra.Command) error {
	if len(o.predict.model.roles) == 0 {
		return o.predict.checkModel(cmd)
	}
	given := givenSettings(cmd)
	isModel := func(f suite.Setting) bool { return f.Name == "model" || f.Name == "system" }
	s := &suite.Suite{Name: o.predict.spec.Benchmark, All: slices.DeleteFunc(slices.Clone(given), isModel),
		Benchmarks: []suite.Settings{{{Name: "benchmark", Values: []string{o.predict.spec.Benchmark}}}}}
	for _, model := range textsOf(&o.predict.model) {
		entry := suite.Settings{{Name: "model", Values: []string{model}}}
		if o.predict.System != "" {
			entry = append(entry, suite.Setting{Name: "system", Values: []string{o.predict.System}})
		}
		s.Models = append(s.Models, entry)
	}
	for _, text := range o.sweep {
		axis, err := suite.ParseAxis(text)
		if err != nil {
			return omniscope.Usagef("%v", err)
		}
		s.Sweep = append(s.Sweep, axis)
	}
	if o.repeat > 1 {
		s.Sweep = append(s.Sweep, suite.Setting{Name: suite.Repetition, Values: []string{fmt.Sprintf("1..%d", o.repeat)}})
	}
	return (&suiteOptions{Repeat: o.repeat, Out: o.Out, Force: o.predict.Force, JSON: o.eval.JSON, DryRun: o.dryRun}).runSuite(cmd, s)
}

// check checks the flags of both halves as far as they can be checked before files are read.
func (o *runOptions) check(cmd *cobra.Command) error {
	if err := o.setOut(cmd); err != nil {
		return err
	}
	return o.predict.check(cmd)
}

// setOut sets the place of the answers, and finds the benchmark's file.
func (o *runOptions) setOut(cmd *cobra.Command) error {
	o.predict.Out = o.Out
	switch {
	case o.Out == "":
		o.predict.Out = filepath.Join(o.predict.calls.WorkDir, "predictions") + string(filepath.Separator)
	case !o.noScore || filepath.Ext(o.Out) == "": // the same folder as with scores
		o.predict.Out += string(filepath.Separator)
	}
	o.predict.calls.DryRun, o.predict.quiet = o.dryRun, o.eval.JSON
	return o.predict.findData(cmd)
}

// open opens the asking half.
func (o *runOptions) open(cmd *cobra.Command, shared *session.Shared) (*openedAsking, error) {
	if err := o.setOut(cmd); err != nil {
		return nil, err
	}
	return o.predict.open(cmd, shared)
}

// foresee checks the run before anything is asked, and forecasts it with --dry-run.
func (o *runOptions) foresee(cmd *cobra.Command, shared *session.Shared) (_ *measure.Outlook, err error) {
	a, err := o.open(cmd, shared)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return o.foreseeOpened(cmd, a, shared)
}

func (o *runOptions) foreseeOpened(cmd *cobra.Command, a *openedAsking, shared *session.Shared) (*measure.Outlook, error) {
	outlook, err := measure.Foresee(cmd.Context(), a.Asking, o.scorer(cmd, shared), o.dryRun)
	if err != nil || o.dryRun {
		return outlook, err
	}
	if o.anyway {
		warn(cmd, outlook.Lacks...)
		return outlook, nil
	}
	return outlook, outlook.Complete()
}

// A scoredAnswers is a run that is done: its answers and the runs that scored them.
type scoredAnswers struct {
	*predict.Summary
	scored  []*eval.PlannedRun
	results []*document.Results // of scored
}

// do runs the model and scores its answers.
func (o *runOptions) do(cmd *cobra.Command, shared *session.Shared) (*scoredAnswers, error) {
	a, err := o.open(cmd, shared)
	if err != nil {
		return nil, err
	}
	if _, err := o.foreseeOpened(cmd, a, shared); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	answers, err := a.finish(cmd)
	if err != nil {
		return nil, err
	}
	done, few := &scoredAnswers{Summary: answers}, answers.Verdict(o.predict.MaxFailures)
	if o.noScore || len(answers.Words) == 0 {
		return done, few
	}
	e, err := o.scoring(cmd, answers)
	if err == nil {
		err = e.run(cmd, shared)
		done.scored, done.results = e.done, e.results
	}
	return done, errors.Join(err, few)
}
