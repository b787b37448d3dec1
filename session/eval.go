package session

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/filename"
	"omniscope/run/local"
)

// An Evaluation is a run of a benchmark, opened: its inputs are read and checked,
// and nothing was asked.
type Evaluation struct {
	Spec  *Spec
	Info  bench.Info
	Judge *Model
	Plan  *bench.Plan

	benchmark bench.Benchmark
	opened    bench.Evaluation
	calls     *Calls
}

// OpenEvaluation opens what the Spec names.
func OpenEvaluation(ctx context.Context, s *Spec, c *Calls, shared *Shared) (*Evaluation, error) {
	b, err := s.benchmark()
	if err != nil {
		return nil, err
	}
	judge, err := newModel(ctx, s.judge(), c, shared)
	if err != nil {
		return nil, err
	}
	return openEvaluation(ctx, s, c, b, judge)
}

func openEvaluation(ctx context.Context, s *Spec, c *Calls, b bench.Benchmark, judge *Model) (*Evaluation, error) {
	e := &Evaluation{Spec: s, Info: b.Info(), Judge: judge, benchmark: b, calls: c}
	if judge.Judge != nil && s.Profile == bench.Official.String() {
		judge.Judge.Attempts = e.Info.Asking.OfficialAttempts
	}
	in, err := s.inputs()
	if err != nil {
		return nil, err
	}
	in.Judge = judge.Judge
	if e.opened, err = b.Open(ctx, in); err != nil {
		return nil, err
	}
	e.Plan = e.opened.Plan()
	return e, nil
}

// Close closes the inputs.
func (e *Evaluation) Close() error { return e.opened.Close() }

// Name names the run by all that shapes its results, so that the same command
// finds its run again. What the files hold matters, not where they are; who
// answers matters, too, unless any endpoint will do. It is the Spec in its earlier
// form, and what that had no place for, so that runs keep their names.
func (e *Evaluation) Name() string {
	shaping := e.Spec.form1()
	shaping.Predictions, shaping.Data, shaping.Prompts, shaping.System = "", "", "", e.Plan.System
	source := e.Judge.Source
	if e.Judge.ByStep {
		shaping.Judge = "scripted" // its source is the script's digest
	} else if e.calls.AnyEndpoint {
		source = ""
	}
	text, _ := json.Marshal(shaping) // its numbers were checked to be finite
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n", text, source, e.Plan.Protocol, slices.Sorted(maps.Values(e.Plan.Inputs)))
	for _, p := range e.Plan.Prompts {
		fmt.Fprintln(h, p.Name, p.Digest)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Spec.Options)) {
		if name != "judge-mode" && name != "continue" {
			fmt.Fprintln(h, name, e.Spec.Options[name])
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// DefaultFolder is where the results go unless the user names a folder.
func (e *Evaluation) DefaultFolder() string {
	return filepath.Join(e.calls.WorkDir, "runs", strings.Join([]string{e.Spec.Benchmark, filename.Safe(e.Plan.System), e.Name()}, "-"))
}

// Running says how a run is done and shown.
type Running struct {
	Folder      *Folder // of the results
	Warnings    io.Writer
	MaxFailures float64 // share of samples whose judging may fail
	About       About
	// Progress is called before the first sample; done is called with the number
	// of samples that are done, and stop at the end.
	Progress func() (done func(int), stop func())
}

// About says which program did a run.
type About struct {
	Version string
	Command []string // without anything secret
}

// Run does the run on its journal and writes its results.
func (e *Evaluation) Run(ctx context.Context, o Running) (results *omniscope.Results, err error) {
	journal, err := e.openJournal(ctx, o.Warnings)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	for _, line := range e.Judge.announcement(Judge) {
		fmt.Fprintln(o.Warnings, line)
	}
	results, err = e.score(ctx, journal, o)
	if err != nil {
		warnOf(o.Warnings, e.Judge)
		return nil, errors.Join(err, journal.StoppedBy(err))
	}
	results.Run = omniscope.RunInfo{ID: e.Name(), Version: o.About.Version, Command: o.About.Command, Finished: time.Now().UTC(), Inputs: e.Plan.Inputs}
	e.describe(results, o.About)
	if err := journal.Complete(ctx, results, e.Judge.Price); err != nil {
		return nil, err
	}
	if err := o.Folder.Write(results, Pages(e.opened)); err != nil {
		return nil, err
	}
	if isOver(results, o.MaxFailures) {
		err = journal.EndFresh()
	}
	return results, err
}

// openJournal opens the run's journal; nil where no model is asked: the offline
// reader costs nothing and always answers the same.
func (e *Evaluation) openJournal(ctx context.Context, warnings io.Writer) (*Journal, error) {
	if e.Judge.Judge == nil {
		return nil, nil
	}
	manifest, err := e.Spec.manifest(e.Plan)
	if err != nil {
		return nil, err
	}
	return openJournal(ctx, e.calls, e.calls.MaxConcurrency+e.workers(), e.Name(), manifest, warnings)
}

func (e *Evaluation) score(ctx context.Context, journal *Journal, o Running) (_ *omniscope.Results, err error) {
	options := bench.Options{Seed: e.Spec.Seed, Engine: &local.Engine{Workers: e.workers()}}
	o.Folder.Gather(&options)
	if journal != nil {
		if options.Known, err = journal.Steps(ctx); err != nil {
			return nil, err
		}
		w := journal.watch(e.calls, e.Judge.Role)
		if err := e.Judge.watchedBy(w); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, w.end()) }()
		e.Judge.connect(e.calls, journal)
		options.Meter = e.Judge.Meter
	}
	if o.Progress != nil {
		done, stop := o.Progress()
		options.Done = done
		defer stop()
	}
	profile, _ := bench.ParseProfile(e.Spec.Profile)
	return bench.Score(ctx, e.benchmark, e.opened, profile, options)
}

// workers is how many samples are worked on at a time: more than calls are
// allowed, since an answer that is on its way to the disk holds no place at
// the endpoint. Samples that ask several questions at a time are fewer; each
// can be down to its last ones.
func (e *Evaluation) workers() int {
	if e.Judge.Judge == nil {
		return runtime.NumCPU()
	}
	return (e.calls.MaxConcurrency+e.calls.MaxConcurrency/8)/max(1, e.Info.Asking.AtOnce/2) + 32
}

// Pages are what an evaluation of a benchmark has to show.
func Pages(ev bench.Evaluation) []bench.Page {
	if e, ok := ev.(bench.Explainer); ok {
		return e.Explain().Pages
	}
	return nil
}
