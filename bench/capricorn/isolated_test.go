package capricorn

import (
	"sync/atomic"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/runtest"
	"omniscope/model/wrap"
	"omniscope/run"
)

func TestUnitsJudgedAnywhere(t *testing.T) {
	annotations, captions := someVideos()
	for _, c := range []struct {
		name    string
		b       Benchmark
		scoring bench.Scoring
	}{
		{"official", Benchmark{}, bench.Official},
		{"strict", Benchmark{}, bench.Strict},
		{"in one call", Benchmark{Batched: true}, bench.Strict},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := inputs(t, c.scoring, &fake{}, annotations, captions)
			benchtest.Isolated(t, func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs) {
				m := wrap.Stack(benchtest.Counting{Model: &fake{}, Calls: calls}, wrap.Options{Name: "fake", Source: "fake", ByStep: true, Once: &run.Once{Journal: journal}})
				own, j := in, *in.Judge
				j.Model, own.Judge = m, &j
				return c.b, own
			}, func() run.Journal { return runtest.NewMemory() }, benchtest.Workers)
		})
	}
}
