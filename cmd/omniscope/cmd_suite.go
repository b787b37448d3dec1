package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/bench/predict"
	"omniscope/internal/ondisk"
	"omniscope/metric"
	"omniscope/results"
	"omniscope/session"
	"omniscope/session/eval"
	"omniscope/session/measure"
	"omniscope/session/suite"
)

// curvesFile is the page of curves of a suite, and of the command curve.
const curvesFile = suite.CurvesFile

// suiteOptions are the flags of a command that does many runs.
type suiteOptions struct {
	Out    string
	Force  bool
	DryRun bool
	JSON   bool
	Repeat int // of each run, one after the other; 0 = once
}

func (o *suiteOptions) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.Out, "out", "o", "", "folder: tables.md, curves.html, and below it a folder for each run (default: WORK-DIR/suites/NAME)")
	f.BoolVar(&o.DryRun, "dry-run", false, "check everything, list the runs with their calls, tokens and dollars, and stop")
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
func (o *suiteOptions) runSuite(cmd *cobra.Command, s *suite.Suite) (err error) {
	w := &suiteRun{suiteOptions: o, cmd: cmd, name: s.Name, metrics: make(map[string]*metric.Metric)}
	if err := w.prepare(s); err != nil {
		return err
	}
	shared := &session.Shared{}
	defer func() { err = shared.End(err) }()
	forecast, err := w.foresee(shared)
	if err != nil {
		return err
	}
	if o.DryRun {
		return w.showForecast(forecast)
	}
	err = suite.Do(cmd.Context(), w.outcomes, cmd.ErrOrStderr(), func(i int) error { return w.one(w.steps[i], &w.outcomes[i], shared) })
	return errors.Join(w.write(shared), err)
}

// prepare makes the commands of all runs.
func (w *suiteRun) prepare(s *suite.Suite) error {
	if err := s.Check(runFlags{}); err != nil {
		return err
	}
	runs, err := s.Runs(runFlags{}.Has)
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
	return w.checkOut()
}

// foresee opens and closes all runs: nothing is spent on the first before the last is known to be right. The forecast is empty
// without --dry-run.
func (w *suiteRun) foresee(shared *session.Shared) (*measure.Forecast, error) {
	f := measure.NewForecast()
	for i, s := range w.steps {
		o := &w.outcomes[i]
		if o.State == suite.LeftOut {
			continue
		}
		s.o.dryRun = w.DryRun
		s.cmd.SetErr(io.Discard) // what is printed now is printed again when it runs
		outlook, err := s.o.foresee(s.cmd, shared)
		s.cmd.SetErr(w.cmd.ErrOrStderr())
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", o.Name, err)
		}
		if w.DryRun {
			f.Add(o.Name, outlook)
		}
	}
	return f, nil
}

func (w *suiteRun) showForecast(f *measure.Forecast) error {
	for _, o := range w.outcomes {
		if o.State == suite.LeftOut {
			fmt.Fprintf(w.cmd.ErrOrStderr(), "left out: %s: %s\n", o.Name, o.Why)
		}
	}
	return showForecast(w.cmd, f, w.JSON)
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
	return eval.CheckTablesFolder(w.Out, suite.Names(w.outcomes), folders)
}

// one does a run. Its report is kept next to its results.
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

// write writes the tables and curves, and shows the tables.
func (w *suiteRun) write(shared *session.Shared) error {
	files, err := suite.Write(w.Out, w.name, w.outcomes, w.metrics)
	if err == nil {
		err = w.show()
	}
	if err == nil {
		err = w.showRepetitions()
	}
	if err != nil {
		return err
	}
	to := w.cmd.OutOrStdout()
	if w.JSON {
		to = w.cmd.ErrOrStderr()
	}
	w.conclude(to, files, shared)
	return nil
}

// conclude prints what the entire command took, where the results are, and what to run next.
func (w *suiteRun) conclude(to io.Writer, files string, shared *session.Shared) {
	fmt.Fprintln(to)
	line(to, "took", tookText(shared))
	line(to, "folder", fmt.Sprintf("%s: %s, and a folder for each run", w.Out, files))
	var dirs []string
	for i, o := range w.outcomes {
		if o.Benchmark == w.outcomes[0].Benchmark && len(o.Results) == 1 {
			dirs = append(dirs, filepath.Join(w.steps[i].o.Out, "results"))
		}
	}
	if len(dirs) > 1 && w.Repeat < 2 {
		line(to, "next", "omniscope compare "+strings.Join(dirs[:2], " "))
	} else {
		line(to, "next", "omniscope view "+w.Out)
	}
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
		if err := showRepetitions(w.cmd, w.JSON, filepath.Dir(w.steps[first].o.Out), w.metrics[w.outcomes[first].Benchmark], dirs, w.steps[first].o.predict.spec.Seed); err != nil {
			return err
		}
	}
	return nil
}

func (w *suiteRun) show() error {
	c := suite.Comparison(w.name, w.outcomes, w.metrics)
	if w.JSON {
		return c.JSON(documentOut(w.cmd))
	}
	return printTables(w.cmd, c)
}
