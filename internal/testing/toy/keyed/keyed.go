// Package keyed is a benchmark for tests that asks no judge: an answer is its key,
// or one of the answers that an option allows.
package keyed

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/testing/toy/exact"
	"omniscope/metric"
	"omniscope/model"
)

// Benchmark is the test.
type Benchmark struct {
	Fold    bool     // capitals do not count
	Allowed []string // that are right, too
}

// Info implements bench.Benchmark.
func (*Benchmark) Info() bench.Info {
	return bench.Info{
		Name: "keyed", Title: "Keyed: answers and keys for tests", Paper: "none", Licence: "none", Metric: &exact.Metric, About: "An answer is right if it is the key.",
		Files:   bench.Files{Predictions: "file of answers: JSON Lines with id, key and answer", Data: "none"},
		Aliases: []bench.Alias{{Of: "predictions", Name: "answers", Short: "a"}},
	}
}

// Options implements bench.Optioned.
func (b *Benchmark) Options() []bench.Option {
	return []bench.Option{
		{Name: "fold", Short: "f", Value: bench.Switch(&b.Fold), Help: "capitals do not count"},
		{Name: "allow", Value: bench.Texts(&b.Allowed), Help: "an answer that is right as well"},
	}
}

type row struct{ ID, Key, Answer string }

type evaluation struct {
	b    *Benchmark
	rows []row
	plan bench.Plan
}

// Open implements bench.Benchmark.
func (b *Benchmark) Open(ctx context.Context, in bench.Inputs) (bench.Evaluation, error) {
	lines, err := rows.Open(ctx, in.Predictions)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	e := &evaluation{b: b, rows: make([]row, lines.Len())}
	err = lines.Check(ctx, func(i int, text []byte) error { return json.Unmarshal(text, &e.rows[i]) })
	e.plan = bench.Plan{System: bench.SystemName(in.Predictions), Units: len(e.rows), Steps: func(i int) string { return e.rows[i].ID },
		Inputs: map[string]string{in.Predictions: lines.Digest}, Protocol: "keyed1", Data: lines.Digest[:12]}
	return e, err
}

func (e *evaluation) Plan() *bench.Plan                      { return &e.plan }
func (e *evaluation) Close() error                           { return nil }
func (e *evaluation) Requests(int) ([]*model.Request, error) { return nil, nil }

// Evaluate implements bench.Evaluation.
func (e *evaluation) Evaluate(_ context.Context, i int) (*bench.Result, error) {
	r := e.rows[i]
	counts := metric.Counts{0, 1, 1}
	if r.Answer == r.Key || e.b.Fold && strings.EqualFold(r.Answer, r.Key) || slices.Contains(e.b.Allowed, r.Answer) {
		counts[0] = 1
	}
	result := &bench.Result{Unit: r.ID, Cluster: r.ID, Outcome: omniscope.OK}
	for scoring := range result.Tallies {
		result.Tallies[scoring] = []bench.Tally{{Dimension: "overall", Counts: counts}}
	}
	return result, nil
}
