package benchtest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/run/local"
)

// hits is the share of hits.
var hits = metric.Metric{
	Name: "hits", Fields: []string{"hit", "missed", "unjudged"},
	Scores: []metric.Score{{
		Name: "hits", Title: "hits", Share: true,
		Value: func(c metric.Counts) (float64, bool) { return c[0] / (c[0] + c[1]), c[0]+c[1] > 0 },
		Bounds: func(c metric.Counts) (low, high float64, ok bool) {
			n := c[0] + c[1] + c[2]
			return c[0] / n, (c[0] + c[2]) / n, n > 0
		},
		N:        func(c metric.Counts) int { return int(c[0] + c[1]) },
		Unscored: func(c metric.Counts) int { return int(c[2]) },
	}},
}

// joined is a benchmark without a judge whose units are talks, each of several
// samples: the segments' outputs are joined and their words compared.
type joined struct{}

func (joined) Info() bench.Info {
	return bench.Info{Name: "joined", Title: "Joined", Paper: "none", Licence: "none", Metric: &hits}
}

// A segment is one line of its file.
type segment struct {
	Talk      string `json:"talk"`
	Reference string `json:"reference"`
	Output    string `json:"output"`
}

type talks struct {
	lines    *rows.File
	order    []string
	segments map[string][]int // lines of each talk
	in       bench.Inputs
}

func (joined) Open(ctx context.Context, in bench.Inputs) (bench.Evaluation, error) {
	path := in.Predictions
	if in.Data != "" {
		path = in.Data
	}
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	e := &talks{lines: lines, segments: make(map[string][]int), in: in}
	for i := range lines.Len() {
		s, err := e.segment(i)
		if err != nil {
			return nil, err
		}
		if e.segments[s.Talk] == nil {
			e.order = append(e.order, s.Talk)
		}
		e.segments[s.Talk] = append(e.segments[s.Talk], i)
	}
	if in.Limit > 0 {
		e.order = e.order[:in.Limit]
	}
	return e, nil
}

func (e *talks) segment(i int) (s segment, err error) {
	text, err := e.lines.At(i)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, e.lines.Bad(i, text, err)
	}
	return s, nil
}

func (e *talks) Plan() *bench.Plan {
	return &bench.Plan{System: bench.SystemName(e.in.Predictions), Units: len(e.order), Steps: func(i int) string { return e.order[i] },
		Inputs: map[string]string{e.lines.Path: e.lines.Digest}, Protocol: "words1"}
}

func (e *talks) Requests(int) ([]*model.Request, error) { return nil, nil }

func (e *talks) Close() error { return e.lines.Close() }

func (e *talks) Evaluate(_ context.Context, i int) (*bench.Result, error) {
	var want, got []string
	for _, k := range e.segments[e.order[i]] {
		s, err := e.segment(k)
		if err != nil {
			return nil, err
		}
		want, got = append(want, strings.Fields(s.Reference)...), append(got, strings.Fields(s.Output)...)
	}
	counts := metric.Counts{0, 0, 0}
	for k, word := range want {
		if k < len(got) && got[k] == word {
			counts[0]++
		} else {
			counts[1]++
		}
	}
	tallies := []bench.Tally{{Dimension: "overall", Counts: counts}, {Dimension: "talk", Group: e.order[i], Counts: counts}}
	return &bench.Result{Unit: e.order[i], Cluster: e.order[i], Outcome: omniscope.OK, Tallies: [2][]bench.Tally{tallies, tallies},
		Records: [][]byte{fmt.Appendf(nil, "{\"talk\":%q,\"words\":%d}\n", e.order[i], len(want))}}, nil
}

func options(workers int) bench.Options {
	return bench.Options{Engine: &local.Engine{Workers: workers}}
}

const segments = `{"talk": "a", "reference": "one two", "output": "one"}
{"talk": "b", "reference": "x y", "output": "x z"}
{"talk": "a", "reference": "three", "output": "two three"}
`

func TestUnitsOfSeveralSamples(t *testing.T) {
	in := bench.Inputs{Predictions: fixture.File(t, "lines.jsonl", segments)}
	benchtest.Run(t, joined{}, in, options, "talk")

	ev, err := joined{}.Open(t.Context(), in)
	fixture.OK(t, err)
	defer ev.Close()
	r, err := bench.Score(t.Context(), joined{}, ev, bench.Strict, options(1))
	fixture.OK(t, err)
	if got := r.Headline.Scores["hits"]; *got.Value != 4.0/5 || got.N != 5 || got.Clusters != 2 || r.Samples != 2 {
		t.Errorf("%d units, %+v", r.Samples, got)
	}
}
