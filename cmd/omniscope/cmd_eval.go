package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/memory"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/progress"
	"omniscope/internal/visible"
	"omniscope/results/report"
	"omniscope/session"
	"omniscope/session/catalog"
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
		cmd, _ := newEvalBenchmark(open())
		eval.AddCommand(cmd)
	}
	eval.AddCommand(newEvalCascade())
	return eval
}

func newEvalBenchmark(b bench.Benchmark) (*cobra.Command, *evalOptions) {
	info := b.Info()
	cmd := &cobra.Command{
		Use:     info.Name + " --predictions FILE",
		Short:   info.Title,
		Long:    longHelp(info),
		Example: info.Examples,
		Args:    noFiles,
	}
	o := newEvalOptions(cmd.Flags(), b)
	addShard(cmd.Flags(), &o.shard)
	o.engine.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		shared := &session.Shared{}
		defer func() { err = shared.End(err) }()
		return o.run(cmd, shared)
	}
	return cmd, o
}

func (o *evalOptions) run(cmd *cobra.Command, shared *session.Shared) error {
	data, err := findData(cmd, o.info, o.spec.Data, o.info.Files.DataNeeded && len(o.Folders) == 0)
	if err != nil {
		return err
	}
	o.spec.Data = data
	if err := o.check(); err != nil {
		return err
	}
	o.calls.DryRun = o.DryRun
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

// noFiles refuses arguments, and says where a file belongs.
func noFiles(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && ondisk.Exists(args[0]) {
		return omniscope.Usagef("%s takes no argument, got the file %q: name it with --predictions, or with --data if it is the benchmark's", cmd.CommandPath(), args[0])
	}
	return exactArgs(0)(cmd, args)
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
	if err := session.CheckRuns(cmd.Context(), runs, out, &o.calls, shared); err != nil {
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
	compared := &compareOptions{Profile: o.spec.Profile, Seed: o.spec.Seed, tablesOut: tablesOut{Out: o.Out, Force: true}} // checked before the first run
	return errors.Join(compared.run(cmd, dirs), failures)
}

// evaluate opens the inputs and scores them, or says what that would cost. The
// run's Dir is then where the results are.
func (o *evalOptions) evaluate(cmd *cobra.Command, r *session.PlannedRun, shared *session.Shared, p *tokenProgress) (err error) {
	if o.info.Judge != "" {
		memory.KeepHeadroom(cmd.Context(), o.calls.MaxConcurrency)
	}
	if text, asked, err := session.Print(cmd.Context(), r.Spec, &o.calls, shared, o.Force); asked || err != nil {
		if err == nil {
			_, err = fmt.Fprintln(documentOut(cmd), text)
		}
		return err
	}
	e, err := session.OpenEvaluation(cmd.Context(), r.Spec, &o.calls, shared)
	if err != nil {
		return err
	}
	defer e.Close()
	if o.DryRun {
		return o.forecast(cmd, e)
	}
	if o.shard.N > 0 {
		w, err := e.Work(cmd.Context(), cmd.ErrOrStderr())
		if err != nil {
			return e.Judge.Explain(err)
		}
		return doShard(cmd, w, o.shard, e.Workers(), o.NoProgress)
	}
	if err := e.Export(cmd.Context(), o.Force); err != nil {
		return err
	}
	closeWork, err := o.engine.remotely(cmd, &o.calls, o.NoProgress, func() (*session.Work, error) { return e.Work(cmd.Context(), cmd.ErrOrStderr()) })
	if err != nil {
		return e.Judge.Explain(err)
	}
	defer func() { err = errors.Join(err, closeWork()) }()
	results, err := o.score(cmd, r, e, p)
	if err != nil {
		return err
	}
	return session.Verdict(e.Info, results, o.MaxFailures)
}

// evaluateFolders scores every file of predictions under the folders and shows
// tables of all.
func (o *evalOptions) evaluateFolders(cmd *cobra.Command, shared *session.Shared, tokens *tokenProgress) error {
	c, err := session.OpenCollection(cmd.Context(), o.baseSpec(), o.Folders, &o.calls, shared)
	if err != nil {
		return err
	}
	for _, line := range c.LeftOut() {
		fmt.Fprintln(cmd.ErrOrStderr(), "left out:", line)
	}
	p := startProgress(cmd.ErrOrStderr(), o.NoProgress, len(c.Files()), nil)
	tokens.under = p
	err = c.Score(cmd.Context(), o.Out, o.Force, session.Running{Warnings: cmd.ErrOrStderr(), About: thisProgram()}, func(n int) {
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
func (o *evalOptions) showTables(cmd *cobra.Command, c *session.Collection) error {
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

func (o *evalOptions) forecast(cmd *cobra.Command, e *session.Evaluation) error {
	forecast, err := e.Forecast(cmd.Context())
	o.forecasts = append(o.forecasts, forecast)
	switch {
	case err != nil:
		return err
	case o.JSON:
		return outfile.JSON(documentOut(cmd), forecast)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), forecast.Text())
	return err
}

// score does the run and shows its results.
func (o *evalOptions) score(cmd *cobra.Command, r *session.PlannedRun, e *session.Evaluation, tokens *tokenProgress) (*document.Results, error) {
	results, err := e.Run(cmd.Context(), session.Running{Dir: r.Dir, Force: o.Force, Warnings: cmd.ErrOrStderr(), MaxFailures: o.MaxFailures, About: thisProgram(),
		Progress: func(units int, state func() []string) *progress.Display {
			tokens.under = startProgress(cmd.ErrOrStderr(), o.NoProgress, units, state)
			return tokens.under
		}})
	if err != nil {
		return nil, err
	}
	r.Dir = e.Dir
	o.done = append(o.done, r)
	if err := printResults(cmd, o.JSON, e.Info, results); err != nil || o.JSON {
		return results, err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "\nwritten to %s: %s\n", e.Dir, strings.Join(results.Run.Files, " "))
	return results, err
}
