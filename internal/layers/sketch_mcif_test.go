package layers

import (
	"context"
	"math"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/run/local"
)

// This file is the sketch of design/types.md for a unit of several samples:
// MCIF joins the segments of a talk and scores the talk.

// The counts of a talk. They add up: over talks to the corpus, over a resample
// of talks to its bootstrap.
const (
	hits = iota
	substitutions
	deletions
	insertions
	unscoredWords
	cometSum
	cometLines
)

var mcifMetric = metric.Metric{
	Name:   "mcif",
	Fields: []string{"hits", "substitutions", "deletions", "insertions", "unscored_words", "comet_sum", "comet_lines"},
	Scores: []metric.Score{
		{Name: "wer", Title: "WER", Percent: true, Lower: true,
			Value: func(c metric.Counts) (float64, bool) {
				return (c[substitutions] + c[deletions] + c[insertions]) / words(c), words(c) > 0
			},
			Bounds:   noBounds, // a WER has no highest value
			N:        func(c metric.Counts) int { return int(words(c)) },
			Unscored: func(c metric.Counts) int { return int(c[unscoredWords]) }},
		{Name: "comet", Title: "COMET",
			Value:    func(c metric.Counts) (float64, bool) { return c[cometSum] / c[cometLines], c[cometLines] > 0 },
			Bounds:   noBounds,
			N:        func(c metric.Counts) int { return int(c[cometLines]) },
			Unscored: func(metric.Counts) int { return 0 }},
	},
}

func words(c metric.Counts) float64 { return c[hits] + c[substitutions] + c[deletions] }

func noBounds(metric.Counts) (low, high float64, ok bool) { return 0, 0, false }

// A talk is one scoring unit: several samples, each with its own hypothesis.
type talk struct {
	id        string
	samples   []omniscope.SampleID // its segments, in order
	reference []string             // its lines
}

type mcif struct {
	talks      []talk
	hypotheses map[omniscope.SampleID]string // "" counts, absent is missing
	comet      func(hypothesis, reference string) float64
}

func (e *mcif) Plan() *bench.Plan {
	return &bench.Plan{System: "sketch", Units: len(e.talks), Baseline: true, Steps: func(i int) string { return e.talks[i].id }}
}

func (e *mcif) Requests(int) ([]*model.Request, error) { return nil, nil } // no judge is asked

func (e *mcif) Close() error { return nil }

// Evaluate scores talk i as a whole.
func (e *mcif) Evaluate(_ context.Context, i int) (*bench.Result, error) {
	t, counts := e.talks[i], make(metric.Counts, len(mcifMetric.Fields))
	hypothesis, missing := e.join(t)
	reference := strings.Join(t.reference, " ")
	counts[hits], counts[substitutions], counts[deletions], counts[insertions] = align(strings.Fields(reference), strings.Fields(hypothesis))
	for n, line := range resegment(hypothesis, t.reference) {
		counts[cometSum] += e.comet(line, t.reference[n])
		counts[cometLines]++
	}
	r := &bench.Result{Unit: t.id, Cluster: t.id, Outcome: omniscope.OK}
	r.Tallies[bench.Official] = []bench.Tally{{Dimension: "overall", Counts: counts}}
	r.Tallies[bench.Strict] = r.Tallies[bench.Official]
	if missing > 0 { // official scores what is there; strict leaves the talk out and says so
		r.Outcome = omniscope.Missing
		unscored := make(metric.Counts, len(mcifMetric.Fields))
		unscored[unscoredWords] = float64(len(strings.Fields(reference)))
		r.Tallies[bench.Strict] = []bench.Tally{{Dimension: "overall", Counts: unscored}}
		r.Differences = []bench.UnitDifference{{What: "talk with a segment missing", Items: missing,
			Official: "scored without it", Strict: "left unscored"}}
	}
	return r, nil
}

