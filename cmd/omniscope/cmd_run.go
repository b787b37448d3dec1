package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/bench"
	"omniscope/catalog"
	"omniscope/session"
)

func newRun() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run a model on a benchmark and score what it answers",
		Long: `Do what 'omniscope predict' and then 'omniscope eval' do, with one budget: ask a model what a benchmark asks, and
score its answers. The same command goes on after any interruption, in either half, and pays for nothing twice.`,
		RunE: needsCommand,
	}
	for _, open := range catalog.Benchmarks {
		if b, ok := open().(bench.AnswerWriter); ok {
			cmd.AddCommand(newRunBenchmark(b, open()))
		}
	}
	return cmd
}

// A runOptions is the flags of both halves. Those that both have are given to both.
type runOptions struct {
	predict *predictOptions
	eval    *evalOptions
	scoring *pflag.FlagSet // of eval
	Out     string
}

func newRunBenchmark(asking bench.AnswerWriter, scoring bench.Benchmark) *cobra.Command {
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
	o.eval = newEvalOptions(o.scoring, scoring)
	o.scoring.VisitAll(func(flag *pflag.Flag) {
		if f.Lookup(flag.Name) == nil && !leftOut(flag) {
			f.AddFlag(flag)
		}
	})
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd) }
	return cmd
}

// leftOut reports whether a flag of eval has no place where the predictions are
// this command's own.
func leftOut(f *pflag.Flag) bool {
	name := f.Name
	if alias, ok := f.Value.(*aliasFlag); ok {
		name = alias.of
	}
	return slices.Contains([]string{"predictions", "caption-field", "systems", "dry-run", "scored", "write-output", "compat"}, name)
}

func (o *runOptions) run(cmd *cobra.Command) (err error) {
	p := o.predict
	if err := p.checkData(); err != nil {
		return err
	}
	folder := p.Out
	p.Out = filepath.Join(p.calls.WorkDir, "predictions") + string(filepath.Separator)
	if folder != "" {
		p.Out = folder + string(filepath.Separator)
	}
	shared := &session.Shared{}
	defer func() { err = errors.Join(err, shared.Close()) }()
	done, err := p.predict(cmd, shared)
	if err != nil {
		return err
	}
	few := done.Verdict(p.MaxFailures)
	if len(done.Words) == 0 {
		return few
	}
	fmt.Fprintln(cmd.OutOrStdout())
	if err := o.setScoring(cmd, done, folder); err != nil {
		return err
	}
	return errors.Join(o.eval.run(cmd, shared), few)
}

// setScoring gives eval the answers, what they are scored with, and the flags that
// both halves have.
func (o *runOptions) setScoring(cmd *cobra.Command, done *session.Predicted, folder string) error {
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
		if list, ok := given.Value.(pflag.SliceValue); ok {
			for _, value := range list.GetSlice() {
				errs = append(errs, o.scoring.Set(f.Name, value))
			}
			return
		}
		errs = append(errs, o.scoring.Set(f.Name, given.Value.String()))
	})
	return errors.Join(errs...)
}
