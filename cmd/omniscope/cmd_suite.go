package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/predict"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/plot"
	"omniscope/internal/spelling"
	"omniscope/metric"
	"omniscope/model/ref"
	"omniscope/results"
	"omniscope/results/report"
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/eval"
	"omniscope/session/suite"
)

// suiteOptions are the flags of a command that does many runs.
type suiteOptions struct {
	Out    string
	Force  bool
	DryRun bool
	JSON   bool
	Repeat int // of each run, one after the other; 0 = once
}

// ofAll are flags that concern the runs of a suite together.
var ofAll = []string{"max-cost", "max-tokens", "max-calls", "work-dir", "prices", "no-progress"}

// ofSuites are flags that a run of a suite cannot have.
var ofSuites = []string{"out", "json", "sweep", "repeat", "dry-run", "force", "otel"}

func (o *suiteOptions) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.Out, "out", "o", "", "folder: tables.md, curves.html, and below it a folder for each run (default: WORK-DIR/suites/NAME)")
	f.BoolVar(&o.DryRun, "dry-run", false, "check everything, list the runs, and stop")
	f.BoolVar(&o.JSON, "json", false, "print the tables as JSON")
	addForce(f, &o.Force)
	addOtel(f)
}

// A suiteRun is the work of one such command.
type suiteRun struct {
	*suiteOptions
	cmd      *cobra.Command
	name     string
	steps    []suiteStep
	outcomes []suite.Outcome // of the steps
	metrics  map[string]*metric.Metric
}

// A suiteStep is a run of the suite: the command that does it.
type suiteStep struct {
	cmd *cobra.Command
	o   *runOptions
}

// runSuite does the runs of a suite. All of them are checked before the first.
func (o *suiteOptions) runSuite(cmd *cobra.Command, s *suite.Suite) error {
	w := &suiteRun{suiteOptions: o, cmd: cmd, name: s.Name, metrics: make(map[string]*metric.Metric)}
	if err := w.prepare(s); err != nil {
		return err
	}
	if err := w.checkOut(); err != nil {
		return err
	}
	if o.DryRun {
		return w.show()
	}
	err := w.all()
	return errors.Join(w.write(), err)
}

// prepare makes the commands of all runs.
func (w *suiteRun) prepare(s *suite.Suite) error {
	for _, b := range s.Benchmarks {
		if _, _, err := newRunOf(benchmarkOf(b)); err != nil {
			setting, _ := b.Get("benchmark")
			return atLine(setting, err)
		}
	}
	if err := checkAll(s); err != nil {
		return err
	}
	runs, err := s.Runs(hasFlag)
	if err != nil {
		return omniscope.Usagef("%v", err)
	}
	for _, r := range runs {
		step, err := w.step(&r)
		outcome := suite.Outcome{Run: r, State: suite.Waiting}
		switch {
		case errors.Is(err, predict.ErrOverBudget):
			outcome.State, outcome.Why = suite.LeftOut, err.Error()
		case err != nil:
			return fmt.Errorf("run %s: %w", r.Name, err)
		}
		w.steps, w.outcomes = append(w.steps, step), append(w.outcomes, outcome)
		w.metrics[r.Benchmark] = step.o.eval.info.Metric
	}
	if w.Out == "" {
		w.Out = filepath.Join(w.steps[0].o.predict.calls.WorkDir, "suites", w.name)
	}
	for i := range w.steps {
		w.steps[i].o.Out = filepath.Join(w.Out, filepath.FromSlash(runs[i].Name))
	}
	return nil
}

// checkAll refuses flags that stand in the wrong place.
func checkAll(s *suite.Suite) error {
	for _, entry := range slices.Concat([]suite.Settings{s.All}, s.Benchmarks, s.Models) {
		for _, f := range entry {
			if slices.Contains(ofSuites, f.Name) {
				return atLine(f, omniscope.Usagef("%s is a flag of the whole suite: give it on the command line", f.Name))
			}
		}
	}
	for _, entry := range slices.Concat(s.Benchmarks, s.Models) {
		for _, f := range entry {
			if slices.Contains(ofAll, f.Name) {
				return atLine(f, omniscope.Usagef("%s is for all runs together: write it under all", f.Name))
			}
		}
	}
	for _, f := range s.All {
		known := slices.ContainsFunc(s.Benchmarks, func(b suite.Settings) bool {
			return hasFlag(benchmarkOf(b), f.Name)
		})
		if !known {
			return atLine(f, omniscope.Usagef("no benchmark of this suite has a flag --%s%s", f.Name, nearFlag(benchmarkOf(s.Benchmarks[0]), f.Name)))
		}
	}
	return nil
}