// join makes a talk's hypothesis of its segments', in the order of the list.
func (e *mcif) join(t talk) (hypothesis string, missing int) {
	var parts []string
	for _, id := range t.samples {
		text, ok := e.hypotheses[id]
		if !ok {
			missing++
			continue
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " "), missing
}

// align counts the edits of a cheapest alignment of two word lists.
func align(reference, hypothesis []string) (hit, sub, del, ins float64) {
	type cell struct{ hit, sub, del, ins float64 }
	cost := func(c cell) float64 { return c.sub + c.del + c.ins }
	row := make([]cell, len(hypothesis)+1)
	for j := range row {
		row[j].ins = float64(j)
	}
	for _, want := range reference {
		diagonal := row[0]
		row[0].del++
		for j, got := range hypothesis {
			best := diagonal
			if want == got {
				best.hit++
			} else {
				best.sub++
			}
			if c := row[j+1]; cost(c)+1 < cost(best) {
				best = c
				best.del++
			}
			if c := row[j]; cost(c)+1 < cost(best) {
				best = c
				best.ins++
			}
			diagonal, row[j+1] = row[j+1], best
		}
	}
	last := row[len(hypothesis)]
	return last.hit, last.sub, last.del, last.ins
}

// resegment stands for the real one, which cuts a hypothesis at the reference's
// lines; here it goes by the number of words.
func resegment(hypothesis string, reference []string) []string {
	rest, lines := strings.Fields(hypothesis), make([]string, len(reference))
	for i, line := range reference {
		n := min(len(strings.Fields(line)), len(rest))
		lines[i], rest = strings.Join(rest[:n], " "), rest[n:]
	}
	return lines
}

func TestSketchOneUnitOfSeveralSamples(t *testing.T) {
	e := &mcif{
		talks: []talk{
			{"talk 1", []omniscope.SampleID{"1", "2", "3"}, []string{"good morning all", "we start now"}},
			{"talk 2", []omniscope.SampleID{"4"}, []string{"thank you"}},
			{"talk 3", []omniscope.SampleID{"5", "6"}, []string{"any questions"}},
		},
		hypotheses: map[omniscope.SampleID]string{"1": "good morning", "2": "all we begin", "3": "now", "4": "thank you very much", "5": "any"},
		comet: func(hypothesis, reference string) float64 {
			if hypothesis == reference {
				return 1
			}
			return 0.5
		},
	}
	r := scoreSketch(t, sketch{&mcifMetric}, e)
	want(t, r, "official", "wer", (1.0+2+1)/(6+2+2)) // one substituted, two inserted, one deleted
	want(t, r, "strict", "wer", (1.0+2)/(6+2))
	want(t, r, "official", "comet", (1+0.5+1+0.5)/4)
	if s := r.Headline.Scores["wer"]; s.N != 8 || s.Unscored != 2 || s.Clusters != 3 {
		t.Errorf("strict counts %d words, %d unscored, %d talks", s.N, s.Unscored, s.Clusters)
	}
}

// A sketch is a benchmark of which only the metric matters.
type sketch struct{ metric *metric.Metric }

func (s sketch) Info() bench.Info { return bench.Info{Name: "sketch", Metric: s.metric} }

func (s sketch) Open(context.Context, bench.Inputs) (bench.Evaluation, error) { return nil, nil }

func scoreSketch(t *testing.T, b bench.Benchmark, ev bench.Evaluation) *omniscope.Results {
	t.Helper()
	r, err := bench.Score(context.Background(), b, ev, bench.Strict, bench.Options{Engine: &local.Engine{Workers: 2}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func want(t *testing.T, r *omniscope.Results, profile, score string, value float64) {
	t.Helper()
	for _, p := range r.Profiles {
		if p.Name != profile {
			continue
		}
		if got := p.Slices[0].Scores[score].Value; got == nil || math.Abs(*got-value) > 1e-12 {
			t.Errorf("%s %s is %v, want %g", profile, score, got, value)
		}
	}
}
