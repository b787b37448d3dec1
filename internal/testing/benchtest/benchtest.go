// Package benchtest is the suite that every bench.Benchmark passes.
//
// What a benchmark's scores are worth it does not check: that is for the
// benchmark's own tests, with numbers of the original scorer.
package benchtest

import (
	"context"
	"slices"
	"sync"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/run/local"
)

// Run checks every promise of bench.Benchmark and bench.Evaluation in a
// subtest of its own. good are inputs of at least two units that can all be
// judged; their judge, if any, must answer each call the same way each time.
// options returns options with an engine of so many workers, and whole names
// the dimensions whose groups add up to the overall counts.
func Run(t *testing.T, b bench.Benchmark, good bench.Inputs, options func(workers int) bench.Options, whole ...string) {
	s := &suite{b: b, good: good, options: options, whole: whole}
	checks := []struct {
		name  string
		check func(*testing.T)
		asks  bool // only where a model is asked
	}{
		{"says what it is", s.info, false},
		{"plans consistently", s.plan, false},
		{"keeps to a limit", s.limit, false},
		{"refuses files that are not there", s.noFile, false},
		{"opens on stand-in answers", s.standIn, false},
		{"asks nothing before it evaluates", s.asksNothing, true},
		{"foretells what it asks", s.foretells, true},
		{"evaluates the same way twice", s.twice, false},
		{"evaluates several units at a time", s.together, false},
		{"writes records that are JSON lines", s.records, false},
		{"tallies what its metric counts", s.tallies, false},
		{"has parts that add up to the whole", s.parts, false},
		{"ends in results that are JSON", s.results, false},
		{"does not depend on who comes first", s.anyOrder, false},
		{"turns failed calls into outcomes", s.failures, true},
		{"stops when the budget is used up", s.budget, true},
		{"stops when it is told to", s.cancelled, true},
	}
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if c.asks && good.Judge == nil {
				t.Skip("no model is asked")
			}
			c.check(t)
		})
	}
}

// Workers are options with an engine of n workers in this process.
func Workers(n int) bench.Options { return bench.Options{Engine: &local.Engine{Workers: n}} }

type suite struct {
	b       bench.Benchmark
	good    bench.Inputs
	options func(workers int) bench.Options
	whole   []string
}

// open opens the good inputs, with the judge's model replaced if m is not nil.
func (s *suite) open(t *testing.T, m model.Model) bench.Evaluation {
	t.Helper()
	in := s.good
	if m != nil {
		j := *s.good.Judge
		j.Model = m
		in.Judge = &j
	}
	return opened(t, s.b, in)
}

// evaluate returns the results of all units, in order.
func evaluate(t *testing.T, ev bench.Evaluation) []*bench.Result {
	t.Helper()
	results := make([]*bench.Result, ev.Plan().Units)
	for i := range results {
		var err error
		if results[i], err = ev.Evaluate(t.Context(), i); err != nil {
			t.Fatalf("unit %d: %v", i, err)
		}
	}
	return results
}

func (s *suite) score(t *testing.T, ev bench.Evaluation, workers int) *document.Results {
	t.Helper()
	r, err := bench.Score(t.Context(), s.b, ev, s.good.Scoring, s.options(workers))
	fixture.OK(t, err)
	return r
}

// answers is a model made of a function.
type answers func(ctx context.Context, req *model.Request) (*model.Response, error)

func (f answers) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	return f(ctx, req)
}

// fails is a model of which every call fails with an error of this kind.
func fails(kind omniscope.Kind) model.Model {
	return answers(func(context.Context, *model.Request) (*model.Response, error) {
		return nil, &omniscope.Error{Kind: kind, Op: "ask", Err: errFails}
	})
}

// listens is the good inputs' model, noting what it is asked.
func (s *suite) listens() (model.Model, func() []*model.Request) {
	var mu sync.Mutex
	var heard []*model.Request
	m := answers(func(ctx context.Context, req *model.Request) (*model.Response, error) {
		mu.Lock()
		heard = append(heard, req)
		mu.Unlock()
		return s.good.Judge.Model.Generate(ctx, req)
	})
	return m, func() []*model.Request {
		mu.Lock()
		defer mu.Unlock()
		return append([]*model.Request(nil), heard...)
	}
}

// With sets options of a benchmark, given by names and values.
func With(t *testing.T, b bench.Benchmark, values ...string) bench.Benchmark {
	t.Helper()
	for i := 0; i < len(values); i += 2 {
		at := slices.IndexFunc(bench.OptionsOf(b), func(o bench.Option) bool { return o.Name == values[i] })
		fixture.OK(t, bench.OptionsOf(b)[at].Value.Set(values[i+1]))
	}
	return b
}
