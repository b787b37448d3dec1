package eval

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/input"
	"omniscope/internal/outfile"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/results/report"
	"omniscope/session"
	"omniscope/session/journals"
)

// clipsFile is a file of Omni-Cloze with a caption of each sample.
const clipsFile = `
-- clips.jsonl --
{"uuid":"0001","video_path":"v/1.mp4","cloze":{"passage":"A [BLANK_1] barks while a man in a [BLANK_2] coat waves.","blanks":[{"number":1,"options":["A: dog","B: cat","C: cow","D: bird","E: not given"],"answer_key":"A","required_modality":"audio"},{"number":2,"options":["A: blue","B: red","C: green","D: black","E: not given"],"answer_key":"B","required_modality":"visual"}]},"metadata":{"category":"Life","subcategory":"Street"},"predicted_caption":"A dog barks at a man who wears a red coat and waves."}
{"uuid":"0002","video_path":"v/2.mp4","cloze":{"passage":"Rain falls on a [BLANK_1] while [BLANK_2] plays.","blanks":[{"number":1,"options":["A: roof","B: car","C: tent","D: boat","E: not given"],"answer_key":"C","required_modality":"visual"},{"number":2,"options":["A: a drum","B: a flute","C: a violin","D: a piano","E: not given"],"answer_key":"D","required_modality":"audio"}]},"metadata":{"category":"Music","subcategory":"Solo"},"predicted_caption":"Heavy rain on a tent."}
{"uuid":"0003","video_path":"v/3.mp4","cloze":{"passage":"A [BLANK_1] stands in the kitchen and the [BLANK_2] rings.","blanks":[{"number":1,"options":["A: girl","B: boy","C: cook","D: nurse","E: not given"],"answer_key":"C","required_modality":"visual"},{"number":2,"options":["A: phone","B: bell","C: alarm","D: timer","E: not given"],"answer_key":"A","required_modality":"audio"}]},"metadata":{"category":"Life","subcategory":"Home"},"predicted_caption":"A cook stands in the kitchen. A phone rings."}
`

// An evalRun is a run of a benchmark, with the settings of `omniscope eval` without flags
// unless a setting changes them.
type evalRun struct {
	spec                      Spec
	calls                     session.Calls
	judges, systems, folders  []string
	address, out              string
	maxTokens, attempts       int
	schema                    bool
	maxFailures               float64
	force, dryRun, asDocument bool
	limits                    input.Limits
	stdin                     string
}

// A setting changes a run.
type setting func(*evalRun)

func official(r *evalRun)               { r.spec.Profile = "official" }
func force(r *evalRun)                  { r.force = true }
func fresh(r *evalRun)                  { r.calls.Fresh = true }
func anyEndpoint(r *evalRun)            { r.calls.AnyEndpoint = true }
func dryRun(r *evalRun)                 { r.dryRun = true }
func asDocument(r *evalRun)             { r.asDocument = true }
func unscorable(r *evalRun)             { r.spec.Allow = true }
func data(path string) setting          { return func(r *evalRun) { r.spec.Data = path } }
func judgedBy(models ...string) setting { return func(r *evalRun) { r.judges = models } }

// also adds further systems.
func also(paths ...string) setting {
	return func(r *evalRun) { r.systems = append(r.systems, paths...) }
}
func limit(n int) setting                       { return func(r *evalRun) { r.spec.Limit = n } }
func samples(ids ...string) setting             { return func(r *evalRun) { r.spec.SampleIDs = ids } }
func field(name string) setting                 { return func(r *evalRun) { r.spec.Field = name } }
func system(name string) setting                { return func(r *evalRun) { r.spec.System = name } }
func prompts(dir string) setting                { return func(r *evalRun) { r.spec.Prompts = dir } }
func seed(n uint64) setting                     { return func(r *evalRun) { r.spec.Seed = n } }
func out(dir string) setting                    { return func(r *evalRun) { r.out = dir } }
func work(dir string) setting                   { return func(r *evalRun) { r.calls.WorkDir = dir } }
func prices(path string) setting                { return func(r *evalRun) { r.calls.Prices = path } }
func failures(share float64) setting            { return func(r *evalRun) { r.maxFailures = share } }
func folders(dirs ...string) setting            { return func(r *evalRun) { r.folders = dirs } }
func stdin(path string) setting                 { return func(r *evalRun) { r.stdin = path } }
func calls(change func(*session.Calls)) setting { return func(r *evalRun) { change(&r.calls) } }

