package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/memory"
	"omniscope/internal/outfile"
	"omniscope/internal/progress"
	"omniscope/internal/visible"
	"omniscope/metric"
	"omniscope/results/repeat"
	"omniscope/results/report"
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/eval"
)

func newEval() *cobra.Command {
	eval := &cobra.Command{
		Use:   "eval BENCHMARK",
		Short: "Score captions or answers on a benchmark",
		Long: `Score what a system said on a benchmark. Each call to the judge is remembered in the journal
of --work-dir when its answer arrives: run the same command again after any interruption and it
goes on where it stopped, paying for nothing twice.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return omniscope.Usagef("name a benchmark: %s; see `omniscope eval --help`", strings.Join(commandNames(cmd), ", "))
		},
	}
	for _, open := range catalog.Benchmarks {
		if b := open(); b.Info().Command == "" {
			cmd, _ := newEvalBenchmark(b)
			eval.AddCommand(cmd)
		}
	}
	return eval
}

func newEvalBenchmark(b bench.Benchmark) (*cobra.Command, *evalOptions) {
	info := b.Info()
	cmd := &cobra.Command{
		Use:     info.Name + " FILE...",
		Short:   info.Title,
		Long:    longHelp(info),
		Example: info.Examples,
	}
	o := newEvalOptions(cmd.Flags(), b)
	addShard(cmd.Flags(), &o.shard)
	o.engine.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		o.Predictions = append(o.Predictions, args...)
		shared := &session.Shared{}
		defer func() { err = shared.End(err) }()
		if err := o.run(cmd, shared); err != nil {
			return err
		}
		return o.showNext(cmd)
	}
	return cmd, o
}

func (o *evalOptions) run(cmd *cobra.Command, shared *session.Shared) error {
	if err := o.prepare(cmd); err != nil {
		return err
	}
	p := &tokenProgress{w: cmd.ErrOrStderr(), quiet: o.NoProgress}
	defer p.stop()
	o.calls.Networks.Progress = p.tell
	switch {
	case len(o.Folders) > 0 && o.shard.N > 0:
		return omniscope.Usagef("--shard does a part of one run: name its files in place of --systems")
	case len(o.Folders) > 0:
		return o.evaluateFolders(cmd, shared, p)
	}
	return o.evaluateAll(cmd, shared, p)
}

// prepare finds the benchmark's file and checks the flags.
func (o *evalOptions) prepare(cmd *cobra.Command) error {
	data, err := findData(cmd, o.info, o.spec.Data, o.info.Files.DataNeeded && len(o.Folders) == 0)
	if err != nil {
		return err
	}
	o.spec.Data, o.calls.DryRun = data, o.DryRun
	return o.check()
}

// longHelp describes a benchmark.
func longHelp(info bench.Info) string {
	judge, keys := "", ""
	if info.Judge != "" && info.JudgeHelp == "" {
		judge = "Published judge: " + info.Judge + ". "
	}
	if info.Judge != "" {
		keys = "Step keys, for scripted judges and the journal: " + info.StepKeys + "."
	}
	text := fmt.Sprintf("%s (%s).\n%s%s.", info.Title, info.Paper, judge, info.Licence)
	for _, more := range []string{info.About, keys} {
		if more != "" {
			text += "\n\n" + more
		}
	}
	return text
}

// evaluateAll does every run that the flags ask for and compares them, if there
// are several. Too many failures in one keep no other from being done.
func (o *evalOptions) evaluateAll(cmd *cobra.Command, shared *session.Shared, p *tokenProgress) error {
	runs := o.runs()
	if len(runs) == 1 {
		return o.evaluate(cmd, runs[0], shared, p)
	}
	out := o.Out
	if o.Force || o.DryRun {
		out = ""
	}
	if err := eval.CheckRuns(cmd.Context(), runs, out, o.running(cmd, shared, p)); err != nil {
		return err
	}
	var dirs []string
	var failures error
	for _, r := range runs {
		err := o.evaluate(cmd, r, shared, p)
		if err != nil && !errors.Is(err, session.ErrTooManyFailures) {
			return err
		}
		failures = errors.Join(failures, err)
		dirs = append(dirs, r.Dir)
		fmt.Fprintln(cmd.OutOrStdout())
	}
	if o.DryRun || o.shard.N > 0 {
		return failures
	}
	if o.repeat > 1 {
		return errors.Join(o.showRepetitions(cmd, dirs), failures)
	}
	compared := &compareOptions{Profile: o.spec.Profile, Seed: o.spec.Seed, tablesOut: tablesOut{Out: o.Out, Force: true}} // checked before the first run
	return errors.Join(compared.run(cmd, dirs), failures)
}

// showRepetitions summarises the repetitions of each judge on each system. dirs are the folders of all of them in order.
func (o *evalOptions) showRepetitions(cmd *cobra.Command, dirs []string) error {
	for group := range slices.Chunk(dirs, o.repeat) {
		if err := showRepetitions(cmd, false, filepath.Dir(group[0]), o.info.Metric, group, o.spec.Seed); err != nil {
			return err
		}
	}
	return nil
}

// showRepetitions summarises the repetitions of a run and writes the summary to the folder out. dirs are the folders of the
// repetitions. With quiet it prints nothing.
func showRepetitions(cmd *cobra.Command, quiet bool, out string, m *metric.Metric, dirs []string, seed uint64) error {
	d, err := repeat.Of(cmd.Context(), dirs, repeat.Options{Metric: m, Seed: seed})
	if err != nil {
		return err
	}
	if err := d.Write(out); err != nil || quiet {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\nwritten to %s: %s\n", d.Text(), out, strings.Join(repeat.Files, " "))
	return err
}

// evaluate opens the inputs and scores them, or says what that would cost. The
// run's Dir is then where the results are.
func (o *evalOptions) evaluate(cmd *cobra.Command, r *eval.PlannedRun, shared *session.Shared, p *tokenProgress) (err error) {
	if o.info.Judge != "" {
		memory.KeepHeadroom(cmd.Context(), o.calls.MaxConcurrency)
	}
	running := o.running(cmd, shared, p)
	running.Out = r.Dir
	if text, asked, err := eval.Print(cmd.Context(), r.Spec, running); asked || err != nil {
		if err == nil {
			_, err = fmt.Fprintln(documentOut(cmd), text)
		}
		return err
	}
	open := func() (session.Units, error) { return eval.Open(cmd.Context(), r.Spec, running) }
	if o.shard.N > 0 && !o.DryRun {
		return doShard(cmd, &running.Machine, o.shard, o.NoProgress, open)
	}
	e, err := eval.Open(cmd.Context(), r.Spec, running)
	if err != nil {
		return err
	}
	if o.DryRun {
		return errors.Join(o.forecast(cmd, e), e.Close())
	}
	if err := e.Export(cmd.Context()); err != nil {
		return errors.Join(err, e.Close())
	}
	closeWork, err := o.engine.remotely(cmd, &running.Machine, o.NoProgress, open)
	if err != nil {
		return errors.Join(err, e.Close())
	}
	defer func() { err = errors.Join(err, closeWork()) }()
	if err := session.Finish(cmd.Context(), e, &running.Machine); err != nil {
		return err
	}
	r.Dir = e.Dir
	if err := o.show(cmd, r, e); err != nil {
		return err
	}
	return eval.Verdict(e.Info, e.Results, o.MaxFailures)
}

// evaluateFolders scores every file of predictions under the folders and shows
// tables of all.
func (o *evalOptions) evaluateFolders(cmd *cobra.Command, shared *session.Shared, tokens *tokenProgress) error {
	running := o.running(cmd, shared, tokens)
	running.Progress, running.Out = nil, o.Out
	c, err := eval.OpenCollection(cmd.Context(), o.baseSpec(), o.Folders, running)
	if err != nil {
		return err
	}
	for _, line := range c.LeftOut() {
		fmt.Fprintln(cmd.ErrOrStderr(), "left out:", line)
	}
	p := startProgress(cmd.ErrOrStderr(), o.NoProgress, len(c.Files()), nil)
	tokens.under = p
	err = c.Score(cmd.Context(), func(n int) {
		p.Done(n)
		p.Note("")
	})
	p.Stop()
	if err == nil && c.Tables != nil {
		err = o.showTables(cmd, c)
	}
	if err != nil {
		return err
	}
	return c.Verdict()
}

// showTables prints the tables of many files. Details are too many and too wide
// for a terminal.
func (o *evalOptions) showTables(cmd *cobra.Command, c *eval.Collection) error {
	out := cmd.OutOrStdout()
	if o.JSON {
		return c.Tables.JSON(visible.Unwrapped(out))
	}
	shown := *c.Tables
	shown.Tables = c.Shown
	width, color := visible.Terminal(out)
	if err := shown.Text(out, report.TextOptions{Width: width, Color: color}); err != nil {
		return err
	}
	folders := "a folder for the one file"
	if n := c.Scored(); n != 1 {
		folders = fmt.Sprintf("a folder for each of %d files", n)
	}
	_, err := fmt.Fprintf(out, "\nwritten to %s: tables.md tables.json details.csv, and %s\n", c.Dir, folders)
	return err
}

func (o *evalOptions) forecast(cmd *cobra.Command, e *eval.Evaluation) error {
	forecast, err := e.Forecast(cmd.Context())
	switch {
	case err != nil:
		return err
	case o.JSON:
		return outfile.JSON(documentOut(cmd), forecast)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), forecast.Text())
	return err
}

// running returns the options of the runs.
func (o *evalOptions) running(cmd *cobra.Command, shared *session.Shared, tokens *tokenProgress) *eval.Options {
	m := session.Machine{Calls: &o.calls, Shared: shared, Warnings: cmd.ErrOrStderr(), Force: o.Force, Progress: func(units int, state func() []string) *progress.Display {
		tokens.under = startProgress(cmd.ErrOrStderr(), o.NoProgress, units, state)
		return tokens.under
	}}
	return &eval.Options{Machine: m, MaxFailures: &o.MaxFailures, About: thisProgram()}
}

// show shows the results of a run.
func (o *evalOptions) show(cmd *cobra.Command, r *eval.PlannedRun, e *eval.Evaluation) error {
	o.done, o.results = append(o.done, r), append(o.results, e.Results)
	if o.first != nil && !o.JSON {
		if err := o.first(cmd.OutOrStdout(), e); err != nil {
			return err
		}
	}
	if err := printResults(cmd, o.JSON, e.Info, e.Results, o.inRun); err != nil || o.JSON {
		return err
	}
	if o.inRun {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "\nwritten to %s: %s\n", e.Dir, strings.Join(e.Results.Run.Files, " "))
		return err
	}
	return showEnd(cmd, e)
}