func atLine(f suite.Setting, err error) error {
	if f.Line == 0 {
		return err
	}
	return &omniscope.Error{Kind: omniscope.KindOf(err), Err: fmt.Errorf("line %d: %w", f.Line, err)}
}

// newRunOf is the command that runs a model on a benchmark.
func newRunOf(benchmark string) (*cobra.Command, *runOptions, error) {
	for _, open := range catalog.Benchmarks {
		if b, ok := open().(bench.AnswerWriter); ok && b.Info().Name == benchmark {
			cmd, o := newRunBenchmark(b, open())
			return cmd, o, nil
		}
	}
	_, err := catalog.Benchmark(benchmark)
	if err == nil {
		err = omniscope.Usagef("omniscope does not run models on %s: see `omniscope run --help`", benchmark)
	}
	return nil, nil, err
}

func benchmarkOf(entry suite.Settings) string {
	name, _ := entry.Get("benchmark")
	return strings.Join(name.Values, ",")
}

// nearFlag offers the flag that was meant.
func nearFlag(benchmark, flag string) string {
	cmd, _, err := newRunOf(benchmark)
	if err != nil {
		return ""
	}
	return spelling.FlagHint("--"+flag, flagNames(cmd))
}

func hasFlag(benchmark, flag string) bool {
	cmd, _, err := newRunOf(benchmark)
	return err == nil && (cmd.Flags().Lookup(flag) != nil || isOfModel(cmd, flag))
}

// isOfModel reports whether a setting of a suite is one of the model's reference.
func isOfModel(cmd *cobra.Command, name string) bool {
	_, err := ref.Find(name)
	return cmd.Flags().Lookup(name) == nil && (err == nil || name == suite.ModelProfile)
}

// step makes the command of a run, and checks it.
func (w *suiteRun) step(r *suite.Run) (s suiteStep, err error) {
	if s.cmd, s.o, err = newRunOf(r.Benchmark); err != nil {
		return s, err
	}
	s.cmd.SetContext(w.cmd.Context())
	s.cmd.SetErr(io.Discard)    // what is said then is said again when it runs
	var ofModel []suite.Setting // once the model is known
	for i, f := range r.Settings {
		if slices.ContainsFunc(r.Settings[i+1:], func(later suite.Setting) bool { return later.Name == f.Name }) {
			continue
		}
		if isOfModel(s.cmd, f.Name) {
			ofModel = append(ofModel, f)
			continue
		}
		for _, value := range f.Values {
			if err := setFlag(s.cmd, f, value); err != nil {
				return s, err
			}
		}
	}
	for _, f := range ofModel {
		setting := ref.Setting{Key: f.Name, Value: strings.Join(f.Values, ",")}
		if setting.Key == suite.ModelProfile {
			setting.Key = "profile"
		}
		if err := s.o.predict.model.with(setting); err != nil {
			return s, atLine(f, err)
		}
	}
	err = s.o.check(s.cmd)
	s.cmd.SetErr(w.cmd.ErrOrStderr())
	return s, err
}

func setFlag(cmd *cobra.Command, f suite.Setting, value string) error {
	flags := cmd.Flags()
	if flags.Lookup(f.Name) == nil {
		return atLine(f, omniscope.Usagef("`omniscope run %s` has no flag --%s%s", cmd.Name(), f.Name, nearFlag(cmd.Name(), f.Name)))
	}
	if err := flags.Set(f.Name, value); err != nil {
		return atLine(f, omniscope.Usagef("%v", err))
	}
	return nil
}

// checkOut refuses a folder that holds something else.
func (w *suiteRun) checkOut() error {
	if w.Force {
		return nil
	}
	folders := []string{curvesFile}
	for _, o := range w.outcomes {
		top, _, _ := strings.Cut(o.Name, "/")
		folders = append(folders, top)
	}
	return eval.CheckTablesFolder(w.Out, w.names(), folders)
}

func (w *suiteRun) names() (names []string) {
	for _, o := range w.outcomes {
		names = append(names, o.Name)
	}
	return names
}

// all does the runs one after another, on one budget. One that fails stops no other;
// what concerns all of them does.
func (w *suiteRun) all() (err error) {
	shared := &session.Shared{}
	defer func() { err = shared.End(err) }()
	defer showSpent(w.cmd, shared)
	var failures []error
	for i := range w.outcomes {
		o := &w.outcomes[i]
		if o.State == suite.LeftOut {
			continue
		}
		fmt.Fprintf(w.cmd.ErrOrStderr(), "run %d of %d: %s\n", i+1, len(w.outcomes), o.Name)
		err := w.one(w.steps[i], o, shared)
		if err == nil {
			continue
		}
		if ctx := w.cmd.Context(); ctx.Err() != nil || omniscope.KindOf(err) == omniscope.Budget {
			o.State = suite.Waiting
			return err
		}
		failures = append(failures, err)
		if !errors.Is(err, session.ErrTooManyFailures) {
			o.State = suite.Failed
			fmt.Fprintf(w.cmd.ErrOrStderr(), "run %s failed: %v\n", o.Name, err)
		}
		o.Why = err.Error()
	}
	return failed(failures, len(w.outcomes))
}