// option sets an option of the benchmark's own, as its flag would.
func option(name, value string) setting {
	return func(r *evalRun) {
		if r.spec.Options == nil {
			r.spec.Options = make(map[string]string)
		}
		r.spec.Options[name] = value
	}
}

// role gives a further role a model.
func role(name, model string) setting {
	return func(r *evalRun) {
		r.spec.Roles[name] = &session.Role{Name: name, Model: model, Temperature: new(float64), Attempts: 1}
	}
}

// An evalFolder is a folder of small files in which benchmarks are run. It keeps the outcome
// of the last run.
type evalFolder struct {
	t       *testing.T
	results *document.Results
	text    string // results or a forecast, as people or programs read them
	told    string // announcements and warnings
	dir     string // of the results
	err     error
}

// enter makes a folder of the archive's files the working folder. clips.jsonl is there, too.
func enter(t *testing.T, archive string) *evalFolder {
	t.Helper()
	fixture.Enter(t, clipsFile+archive)
	return &evalFolder{t: t}
}

// newRun is a run with the command's defaults.
func newRun(benchmark, predictions string, settings []setting) *evalRun {
	r := &evalRun{spec: Spec{Benchmark: benchmark, Profile: "strict", Modality: "audio-visual", Roles: make(map[string]*session.Role)},
		calls:  session.Calls{WorkDir: "omniscope-work", MaxConcurrency: 64, Timeout: 2 * time.Minute, SkipExam: true, Journals: journals.All},
		judges: []string{session.Offline}, systems: []string{predictions}, maxFailures: 0.05}
	for _, set := range settings {
		set(r)
	}
	return r
}

// eval does a run as `omniscope eval` does it.
func (f *evalFolder) eval(benchmark, predictions string, settings ...setting) *evalFolder {
	f.t.Helper()
	r := newRun(benchmark, predictions, settings)
	*f = evalFolder{t: f.t}
	var told bytes.Buffer
	ctx := input.With(f.t.Context(), &input.Files{Limits: r.limits, Warn: func(text string) { fmt.Fprintln(&told, "warning:", text) },
		Stdin: bytes.NewReader(r.standardInput(f.t))})
	shared := &session.Shared{}
	f.err = errors.Join(f.evaluate(ctx, r, shared, &told), shared.Close())
	f.told = told.String()
	return f
}

func (r *evalRun) standardInput(t *testing.T) []byte {
	if r.stdin == "" {
		return nil
	}
	return []byte(fixture.Read(t, r.stdin))
}

// evaluate checks the run and does it.
func (f *evalFolder) evaluate(ctx context.Context, r *evalRun, shared *session.Shared, told *bytes.Buffer) error {
	b, err := r.spec.benchmark()
	if err != nil {
		return err
	}
	if len(r.systems) > 0 {
		r.spec.Predictions, r.spec.Parts = r.systems[0], r.systems[1:]
	}
	if err := r.spec.Check(b, r.folders); err != nil {
		return err
	}
	asked := b.Info().Judge != ""
	if asked {
		if err := errors.Join(CheckPlan(&r.spec, b, r.judges, r.systems), r.calls.Check()); err != nil {
			return err
		}
	}
	if len(r.folders) > 0 {
		return f.collect(ctx, r, shared, told)
	}
	runs := []*PlannedRun{{Spec: &r.spec, Dir: r.out}}
	if asked {
		runs = PlanRuns(&r.spec, r.roles(b.Info()), r.systems, 1, r.out)
	}
	r.calls.DryRun = r.dryRun
	if len(runs) > 1 {
		if err := CheckRuns(ctx, runs, r.out, r.running(shared, told, r.out)); err != nil {
			return err
		}
	}
	for _, run := range runs {
		if err := f.one(ctx, r, run, shared, told); err != nil {
			return err
		}
	}
	return nil
}

