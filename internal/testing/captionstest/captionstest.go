// Package captionstest runs benchmarks of captions on small files in tests.
package captionstest

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/model/wrap"
	"omniscope/run"
)

// A Judge answers a step's attempt, of which it sees the whole text. "" = the call fails.
type Judge func(step string, attempt int, text string) string

// Generate implements model.Model.
func (f Judge) Generate(_ context.Context, req *model.Request) (*model.Response, error) {
	var text strings.Builder
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			text.WriteString(p.Text + "\n")
		}
	}
	reply := f(req.Step, req.Attempt, text.String())
	if reply == "" {
		return nil, &omniscope.Error{Kind: omniscope.Transient, Op: "ask " + req.Step}
	}
	return &model.Response{Text: reply, Finish: model.Stop, Model: "test", Usage: model.Usage{TokensIn: 1, TokensOut: 1}}, nil
}

// OneByOne answers one call at a time, so that a Judge may note what it sees.
func OneByOne(j Judge) model.Model { return &oneByOne{judge: j} }

type oneByOne struct {
	mu    sync.Mutex
	judge Judge
}

// Generate implements model.Model.
func (o *oneByOne) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.judge.Generate(ctx, req)
}

// File writes a file for a test.
func File(t *testing.T, name, text string) string { return fixture.File(t, name, text) }

// Inputs are a benchmark's file and captions with a judge that asks so many times.
func Inputs(data, captions string, j Judge, scoring bench.Scoring, attempts int) bench.Inputs {
	return bench.Inputs{Data: data, Predictions: captions, Scoring: scoring, Judge: &judge.Judge{Name: "test/judge", Model: OneByOne(j), Request: "test", Attempts: attempts}}
}

// Suite checks all promises of a benchmark in both scorings, and that its clips can be scored
// anywhere. whole names the dimensions whose groups add up to the whole. The judge must answer
// every call.
func Suite(t *testing.T, b bench.Benchmark, data, captions string, j Judge, whole ...string) {
	for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
		t.Run(scoring.String(), func(t *testing.T) {
			benchtest.Run(t, b, Inputs(data, captions, j, scoring, 2), benchtest.Workers, whole...)
		})
		t.Run("anywhere "+scoring.String(), func(t *testing.T) {
			benchtest.Isolated(t, func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs) {
				in := Inputs(data, captions, j, scoring, 2)
				in.Judge.Model = wrap.Stack(benchtest.Counting{Model: j, Calls: calls}, wrap.Options{Name: "test/judge", Source: "test", ByStep: true, Once: &run.Once{Journal: journal}})
				return b, in
			}, func() run.Journal { return runtest.NewMemory() }, benchtest.Workers)
		})
	}
}

// Score scores captions.
func Score(t *testing.T, b bench.Benchmark, in bench.Inputs) *document.Results {
	t.Helper()
	ev, err := b.Open(t.Context(), in)
	fixture.OK(t, err)
	defer ev.Close()
	r, err := bench.Score(t.Context(), b, ev, in.Scoring, benchtest.Workers(8))
	fixture.OK(t, err)
	return r
}

// One evaluates one clip.
func One(t *testing.T, b bench.Benchmark, in bench.Inputs, clip int) *bench.Result {
	t.Helper()
	ev, err := b.Open(t.Context(), in)
	fixture.OK(t, err)
	defer ev.Close()
	r, err := ev.Evaluate(t.Context(), clip)
	fixture.OK(t, err)
	return r
}

// Differs is the first thing that the scorings treat differently in a clip; "" = nothing.
func Differs(r *bench.Result) string {
	if len(r.Differences) == 0 {
		return ""
	}
	return r.Differences[0].What
}

// Whole returns the overall scores of a scoring.
func Whole(r *document.Results, p bench.Scoring) map[string]omniscope.Score {
	for _, s := range r.Scorings[p].Slices {
		if s.Dimension == "overall" {
			return s.Scores
		}
	}
	return nil
}

// Refused checks that inputs are refused as invalid, with an error that says so.
func Refused(t *testing.T, b bench.Benchmark, in bench.Inputs, says string) {
	t.Helper()
	ev, err := b.Open(t.Context(), in)
	if err == nil {
		ev.Close()
	}
	if kind := omniscope.KindOf(err); err == nil || kind != omniscope.Invalid && kind != omniscope.Usage || !strings.Contains(err.Error(), says) {
		t.Errorf("%v, want %q", err, says)
	}
}