// failed is the error of runs that came to no good end.
func failed(failures []error, runs int) error {
	if len(failures) == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d runs did not come to a good end; run the same command again to go on with them: %w", len(failures), runs, failures[len(failures)-1])
}

// one does a run. What it prints for people is kept beside its results.
func (w *suiteRun) one(s suiteStep, o *suite.Outcome, shared *session.Shared) error {
	if err := os.MkdirAll(s.o.Out, 0o755); err != nil {
		return err
	}
	text, err := os.Create(filepath.Join(s.o.Out, "report.txt"))
	if err != nil {
		return err
	}
	defer text.Close()
	out := forPeople(text)
	s.cmd.SetOut(out)
	done, err := s.o.do(s.cmd, shared)
	if done != nil {
		o.Sent = suite.SentOf(done.Predictions)
		if used := s.o.predict.used; used != nil {
			o.Sent.Took(used)
		}
	}
	if err == nil || errors.Is(err, session.ErrTooManyFailures) {
		o.State = suite.Done
		o.Results = resultsBelow(filepath.Join(s.o.Out, "results"))
	}
	return errors.Join(err, out.Flush(), text.Close())
}

// resultsBelow reads the results in a folder, or in those below it where several
// judges have one each.
func resultsBelow(dir string) (all []*document.Results) {
	folders := []string{dir}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, filepath.Join(dir, e.Name()))
		}
	}
	for _, folder := range folders {
		if r, err := eval.ResultsIn(folder); err == nil {
			all = append(all, &r)
		}
	}
	return all
}

const curvesFile = "curves.html"

func (w *suiteRun) comparison() report.Comparison {
	return report.Comparison{Title: w.name, Runs: w.names(), Tables: suite.Tables(w.outcomes, w.metrics), Warnings: []string{}}
}

// write writes the tables and curves, and shows the tables.
func (w *suiteRun) write() error {
	c := w.comparison()
	err := errors.Join(os.MkdirAll(w.Out, 0o755), outfile.WriteIn(w.Out, "tables.md", c.Markdown), outfile.WriteIn(w.Out, "tables.json", c.JSON))
	written := "tables.md tables.json"
	if charts := suite.Curves(w.outcomes, w.metrics); len(charts) > 0 {
		written += " " + curvesFile
		var notes []string
		for _, t := range c.Tables[1:] { // the first is of the runs
			notes = append(notes, t.Note)
		}
		err = errors.Join(err, outfile.WriteIn(w.Out, curvesFile, func(to io.Writer) error { return plot.CurvesPage(to, w.name, charts, notes...) }))
	}
	if err != nil {
		return err
	}
	if err := w.show(); err != nil {
		return err
	}
	if err := w.showRepetitions(); err != nil || w.JSON {
		return err
	}
	_, err = fmt.Fprintf(w.cmd.OutOrStdout(), "\nwritten to %s: %s, and a folder for each run\n", w.Out, written)
	return err
}

// showRepetitions summarises the repetitions of each run. It leaves out repetitions without scores.
func (w *suiteRun) showRepetitions() error {
	if w.Repeat < 2 {
		return nil
	}
	for first := 0; first < len(w.outcomes); first += w.Repeat {
		var dirs []string
		for i := first; i < first+w.Repeat; i++ {
			if dir := filepath.Join(w.steps[i].o.Out, "results"); ondisk.Exists(filepath.Join(dir, results.File)) && len(w.outcomes[i].Results) == 1 {
				dirs = append(dirs, dir)
			}
		}
		if len(dirs) < 2 {
			fmt.Fprintf(w.cmd.ErrOrStderr(), "no summary of repetitions of %s: %d of %d have results\n", path.Dir(w.outcomes[first].Name), len(dirs), w.Repeat)
			continue
		}
		if err := showRepetitions(w.cmd, w.JSON, filepath.Dir(w.steps[first].o.Out), w.metrics[w.outcomes[first].Benchmark], dirs, w.steps[first].o.eval.spec.Seed); err != nil {
			return err
		}
	}
	return nil
}

func (w *suiteRun) show() error {
	if w.JSON {
		return w.comparison().JSON(documentOut(w.cmd))
	}
	return printTables(w.cmd, w.comparison())
}