// roles are the judges with the settings that the benchmark publishes.
func (r *evalRun) roles(info bench.Info) (roles []*session.Role) {
	for _, model := range r.judges {
		role := &session.Role{Name: session.Judge, Model: model, Temperature: new(float64), Attempts: info.Asking.Attempts, MaxTokens: info.Asking.MaxTokens, BaseURL: r.address, Schema: r.schema}
		role.MaxTokens, role.Attempts = cmp.Or(r.maxTokens, role.MaxTokens), cmp.Or(r.attempts, role.Attempts)
		roles = append(roles, role)
	}
	return roles
}

func (r *evalRun) running(shared *session.Shared, told *bytes.Buffer, out string) *Options {
	return &Options{Machine: session.Machine{Calls: &r.calls, Shared: shared, Warnings: told, Out: out, Force: r.force}, MaxFailures: &r.maxFailures, About: About{Version: "test"}}
}

// one does one run of one judge on one system.
func (f *evalFolder) one(ctx context.Context, r *evalRun, run *PlannedRun, shared *session.Shared, told *bytes.Buffer) error {
	running := r.running(shared, told, run.Dir)
	text, printed, err := Print(ctx, run.Spec, running)
	if printed || err != nil {
		f.text = text + "\n"
		return err
	}
	e, err := Open(ctx, run.Spec, running)
	if err != nil {
		return err
	}
	if r.dryRun {
		return errors.Join(f.forecast(ctx, e, r.asDocument), e.Close())
	}
	if err := e.Export(ctx); err != nil {
		return errors.Join(err, e.Close())
	}
	if err := session.Finish(ctx, e, &running.Machine); err != nil {
		return err
	}
	results := e.Results
	f.results, f.dir = results, e.Dir
	var printing bytes.Buffer
	if r.asDocument {
		err = report.JSON(&printing, results)
	} else {
		err = report.Text(&printing, results, report.TextOptions{Columns: report.Columns(e.Info.Metric)})
	}
	f.text += printing.String()
	return errors.Join(err, Verdict(e.Info, results, r.maxFailures))
}

func (f *evalFolder) forecast(ctx context.Context, e *Evaluation, asDocument bool) error {
	forecast, err := e.Forecast(ctx)
	if err != nil {
		return err
	}
	f.text = forecast.Text()
	if asDocument {
		var b bytes.Buffer
		err = outfile.JSON(&b, forecast)
		f.text = b.String()
	}
	return err
}

// collect scores all files of predictions in folders.
func (f *evalFolder) collect(ctx context.Context, r *evalRun, shared *session.Shared, told *bytes.Buffer) error {
	c, err := OpenCollection(ctx, &r.spec, r.folders, r.running(shared, told, r.out))
	if err != nil {
		return err
	}
	for _, line := range c.LeftOut() {
		fmt.Fprintln(told, "left out:", line)
	}
	if err := c.Score(ctx, func(int) {}); err != nil || c.Tables == nil {
		return errors.Join(err, c.Verdict())
	}
	shown := *c.Tables
	shown.Tables = c.Shown
	var printing bytes.Buffer
	err = shown.Text(&printing, report.TextOptions{})
	f.text, f.dir = printing.String(), c.Dir
	return errors.Join(err, c.Verdict())
}

// ok checks that the last run had no error.
func (f *evalFolder) ok() *evalFolder {
	f.t.Helper()
	if f.err != nil {
		f.t.Fatal(f.err)
	}
	return f
}

