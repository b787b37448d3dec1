package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/capricorn"
	"omniscope/bench/mcif"
	"omniscope/catalog"
	"omniscope/model/wrap"
)

func newEval() *cobra.Command {
	eval := &cobra.Command{
		Use:   "eval BENCHMARK",
		Short: "Score captions or answers on a benchmark",
		Long: `Score what a system said on a benchmark. Each call to the judge is remembered in the journal
of --work-dir when its answer arrives: run the same command again after any interruption and it
goes on where it stopped, paying for nothing twice.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("name a benchmark: %s; see `omniscope eval --help`", strings.Join(commandNames(cmd), ", "))
		},
	}
	for _, b := range catalog.Benchmarks {
		switch b.(type) {
		case mcif.Benchmark:
			eval.AddCommand(newEvalMCIF())
		default:
			eval.AddCommand(newEvalBenchmark(b))
		}
	}
	return eval
}

// examples of the benchmarks that a judge scores.
var examples = map[string]string{
	"omni-cloze": `  omniscope eval omni-cloze --predictions rows.jsonl
  omniscope eval omni-cloze --data omni_cloze.jsonl --predictions captions.csv --judge openai/gpt-4o-2024-11-20 --dry-run
  omniscope eval omni-cloze -p rows.jsonl --judge openai/my-model --judge-base-url http://localhost:8000/v1 -j 256`,
	"capricorn": `  omniscope eval capricorn --data annotations.jsonl --predictions captions.jsonl
  omniscope eval capricorn -d annotations.jsonl -p captions.jsonl --judge openai/gpt-4.1 --judge-mode batched --dry-run
  omniscope eval capricorn -d annotations.jsonl -p a.jsonl -p b.jsonl --judge openai/gpt-4.1 --judge openai/qwen3 --out ablation
  omniscope eval capricorn -d annotations.jsonl -p captions.jsonl --judge openai/gpt-4.1 --profile official --continue published/`,
}

func newEvalBenchmark(b bench.Benchmark) *cobra.Command {
	info := b.Info()
	o := &evalOptions{Benchmark: info.Name}
	cmd := &cobra.Command{
		Use:   info.Name + " --predictions FILE",
		Short: info.Title,
		Long: fmt.Sprintf(`%s (%s).
Published judge: %s. %s.

Step keys, for scripted judges and the journal: %s.`, info.Title, info.Paper, info.Judge, info.Licence, info.StepKeys),
		Example: examples[info.Name],
		Args:    noFiles,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return evaluateAll(cmd, o.configured(b), o)
		},
	}
	o.addFlags(cmd.Flags(), info)
	if _, ok := b.(capricorn.Benchmark); ok {
		o.addCapricornFlags(cmd.Flags())
	}
	return cmd
}

// noFiles refuses arguments, and says where a file belongs.
func noFiles(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && exists(args[0]) {
		return usagef("%s takes no argument, got the file %q: name it with --predictions, or with --data if it is the benchmark's", cmd.CommandPath(), args[0])
	}
	return exactArgs(0)(cmd, args)
}

// evaluateAll does every run that the options ask for and compares them, if
// there are several. Too many failures in one keep no other from being done.
func evaluateAll(cmd *cobra.Command, b bench.Benchmark, o *evalOptions) error {
	o.budget = &wrap.Budget{MaxUSD: o.MaxCost, MaxTokens: o.MaxTokens, MaxCalls: o.MaxCalls}
	o.reaches = &reaches{}
	runs := o.runs()
	if len(runs) == 1 {
		return evaluate(cmd, b, runs[0])
	}
	if err := checkRuns(cmd, b, o, runs); err != nil {
		return err
	}
	var dirs []string
	var failures error
	for _, one := range runs {
		err := evaluate(cmd, b, one)
		if err != nil && !errors.Is(err, errTooManyFailures) {
			return err
		}
		failures = errors.Join(failures, err)
		dirs = append(dirs, one.Out)
		fmt.Fprintln(cmd.OutOrStdout())
	}
	if o.DryRun {
		return nil
	}
	compared := &compareOptions{Profile: o.Profile, Seed: o.Seed, Out: o.Out, Force: true} // checked before the first run
	return errors.Join(compared.run(cmd, dirs), failures)
}

