package capricorn

import (
	"context"
	"sync/atomic"
	"testing"

	"omniscope/bench"
	"omniscope/bench/benchtest"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/run/runtest"
)

// counting counts a model's calls.
type counting struct {
	model.Model
	calls *atomic.Int64
}

func (c counting) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	c.calls.Add(1)
	return c.Model.Generate(ctx, req)
}

func TestEachUnitCanBeJudgedAnywhere(t *testing.T) {
	annotations, captions := someVideos()
	for _, c := range []struct {
		name    string
		b       Benchmark
		profile bench.Profile
	}{
		{"official", Benchmark{}, bench.Official},
		{"strict", Benchmark{}, bench.Strict},
		{"in one call", Benchmark{Batched: true}, bench.Strict},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := inputs(t, c.profile, &fake{}, annotations, captions)
			benchtest.Isolated(t, func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs) {
				m := wrap.Stack(counting{&fake{}, calls}, wrap.Options{Name: "fake", Source: "fake", ByStep: true, Once: &run.Once{Journal: journal}})
				own, j := in, *in.Judge
				j.Model, own.Judge = m, &j
				return c.b, own
			}, func() run.Journal { return runtest.NewMemory() }, workers)
		})
	}
}
