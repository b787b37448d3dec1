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
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/predict"
	"omniscope/session/suite"
)

func newRun() *cobra.Command {
	o := &suiteOptions{}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run models on benchmarks and score what they answer",
		Long: `Do what 'omniscope predict' and then 'omniscope eval' do, with one budget: ask a model what a benchmark asks, and
score its answers. The same command goes on after any interruption, in either half, and pays for nothing twice.

'omniscope run SUITE.yaml' does many such runs, every model on every benchmark, and shows one table of each
benchmark at the end; docs/suites.md says what the file holds. --sweep does one run for each value of a flag.`,
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
	cmd.Flags().Bool("no-progress", false, "show no progress")
	for _, open := range catalog.Benchmarks {
		if b, ok := open().(bench.AnswerWriter); ok {
			one, _ := newRunBenchmark(b, open())
			cmd.AddCommand(one)
		}
	}
	return cmd
}

// givenSettings are the flags that were given, but those of a suite.
func givenSettings(cmd *cobra.Command) (settings suite.Settings) {
	ofAllCommands := cmd.InheritedFlags()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(ofSuites, f.Name) || ofAllCommands.Lookup(f.Name) != nil {
			return
		}
		settings = append(settings, suite.Setting{Name: otherName(cmd, f).Name, Values: valuesOf(f.Value)})
	})
	return settings
}

// A runOptions is the flags of both halves. Those that both have are given to both.
type runOptions struct {
	predict *predictOptions
	eval    *evalOptions
	scoring *pflag.FlagSet // of eval
	Out     string
	sweep   []string
	repeat  int
}