// fails checks that the last run ended with an error of this kind that matches the patterns.
func (f *evalFolder) fails(kind omniscope.Kind, patterns ...string) *evalFolder {
	f.t.Helper()
	if f.err == nil {
		f.t.Fatalf("there is no error; want %q; the run printed\n%s", patterns, f.text)
	}
	if got := omniscope.KindOf(f.err); got != kind {
		f.t.Errorf("%v is %v, want %v", f.err, got, kind)
	}
	matches(f.t, "the error", f.err.Error(), patterns)
	return f
}

// failsToJudge checks that the last run ended because too many samples have no score.
func (f *evalFolder) failsToJudge(patterns ...string) *evalFolder {
	f.t.Helper()
	if !errors.Is(f.err, session.ErrTooManyFailures) {
		f.t.Fatalf("the run ends with %v, want too many failures", f.err)
	}
	matches(f.t, "the error", f.err.Error(), patterns)
	return f
}

// prints checks that the last run printed lines that match the patterns.
func (f *evalFolder) prints(patterns ...string) *evalFolder {
	f.t.Helper()
	matches(f.t, "the printed text", f.text, patterns)
	return f
}

// lacks checks that the last run printed no line that matches a pattern.
func (f *evalFolder) lacks(patterns ...string) *evalFolder {
	f.t.Helper()
	for _, pattern := range patterns {
		if regexp.MustCompile("(?m)" + pattern).MatchString(f.text) {
			f.t.Errorf("the printed text matches %q:\n%s", pattern, f.text)
		}
	}
	return f
}

// warns checks that the announcements and warnings of the last run match the patterns.
func (f *evalFolder) warns(patterns ...string) *evalFolder {
	f.t.Helper()
	matches(f.t, "the warnings", f.told, patterns)
	return f
}

// quiet checks that the last run had no announcement and no warning.
func (f *evalFolder) quiet() *evalFolder {
	f.t.Helper()
	if f.told != "" {
		f.t.Errorf("the run warns:\n%s", f.told)
	}
	return f
}

// wrote checks that the last run lists exactly these files of its results.
func (f *evalFolder) wrote(names ...string) *evalFolder {
	f.t.Helper()
	if !slices.Equal(f.results.Run.Files, names) {
		f.t.Errorf("the run wrote %q, want %q", f.results.Run.Files, names)
	}
	return f
}

func matches(t *testing.T, what, text string, patterns []string) {
	t.Helper()
	for _, pattern := range patterns {
		if !regexp.MustCompile("(?m)" + pattern).MatchString(text) {
			t.Errorf("%s does not match %q:\n%s", what, pattern, text)
		}
	}
}

// sameFile checks that two files are equal.
func sameFile(t *testing.T, a, b string) {
	t.Helper()
	if fixture.Read(t, a) != fixture.Read(t, b) {
		t.Errorf("%s differs from %s:\n%s\n%s", a, b, fixture.Read(t, a), fixture.Read(t, b))
	}
}

// holds checks that a file has lines that match the patterns.
func holds(t *testing.T, path string, patterns ...string) {
	t.Helper()
	matches(t, path, fixture.Read(t, path), patterns)
}

// A mockJudge is a server that answers cloze questions, or not with faults.
type mockJudge struct {
	t *testing.T
	*fake.Server
}

func startJudge(t *testing.T, faults ...fake.Fault) mockJudge {
	t.Helper()
	server := fake.Start(t, fake.Config{Reply: fake.ClozeReply(nil, 0), Model: "mock", Faults: faults})
	return mockJudge{t, server}
}

// asked checks how many requests the server has had so far.
func (m mockJudge) asked(n int) {
	m.t.Helper()
	if got := m.Stats().Requests; got != n {
		m.t.Errorf("the server was asked %d times, want %d", got, n)
	}
}

// judges makes the server the judge.
func (m mockJudge) judges(r *evalRun) { r.judges, r.address = []string{"openai/mock"}, m.URL() }