// checkRuns checks the inputs and folders of all runs: nothing is spent on the
// first before the last is known to be right.
func checkRuns(cmd *cobra.Command, b bench.Benchmark, o *evalOptions, runs []*evalOptions) error {
	var ids, folders []string
	for _, one := range runs {
		id, err := checkInputs(cmd, b, one)
		if err == nil && o.Out != "" && !o.Force && !o.DryRun {
			err = checkOutFolder(one.Out, id)
		}
		if err != nil {
			return err
		}
		ids, folders = append(ids, id), append(folders, filepath.Base(one.Out))
	}
	if o.Out == "" || o.Force || o.DryRun {
		return nil
	}
	return checkTablesFolder(o.Out, ids, append(folders, ownIn(o.Out, o.WorkDir)...))
}

// checkInputs opens a run's inputs and closes them again. It returns the run's
// id.
func checkInputs(cmd *cobra.Command, b bench.Benchmark, o *evalOptions) (id string, err error) {
	j, err := newJudging(cmd.Context(), o)
	if err != nil {
		return "", err
	}
	in, err := o.inputs()
	if err != nil {
		return "", err
	}
	in.Judge = j.judge
	ev, err := b.Open(cmd.Context(), in)
	if err != nil {
		return "", err
	}
	return runName(o, j, ev.Plan()), ev.Close()
}

// evaluate opens the inputs and scores them, or says what that would cost. Out
// is then where the results are.
func evaluate(cmd *cobra.Command, b bench.Benchmark, o *evalOptions) error {
	j, err := newJudging(cmd.Context(), o)
	if err != nil {
		return err
	}
	in, err := o.inputs()
	if err != nil {
		return err
	}
	in.Judge = j.judge
	keepHeadroom(cmd.Context(), headroomFor(o.MaxConcurrency))
	ev, err := b.Open(cmd.Context(), in)
	if err != nil {
		return err
	}
	defer ev.Close()
	if o.DryRun {
		return forecast(cmd, o, j, ev)
	}
	results, err := runEval(cmd, b, o, j, ev)
	if err != nil {
		return j.explain(err)
	}
	return verdictOf(results, o.MaxFailures)
}

// verdictOf is an error when the run is done but too many of its calls failed.
func verdictOf(r *omniscope.Results, allowed float64) error {
	failed := 0
	for _, outcome := range []omniscope.Outcome{omniscope.Failed, omniscope.Refused, omniscope.Unparsed, omniscope.Truncated} {
		failed += r.Outcomes[outcome.String()]
	}
	switch {
	case r.Status == omniscope.NoScore:
		return fmt.Errorf("%w: no score, none of %d samples could be judged", errTooManyFailures, r.Samples)
	case failed > 0 && failed == r.Samples:
		return fmt.Errorf("%w: no usable reply to any of %d samples; what the official profile scores is \"not given\" that nobody said, and strict has no score", errTooManyFailures, r.Samples)
	case float64(failed) > allowed*float64(r.Samples):
		return fmt.Errorf("%w: judging failed for %d of %d samples, more than --max-failures %g allows%s",
			errTooManyFailures, failed, r.Samples, allowed, askAgain(r.Outcomes))
	}
	return nil
}

// askAgain says what the same command would do about failed samples: calls
// without an answer are made again, answers that cannot be used were paid for.
func askAgain(outcomes map[string]int) string {
	if n := outcomes[omniscope.Failed.String()]; n > 0 {
		return fmt.Sprintf("; run the same command again to ask again for the %d without an answer", n)
	}
	return "; the answers are remembered, --fresh asks for new ones"
}
