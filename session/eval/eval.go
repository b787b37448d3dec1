package eval

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
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
	"omniscope/internal/sha256hex"
	"omniscope/internal/version"
	"omniscope/metric/neural/installed"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/session"
	"omniscope/session/benchdata"
)

// An Evaluation is a run of a benchmark, opened: its inputs are read and checked,
// and nothing was asked.
type Evaluation struct {
	Spec      *Spec
	Info      bench.Info
	Judge     *session.Model    // nil where the benchmark asks no judge
	chain     chain             // further models
	observers *observers        // nil where no clip is observed
	Read      *bench.Plan       // what its inputs hold
	Dir       string            // of the results
	Results   *document.Results // once they are written

	options    *Options
	benchmark  bench.Benchmark
	opened     bench.Evaluation
	models     *session.Models
	networks   *networks
	folder     *folder            // nil = no results are written
	scorer     *bench.Scorer      // likewise
	log        *harnessLog        // nil = the predictions are in the benchmark's own form
	exam       *document.ExamInfo // of the judge; nil = it was not examined
	unexamined error              // why it could not be asked
	said       []string           // warnings of what follows from the answers
}

// Open opens what the Spec names, and fills in what it leaves open.
func Open(ctx context.Context, s *Spec, o *Options) (*Evaluation, error) {
	o.Ready(session.TextCalls())
	e := newEvaluation(s, o)
	for _, step := range []func(context.Context) error{e.openBenchmark, e.openModels, e.open} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, e.models.Close())
		}
	}
	return e, nil
}

func newEvaluation(s *Spec, o *Options) *Evaluation {
	e := &Evaluation{Spec: s, options: o, models: session.NewModels(&o.Machine)}
	e.networks = &networks{shared: &e.models.Shared.Networks, options: o.Calls.Networks, once: func() *run.Once { return e.models.Journal.OnceOf(false) }}
	return e
}

// openBenchmark opens the benchmark with its options, those included that follow from the answers.
func (e *Evaluation) openBenchmark(ctx context.Context) error {
	b, err := e.Spec.benchmark()
	if err != nil {
		return err
	}
	if err := e.Spec.complete(b.Info()); err != nil {
		return err
	}
	e.said = e.Spec.takeModality(ctx, b)
	return e.setBenchmark()
}

// setBenchmark opens the benchmark with the options that are known.
func (e *Evaluation) setBenchmark() (err error) {
	if e.benchmark, err = e.Spec.benchmark(); err == nil {
		e.Info = e.benchmark.Info()
	}
	return err
}

// openModels opens the models that the run asks.
func (e *Evaluation) openModels(ctx context.Context) (err error) {
	switch role := e.Spec.judge(); {
	case role == nil && e.Info.Judge != "":
		return noRole(session.Judge)
	case role != nil:
		if e.Judge, err = e.openModel(ctx, role); err != nil {
			return err
		}
	}
	if unknown := e.Spec.unknownRoles(e.Info); len(unknown) > 0 {
		return omniscope.Usagef("%s has no role %s", e.Info.Name, strings.Join(unknown, ", "))
	}
	if err := e.openRoles(ctx, func(r *session.Role) (*session.Model, error) { return e.openModel(ctx, r) }); err != nil {
		return err
	}
	if t := e.transcriber(); t != nil {
		e.models.Add(t.Model, "model")
	}
	e.models.Explains = e.Judge
	return nil
}

// openModel opens the model of a role; one without a Judge, such as the baseline, is not asked.
func (e *Evaluation) openModel(ctx context.Context, r *session.Role) (*session.Model, error) {
	if e.options.Address != nil {
		e.options.Address(r)
	}
	m, err := session.NewModel(ctx, r, e.options.Calls, e.models.Shared)
	if err == nil && m.Judge != nil {
		e.models.Add(m, r.Name)
	}
	return m, err
}

// openRoles opens the models beside the judge, and the tools that look at clips.
func (e *Evaluation) openRoles(ctx context.Context, open func(*session.Role) (*session.Model, error)) (err error) {
	if e.chain, err = openChain(ctx, e.Spec, e.Info, open); err != nil || !e.Info.Observes {
		return err
	}
	e.observers, err = openObservers(ctx, e, open)
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
				return omniscope.Usagef("schema=true of the judge is for --scoring strict: official sends the published requests")
			}
		}
	}
	if ctx, e.log, err = e.openHarnessLog(ctx, &in); err != nil {
		return err
	}
	noted := e.readDetails(ctx, &in)
	if e.opened, err = e.benchmark.Open(ctx, in); err != nil {
		return errors.Join(withCure(err, e.Info, in), e.log.close())
	}
	e.Read = e.opened.Plan()
	e.Read.Warnings = append(e.Read.Warnings, noted...)
	e.log.tell(in.Predictions, e.models, e.Read)
	e.Read.Warnings = append(e.Read.Warnings, e.said...)
	return nil
}

