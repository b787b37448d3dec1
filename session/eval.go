package session

import (
	"bytes"
	"cmp"
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
	"omniscope/bench/document"
	"omniscope/internal/filename"
	"omniscope/internal/progress"
	"omniscope/internal/sha256hex"
	"omniscope/model/wrap"
	"omniscope/run/journal"
	"omniscope/run/local"
)

// An Evaluation is a run of a benchmark, opened: its inputs are read and checked,
// and nothing was asked.
type Evaluation struct {
	Spec      *Spec
	Info      bench.Info
	Judge     *Model     // nil where the benchmark asks no judge
	chain     chain      // further models
	observers *observers // nil where no clip is observed
	Plan      *bench.Plan
	Dir       string // of the results, once they are written

	benchmark  bench.Benchmark
	opened     bench.Evaluation
	calls      *Calls
	shared     *Shared
	networks   *networks
	log        *harnessLog        // nil = the predictions are in the benchmark's own form
	exam       *document.ExamInfo // of the judge; nil = it was not examined
	unexamined error              // why it could not be asked
	leftOut    bytes.Buffer       // warnings of tools that do not work here, and what another harness's log lacks
}

// OpenEvaluation opens what the Spec names.
func OpenEvaluation(ctx context.Context, s *Spec, c *Calls, shared *Shared) (*Evaluation, error) {
	b, err := s.benchmark()
	if err != nil {
		return nil, err
	}
	said := s.takeModality(ctx, b)
	if b, err = s.benchmark(); err != nil { // with the options that are known now
		return nil, err
	}
	e := newEvaluation(s, c, b, shared)
	switch role := s.judge(); {
	case role == nil && e.Info.Judge != "":
		return nil, noRole(Judge)
	case role != nil:
		if e.Judge, err = newModel(ctx, role, c, shared); err != nil {
			return nil, err
		}
	}
	if unknown := s.unknownRoles(e.Info); len(unknown) > 0 {
		return nil, omniscope.Usagef("%s has no role %s", e.Info.Name, strings.Join(unknown, ", "))
	}
	if err := e.openRoles(ctx, func(r *Role) (*Model, error) { return newModel(ctx, r, c, shared) }); err != nil {
		return nil, err
	}
	if err := e.open(ctx); err != nil {
		return nil, err
	}
	e.Plan.Warnings = append(e.Plan.Warnings, said...)
	return e, nil
}

func newEvaluation(s *Spec, c *Calls, b bench.Benchmark, shared *Shared) *Evaluation {
	return &Evaluation{Spec: s, Info: b.Info(), benchmark: b, calls: c, shared: shared, networks: &networks{shared: &shared.networks, options: c.Networks}}
}

// openRoles opens the models beside the judge, and the tools that look at clips.
func (e *Evaluation) openRoles(ctx context.Context, open func(*Role) (*Model, error)) (err error) {
	if e.chain, err = openChain(ctx, e.Spec, e.Info, open); err != nil || !e.Info.Observes {
		return err
	}
	e.observers, err = openObservers(ctx, e.Spec, e.calls, e.shared, open, &e.leftOut)
	return err
}

// open opens the inputs.
func (e *Evaluation) open(ctx context.Context) error {
	in, err := e.inputs()
	if err != nil {
		return err
	}
	in.Roles = e.chain.judges()
	if e.Judge != nil && e.Judge.Judge != nil {
		if in.Judge = e.Judge.Judge; e.Spec.Profile == bench.Official.String() {
			in.Judge.Attempts = e.Info.Asking.OfficialAttempts
			if in.Judge.Schema {
				return omniscope.Usagef("--judge-schema is for --profile strict: official sends the published requests")
			}
		}
	}
	if ctx, e.log, err = e.openHarnessLog(ctx, &in); err != nil {
		return err
	}
	noted := e.readDetails(ctx, &in)
	if e.opened, err = e.benchmark.Open(ctx, in); err != nil {
		return errors.Join(err, e.log.close())
	}
	e.Plan = e.opened.Plan()
	e.Plan.Warnings = append(e.Plan.Warnings, noted...)
	e.log.tell(in.Predictions, &e.leftOut, e.Plan)
	return nil
}

// inputs are the Spec's, with what this machine has for them.
func (e *Evaluation) inputs() (bench.Inputs, error) {
	in, err := e.Spec.inputs()
	in.Download = download
	if e.Info.Networks {
		in.Networks = e.networks
	}
	if e.Info.Observes {
		in.Observers = e.observers
	}
	return in, err
}

// models are those that the run asks.
func (e *Evaluation) models() []*Model {
	if e.Judge == nil || e.Judge.Judge == nil {
		return e.others()
	}
	return append([]*Model{e.Judge}, e.others()...)
}

