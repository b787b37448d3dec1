package omnicloze

import (
	"sync/atomic"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/model/judge"
	"omniscope/model/scripted"
	"omniscope/model/wrap"
	"omniscope/run"
)

func TestUnitsJudgedAnywhere(t *testing.T) {
	two, _ := long(2)
	path := fixture.File(t, "rows.jsonl", jsonl(aRow("1", nil), aRow("2", nil), aRow("3", object{"predicted_caption": nil}), aRow("4", nil)))
	replies := script{"1": {{Text: two}}, "2": {{Text: "no"}, {Text: two}}, "3": {{Text: two}}, "4": {{Text: "```\n" + two}}}
	for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
		t.Run(scoring.String(), func(t *testing.T) {
			benchtest.Isolated(t, func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs) {
				m := wrap.Stack(benchtest.Counting{Model: scripted.New(replies), Calls: calls}, wrap.Options{Name: "scripted/test", Source: "script", ByStep: true, Once: &run.Once{Journal: journal}})
				return Benchmark{}, bench.Inputs{Predictions: path, Scoring: scoring, Judge: &judge.Judge{Name: "scripted/test", Model: m, Request: "test", Attempts: 1 + int(scoring)}} // official asks once
			}, func() run.Journal { return runtest.NewMemory() }, benchtest.Workers)
		})
	}
}