// inputs are the Spec's, with what this machine has for them.
func (e *Evaluation) inputs() (bench.Inputs, error) {
	in, err := e.Spec.inputs()
	in.Download = benchdata.Download
	if e.Info.Networks {
		in.Networks = e.networks
	}
	if e.Info.Observes {
		in.Observers = e.observers
	}
	return in, err
}

// asked are the models that the run asks questions.
func (e *Evaluation) asked() []*session.Model {
	if e.Judge == nil || e.Judge.Judge == nil {
		return e.others()
	}
	return append([]*session.Model{e.Judge}, e.others()...)
}

// others are the models beside the judge.
func (e *Evaluation) others() chain {
	if e.observers == nil {
		return e.chain
	}
	return slices.Concat(e.chain, e.observers.models)
}

// paid are the models that the run asks, and its transcriber.
func (e *Evaluation) paid() []*session.Model {
	if t := e.transcriber(); t != nil {
		return append(slices.Clone(e.asked()), t.Model)
	}
	return e.asked()
}

// asks reports whether the run asks any model.
func (e *Evaluation) asks() bool { return len(e.paid()) > 0 }

// Close closes the inputs and the folder of results.
func (e *Evaluation) Close() error {
	return errors.Join(e.models.Close(), e.opened.Close(), e.log.close(), e.folder.close())
}