func newRunBenchmark(asking bench.AnswerWriter, scoring bench.Benchmark) (*cobra.Command, *runOptions) {
	info := asking.Info()
	o := &runOptions{predict: &predictOptions{}, scoring: pflag.NewFlagSet(info.Name, pflag.ContinueOnError)}
	cmd := &cobra.Command{
		Use:     info.Name + " --model PROVIDER/NAME --data FILE --media FOLDER",
		Short:   info.Title,
		Long:    fmt.Sprintf("Run a model on %s (%s) and score its answers.\n%s.", info.Title, info.Paper, info.Licence),
		Example: fmt.Sprintf("  omniscope run %s --data FILE --media clips --model vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct", info.Name),
		Args:    exactArgs(0),
	}
	o.predict.spec.Benchmark = info.Name
	f := cmd.Flags()
	o.predict.addDataFlags(f)
	o.predict.addFlags(f, "")
	out := f.Lookup("out")
	out.Usage = "folder: the answers and what was sent are below it, the results in its folder results (default: below\n--work-dir)"
	f.StringArrayVar(&o.sweep, "sweep", nil, "one run for each value of a flag: frames=50,100,200, pixels=..., inquiries=1..10, or any flag by its name;\nseveral times for each with each. Tables and curves of all runs are in --out")
	f.IntVar(&o.repeat, "repeat", 1, "ask the model N times, each time with another seed, and show mean, spread and stability of the scores")
	f.IntVar(&o.predict.spec.Repetition, suite.Repetition, 0, "which repetition of a repeated run this is")
	f.Lookup(suite.Repetition).Hidden = true
	o.eval = newEvalOptions(o.scoring, scoring)
	o.scoring.VisitAll(func(flag *pflag.Flag) {
		if f.Lookup(flag.Name) == nil && !leftOut(flag) {
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
	return slices.Contains([]string{"predictions", "caption-field", "systems", "dry-run", "scored", "write-output", "compat", "repeat"}, name)
}

func (o *runOptions) run(cmd *cobra.Command) (err error) {
	o.Out = o.predict.Out
	if err := checkRules([]rule{
		{o.repeat < 1, "--repeat must be at least 1"},
		{o.repeat > 1 && len(o.eval.judge.roles) > 1, "--repeat is for one judge: the answers differ, and each judge would judge all of them"},
	}); err != nil {
		return err
	}
	if len(o.sweep) > 0 || o.repeat > 1 {
		return o.runSweep(cmd)
	}
	shared := &session.Shared{}
	defer func() { err = shared.End(err) }()
	_, err = o.do(cmd, shared)
	showSpent(cmd, shared)
	return err
}

// showSpent prints what all parts of a command spent.
func showSpent(cmd *cobra.Command, shared *session.Shared) {
	if text := shared.Spent(); text != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "this command:", text)
	}
}

// runSweep does a run for each point of the sweep.
func (o *runOptions) runSweep(cmd *cobra.Command) error {
	if o.predict.model.model() == "" {
		return o.predict.checkModel(cmd)
	}
	given := givenSettings(cmd)
	isModel := func(f suite.Setting) bool { return f.Name == "model" || f.Name == "system" }
	s := &suite.Suite{Name: o.predict.spec.Benchmark, All: slices.DeleteFunc(slices.Clone(given), isModel),
		Models:     []suite.Settings{slices.DeleteFunc(given, func(f suite.Setting) bool { return !isModel(f) })},
		Benchmarks: []suite.Settings{{{Name: "benchmark", Values: []string{o.predict.spec.Benchmark}}}}}
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
	return (&suiteOptions{Repeat: o.repeat, Out: o.Out, Force: o.predict.Force, JSON: o.eval.JSON}).runSuite(cmd, s)
}

// check checks the flags of both halves as far as they can be checked before there
// are answers.
func (o *runOptions) check(cmd *cobra.Command) error {
	o.setOut()
	if err := o.checkScoring(cmd); err != nil {
		return err
	}
	return o.predict.check(cmd)
}

// setOut says where the answers go.
func (o *runOptions) setOut() {
	folder := o.Out
	if folder == "" {
		folder = filepath.Join(o.predict.calls.WorkDir, "predictions")
	}
	o.predict.Out = folder + string(filepath.Separator)
}

// checkScoring checks what the first half does not need and the second does.
func (o *runOptions) checkScoring(cmd *cobra.Command) error {
	if err := o.predict.findData(cmd); err != nil || o.eval.info.Judge == "" {
		return err
	}
	return o.eval.judge.check()
}

// do runs the model and scores its answers.
func (o *runOptions) do(cmd *cobra.Command, shared *session.Shared) (*predict.Summary, error) {
	p := o.predict
	o.setOut()
	if err := o.checkScoring(cmd); err != nil {
		return nil, err
	}
	done, err := p.predict(cmd, shared)
	if err != nil {
		return nil, err
	}
	few := done.Verdict(p.MaxFailures)
	if len(done.Words) == 0 {
		return done, few
	}
	fmt.Fprintln(cmd.OutOrStdout())
	if err := o.setScoring(cmd, done, o.Out); err != nil {
		return done, err
	}
	return done, errors.Join(o.eval.run(cmd, shared), few)
}

// setScoring gives eval the answers, what they are scored with, and the flags that
// both halves have.
func (o *runOptions) setScoring(cmd *cobra.Command, done *predict.Summary, folder string) error {
	values := map[string]string{"predictions": done.File, "system": done.System}
	if o.scoring.Lookup("modality") != nil && string(o.predict.spec.Modality) != "text" {
		values["modality"] = string(o.predict.spec.Modality)
	}
	if folder != "" {
		values["out"] = filepath.Join(folder, "results")
	}
	for name, value := range done.ScoredWith {
		values[name] = value
	}
	var errs []error
	o.scoring.VisitAll(func(f *pflag.Flag) {
		given := cmd.Flags().Lookup(f.Name)
		if value, ok := values[f.Name]; ok && (given != f || !f.Changed) {
			errs = append(errs, o.scoring.Set(f.Name, value))
			return
		}
		if given == nil || given == f || !given.Changed || f.Name == "out" || f.Name == "data" {
			return
		}
		for _, value := range valuesOf(given.Value) {
			errs = append(errs, o.scoring.Set(f.Name, value))
		}
	})
	return errors.Join(errs...)
}