// others are the models beside the judge.
func (e *Evaluation) others() chain {
	if e.observers == nil {
		return e.chain
	}
	return slices.Concat(e.chain, e.observers.models)
}

// paid are the models that the run asks, and its transcriber.
func (e *Evaluation) paid() []*Model {
	if t := e.transcriber(); t != nil {
		return append(slices.Clone(e.models()), t.Model)
	}
	return e.models()
}

// asks reports whether the run asks any model.
func (e *Evaluation) asks() bool { return len(e.paid()) > 0 }

// Close closes the inputs.
func (e *Evaluation) Close() error { return errors.Join(e.opened.Close(), e.log.close()) }

// Name names the run by all that shapes its results, so that the same command
// finds its run again. What the files hold matters, not where they are; who
// answers matters, too, unless any endpoint will do. It is the Spec in its earlier
// form, and what that had no place for, so that runs keep their names.
func (e *Evaluation) Name() string {
	if e.Judge == nil {
		return e.nameWithoutJudge()
	}
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
	if route := e.Judge.Role.Route; route != "" {
		fmt.Fprintln(h, "route", route)
	}
	e.chain.name(h, e.calls.AnyEndpoint)
	e.observers.name(h, e.calls.AnyEndpoint)
	for _, name := range slices.Sorted(maps.Keys(e.Spec.Options)) {
		if name != "judge-mode" && name != "continue" {
			fmt.Fprintln(h, name, e.Spec.Options[name])
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// nameWithoutJudge names a run that asks no judge.
func (e *Evaluation) nameWithoutJudge() string {
	s, p := e.Spec, e.Plan
	shaping := []any{p.System, p.Protocol, p.Data, slices.Sorted(maps.Values(p.Inputs)), s.Profile}
	for _, o := range bench.OptionsOf(e.benchmark) {
		if !o.InPlan && !o.Display {
			shaping = append(shaping, o.Value)
		}
	}
	if len(e.chain) > 0 {
		var models strings.Builder
		e.chain.name(&models, e.calls.AnyEndpoint)
		shaping = append(shaping, models.String())
	}
	return digestOf(append(shaping, s.Limit, s.SampleIDs, s.Seed)...)
}

// digestOf names a run by all that shapes it.
func digestOf(shaping ...any) string {
	return sha256hex.Of(fmt.Appendln(nil, shaping...))[:12]
}

// defaultFolder is where the results go unless the user names a folder.
func (e *Evaluation) defaultFolder() string {
	return filepath.Join(e.calls.WorkDir, "runs", strings.Join([]string{e.Spec.Benchmark, filename.Safe(e.Plan.System), e.Name()}, "-"))
}

// Running says how a run is done and shown.
type Running struct {
	Dir         string // of the results; "" = the usual one
	Force       bool   // write to Dir whatever it holds
	Warnings    io.Writer
	MaxFailures float64  // share of samples whose judging may fail
	Notes       []string // that belong into the results' warnings
	About       About
	// Progress shows how many samples are done; nil = nothing is shown.
	Progress func(units int, state func() []string) *progress.Display
}

// About says which program did a run.
type About struct {
	Version string
	Command []string // without anything secret
}

// Run does the run on its journal and writes its results.
func (e *Evaluation) Run(ctx context.Context, o Running) (results *document.Results, err error) {
	e.Dir = cmp.Or(o.Dir, e.defaultFolder())
	d, err := openFolder(e.Dir, e.Info, func() error {
		if o.Force || o.Dir == "" {
			return nil
		}
		return checkFolder(e.Dir, e.Name(), ownIn(e.Dir, e.calls.WorkDir)...)
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	journal, err := e.openJournal(ctx, o.Warnings)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	if results, err = e.scored(ctx, journal, d, o); err != nil {
		if e.asks() {
			warnOf(o.Warnings, e.paid()...)
		}
		return nil, err
	}
	results.Run = document.RunInfo{ID: e.Name(), Version: o.About.Version, Command: o.About.Command, Finished: time.Now().UTC(), Inputs: e.Plan.Inputs}
	results.Warnings = append(append(results.Warnings, o.Notes...), e.shared.networks.cacheWarnings()...)
	e.describe(results, o.About)
	if e.asks() {
		if err := journal.Complete(ctx, results, e.price()); err != nil {
			return nil, err
		}
	}
	if err := d.write(results, pages(e.opened)); err != nil {
		return nil, err
	}
	if e.asks() && isOver(e.Info, results, o.MaxFailures) {
		err = journal.EndFresh()
	}
	return results, err
}

// openJournal opens the run's journal; nil where no model is asked and no network
// computes what is to be remembered: all else costs nothing and is always the
// same.
func (e *Evaluation) openJournal(ctx context.Context, warnings io.Writer) (*Journal, error) {
	computes := e.networks.used && !e.calls.Networks.NoCache || e.Info.Observes
	if !e.asks() && !computes {
		return nil, nil
	}
	manifest, err := e.Spec.manifest(e.Plan)
	if err != nil {
		return nil, err
	}
	d := journal.Description{Name: e.Name(), Kind: evalKind, Manifest: manifest}
	if !e.asks() {
		return openScores(ctx, e.calls.JournalAt(), d, warnings)
	}
	return openRun(ctx, e.calls, e.calls.MaxConcurrency+e.Workers(), d, warnings)
}

// connect has the journal remember what the judge and the networks do. nil
// remembers nothing.
func (e *Evaluation) connect(journal *Journal) {
	if journal == nil {
		return
	}
	e.networks.once = journal.Once(false)
	if e.observers != nil {
		e.observers.once = journal.Once(e.calls.AnyEndpoint)
	}
	for _, m := range e.models() {
		m.connect(journal.Once(e.calls.AnyEndpoint))
		journal.share(m)
	}
	if t := e.transcriber(); t != nil {
		journal.share(t.Model)
	}
}

// transcriber is the observers' one; nil = none.
func (e *Evaluation) transcriber() *transcriber {
	if e.observers == nil {
		return nil
	}
	return e.observers.engine
}

// price is that of answers whose own is not in the journal; nil where it is not
// known, or depends on who answered.
func (e *Evaluation) price() *wrap.Price {
	if models := e.paid(); len(models) == 1 {
		return models[0].Price
	}
	return nil
}

// scored does all units and adds up their counts.
func (e *Evaluation) scored(ctx context.Context, journal *Journal, d *folder, o Running) (_ *document.Results, err error) {
	options := bench.Options{Seed: e.Spec.Seed}
	d.gather(&options)
	if e.asks() {
		if options.Known, err = journal.Steps(ctx); err != nil {
			return nil, err
		}
		options.Meters = metersOf(e.paid())
	}
	var scorer *bench.Scorer
	w := e.work(journal, o.Warnings, func(ctx context.Context, unit int) (*bench.Result, error) { return scorer.Do(ctx, unit) })
	if err := e.examine(ctx, o.Warnings); err != nil {
		return nil, errors.Join(err, journal.StoppedBy(err))
	}
	end, err := e.watch(journal) // after the examination: its answers do not count
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	if o.Progress != nil {
		display := o.Progress(w.Units, w.State)
		defer display.Stop()
		options.Done = display.Done
	}
	scorer = bench.NewScorer(e.benchmark, e.opened, options)
	if err := w.DoAll(ctx, &local.Engine{Workers: e.Workers()}, scorer.Units(), func() {}); err != nil {
		return nil, err
	}
	profile, _ := bench.ParseScoring(e.Spec.Profile)
	return scorer.Results(profile), nil
}

// announce says whom the run asks, before anything is paid for.
func (e *Evaluation) announce(w io.Writer) {
	fmt.Fprint(w, e.leftOut.String())
	var lines []string
	for _, m := range e.models() {
		lines = append(lines, m.announcement(m.Role.Name)...)
	}
	lines = append(lines, e.transcriber().announcement()...)
	for i, line := range lines {
		if !slices.Contains(lines[:i], line) {
			fmt.Fprintln(w, line)
		}
	}
}

// watch watches the first answers of each model, until end is called.
func (e *Evaluation) watch(journal *Journal) (end func() error, err error) {
	var watches []*watch
	for _, m := range e.models() {
		w := journal.watch(e.calls, m.Role)
		if err := m.watchedBy(w); err != nil {
			return nil, err
		}
		watches = append(watches, w)
	}
	return func() (err error) {
		for _, w := range watches {
			err = errors.Join(err, w.end())
		}
		return err
	}, nil
}

// Workers is how many samples are worked on at a time: more than calls are
// allowed, since an answer that is on its way to the disk holds no place at
// the endpoint. Samples that ask several questions at a time are fewer; each
// can be down to its last ones.
func (e *Evaluation) Workers() int {
	if !e.asks() {
		return runtime.NumCPU()
	}
	if e.Info.Observes { // each opens a clip, and decodes it
		return max(1, min(e.calls.MaxConcurrency/e.Info.Asking.AtOnce, 4*runtime.NumCPU()))
	}
	return (e.calls.MaxConcurrency+e.calls.MaxConcurrency/8)/max(1, e.Info.Asking.AtOnce/2) + 32
}

// pages are what an evaluation of a benchmark has to show.
func pages(ev bench.Evaluation) []bench.Page {
	if e, ok := ev.(bench.Explainer); ok {
		return e.Explain().Pages
	}
	return nil
}