// Name names the run by all that shapes its results, so that the same command
// finds its run again. What the files hold matters, not where they are; who
// answers matters, too, unless any endpoint will do. It is the Spec in its earlier
// form, and what that had no place for, so that runs keep their names.
func (e *Evaluation) Name() string {
	if e.Judge == nil {
		return e.nameWithoutJudge()
	}
	shaping := e.Spec.form1()
	shaping.Predictions, shaping.Data, shaping.Prompts, shaping.System = "", "", "", e.Read.System
	source := e.Judge.Source
	if e.Judge.ByStep {
		shaping.Judge = "scripted" // its source is the script's digest
	} else if e.options.Calls.AnyEndpoint {
		source = ""
	}
	text, _ := json.Marshal(shaping) // its numbers were checked to be finite
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n", text, source, e.Read.Protocol, slices.Sorted(maps.Values(e.Read.Inputs)))
	for _, p := range e.Read.Prompts {
		fmt.Fprintln(h, p.Name, p.Digest)
	}
	if route := e.Judge.Role.Route; route != "" {
		fmt.Fprintln(h, "route", route)
	}
	if seed := e.Judge.Role.Seed; seed != nil {
		fmt.Fprintln(h, "judge seed", *seed)
	}
	if e.Spec.IDField != "" {
		fmt.Fprintln(h, "id field", e.Spec.IDField)
	}
	if e.Spec.Repetition > 0 {
		fmt.Fprintln(h, "repetition", e.Spec.Repetition)
	}
	e.chain.name(h, e.options.Calls.AnyEndpoint)
	e.observers.name(h, e.options.Calls.AnyEndpoint)
	for _, name := range slices.Sorted(maps.Keys(e.Spec.Options)) {
		if name != "judge-mode" && name != "continue" {
			fmt.Fprintln(h, name, e.Spec.Options[name])
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// nameWithoutJudge names a run that asks no judge.
func (e *Evaluation) nameWithoutJudge() string {
	s, p := e.Spec, e.Read
	shaping := []any{p.System, p.Protocol, p.Data, slices.Sorted(maps.Values(p.Inputs)), s.Profile}
	for _, o := range bench.OptionsOf(e.benchmark) {
		if !o.InPlan && !o.Display {
			shaping = append(shaping, o.Value)
		}
	}
	if len(e.chain) > 0 {
		var models strings.Builder
		e.chain.name(&models, e.options.Calls.AnyEndpoint)
		shaping = append(shaping, models.String())
	}
	if s.Repetition > 0 {
		shaping = append(shaping, "repetition", s.Repetition)
	}
	return digestOf(append(shaping, s.Limit, s.SampleIDs, s.Seed)...)
}

// digestOf names a run by all that shapes it.
func digestOf(shaping ...any) string {
	return sha256hex.Of(fmt.Appendln(nil, shaping...))[:12]
}

// defaultFolder is where the results go unless the user names a folder.
func (e *Evaluation) defaultFolder() string {
	return filepath.Join(e.options.Calls.WorkDir, "runs", strings.Join([]string{e.Spec.Benchmark, filename.Safe(e.Read.System), e.Name()}, "-"))
}

// Options are the settings of a run that do not shape its scores.
type Options struct {
	session.Machine
	MaxFailures *float64 // share of samples whose judging may fail; nil = session.DefaultMaxFailures
	Notes       []string // that belong into the results' warnings
	About       About
}

// maxFailures is the share of samples whose judging may fail.
func (o *Options) maxFailures() float64 {
	if o.MaxFailures == nil {
		return session.DefaultMaxFailures
	}
	return *o.MaxFailures
}

// About says which program did a run.
type About struct {
	Version string   // "" = that of omniscope
	Command []string // without anything secret
}

// Plan implements Units.
func (e *Evaluation) Plan() *session.Plan {
	p := &session.Plan{Units: e.Read.Units, ID: e.Read.Steps, Workers: e.Workers(), Waiting: e.options.Calls.MaxConcurrency + e.Workers(), Models: e.models, CPU: !e.asks(), Over: e.isOver, Memory: session.Nothing,
		Order: func() []int { return slices.Collect(e.scorer.Units()) }}
	computes := e.networks.used && !e.options.Calls.Networks.NoCache || e.Info.Observes
	switch {
	case e.asks():
		p.Memory = session.Answers
	case computes:
		p.Memory = session.Scores
	default:
		p.Here = omniscope.Usagef("%s asks no model and computes nothing that a journal keeps: it cannot be done in parts", e.Spec.Benchmark)
	}
	p.Name, p.Kind = e.Name(), evalKind
	p.Manifest = e.Spec.manifest(e.Read)
	if e.networks.used {
		p.Arithmetic = installed.Arithmetic()
	}
	if warmer, ok := e.opened.(bench.Warmer); ok {
		p.Warm = warmer.Warm
	}
	return p
}

// Claim implements Units.
func (e *Evaluation) Claim(context.Context) (err error) {
	e.Dir = cmp.Or(e.options.Out, e.defaultFolder())
	e.folder, err = openFolder(e.Dir, e.Info, func() error {
		if e.options.Force || e.options.Out == "" {
			return nil
		}
		return checkFolder(e.Dir, e.Name(), ownIn(e.Dir, e.options.Calls.WorkDir)...)
	})
	return err
}

// Begin implements Units. It examines the judge; in parts, the process that does the first unit does.
func (e *Evaluation) Begin(ctx context.Context, env *session.Env) (err error) {
	if !env.Results {
		return nil
	}
	options := bench.Options{Seed: e.Spec.Seed}
	e.folder.gather(&options)
	if e.asks() {
		if options.Known, err = e.models.Journal.Steps(ctx); err != nil {
			return err
		}
		options.Meters = session.MetersOf(e.paid())
	}
	if err := e.examine(ctx, e.options.Warnings); err != nil {
		return err
	}
	e.scorer = bench.NewScorer(e.benchmark, e.opened, options)
	return nil
}

// Do implements Units.
func (e *Evaluation) Do(ctx context.Context, unit int) (session.Done, error) {
	r, err := e.evaluate(ctx, unit)
	if err != nil {
		return session.Done{}, err
	}
	return session.DoneAs(r.Outcome, r.Unit, ""), nil
}

func (e *Evaluation) evaluate(ctx context.Context, unit int) (*bench.Result, error) {
	if e.scorer != nil {
		return e.scorer.Do(ctx, unit)
	}
	if unit == 0 { // the command that makes the results finds the answers of the examination
		if err := e.examine(ctx, e.options.Warnings); err != nil {
			return nil, err
		}
	}
	return e.opened.Evaluate(ctx, unit)
}

// Write implements Units.
func (e *Evaluation) Write(ctx context.Context) error {
	profile, _ := bench.ParseScoring(e.Spec.Profile)
	results, about := e.scorer.Results(profile), e.options.About
	results.Run = document.RunInfo{ID: e.Name(), Version: cmp.Or(about.Version, version.Program()), Command: about.Command, Finished: time.Now().UTC(), Inputs: e.Read.Inputs}
	results.Warnings = append(append(results.Warnings, e.options.Notes...), e.models.Shared.Networks.CacheWarnings()...)
	e.describe(results, about)
	if e.asks() {
		if err := e.models.Journal.Complete(ctx, results, e.price()); err != nil {
			return err
		}
	}
	e.Results, e.models.Told = results, true
	return e.folder.write(results, pages(e.opened))
}

// isOver reports whether the run came to its end.
func (e *Evaluation) isOver() bool {
	return e.asks() && isOver(e.Info, e.Results, e.options.maxFailures())
}

// transcriber is the observers' one; nil = none.
func (e *Evaluation) transcriber() *session.Transcriber {
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

// Workers is how many samples are worked on at a time: more than calls are
// allowed, since an answer that is on its way to the disk holds no place at
// the endpoint. Samples that ask several questions at a time are fewer; each
// can be down to its last ones.
func (e *Evaluation) Workers() int {
	if !e.asks() {
		return runtime.NumCPU()
	}
	if e.Info.Observes { // each opens a clip, and decodes it
		return max(1, min(e.options.Calls.MaxConcurrency/e.Info.Asking.AtOnce, 4*runtime.NumCPU()))
	}
	return (e.options.Calls.MaxConcurrency+e.options.Calls.MaxConcurrency/8)/max(1, e.Info.Asking.AtOnce/2) + 32
}

// pages are what an evaluation of a benchmark has to show.
func pages(ev bench.Evaluation) []bench.Page {
	if e, ok := ev.(bench.Explainer); ok {
		return e.Explain().Pages
	}
	return nil
}
