package mcif

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/runtest"
	"omniscope/metric"
	"omniscope/metric/remember"
	"omniscope/run"
)

// rememberedLengths are the stand-ins as networks are used: what they compute is
// remembered, and counted. Every third answer depends on its batch.
func rememberedLengths(journal run.Journal, calls *atomic.Int64) *Scorers {
	s, once := trusted(), &run.Once{Journal: journal}
	pairs := &remember.Scorer[metric.Similarity]{Identity: "pairs", Score: func(_ context.Context, texts [][]string) ([]metric.Similarity, error) {
		calls.Add(int64(len(texts[0])))
		values := similarities(alikeInLength(texts[0], texts[1]))
		for i := range values {
			values[i].HypothesisTokens, values[i].ReferenceTokens = len(texts[0][i]), len(texts[1][i])
			if len(texts[0][i])%3 == 0 {
				values[i].F1[1] = [2]float64{values[i].Alone() / 3, values[i].Alone() / 7}
			}
		}
		return values, nil
	}}
	lines := &remember.Scorer[float64]{Identity: "lines", Score: func(_ context.Context, texts [][]string) ([]float64, error) {
		calls.Add(int64(len(texts[0])))
		return alikeInLength(texts[1], texts[2]), nil
	}}
	s.BERTScore = func(ctx context.Context, p Pairs) ([]metric.Similarity, error) {
		return pairs.Scores(ctx, once, p.Steps, p.Hypotheses, p.References)
	}
	s.COMET = func(ctx context.Context, t Triples) ([]float64, error) {
		return lines.Scores(ctx, once, t.Steps, t.Sources, t.Hypotheses, t.References)
	}
	return s
}

// aTestSet has many answers, some talks that strict and official cut otherwise,
// and summaries.
func aTestSet(talks, answers int) (refs []mcifxml.Reference, out []string) {
	for i := range talks {
		talk, id := fmt.Sprintf("t%02d", i), fmt.Sprintf("x%d", i)
		refs = append(refs, translationOf(talk, id, "one two\nthree\nfour", "eins zwei\ndrei\nvier"))
		out = append(out, id, []string{"eins zwei drei vier", "vier", " ", "eins oder zwei, und vier"}[i%4])
		refs, out = append(refs, summaryOf(talk, "s"+id, strings.Repeat("kurz ", i+1))), append(out, "s"+id, "kurz und gut")
		for k := range answers {
			id := fmt.Sprintf("q%d_%d", i, k)
			refs, out = append(refs, answerTo(fmt.Sprintf("%s_%d", talk, k), id, strings.Repeat("Antwort", 1+k%5))), append(out, id, strings.Repeat("ja", (i+k)%11))
		}
	}
	return refs, out
}

func TestUnitsScoredAnywhere(t *testing.T) {
	refs, out := aTestSet(6, 30)
	for _, c := range []struct {
		name string
		out  []string
	}{{"all is there", out}, {"official stops", without(out, "q3_3")}} {
		t.Run(c.name, func(t *testing.T) {
			in := bench.Inputs{Predictions: outputFile(t, "long", "de", c.out...), Data: referenceFile(t, "long", "de", refs...)}
			benchtest.Isolated(t, func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs) {
				return Benchmark{Track: "long", Lang: "de", Breakdown: true, Scorers: rememberedLengths(journal, calls)}, in
			}, func() run.Journal { return runtest.NewMemory() }, benchtest.Workers)
		})
	}
}

// What official makes of an answer depends on the others of its batch of 64
// where padding matters, and on no more.
func TestBatchOfAnswer(t *testing.T) {
	refs, out := aTestSet(6, 30)
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", out...), Data: referenceFile(t, "long", "de", refs...)}
	var calls atomic.Int64
	b := Benchmark{Track: "long", Lang: "de", Scorers: rememberedLengths(runtest.NewMemory(), &calls)}
	e, _ := scored(t, b, in)
	padded := 0
	for task, group := range map[string][]*unit{qa: e.groups[qa], sum: e.groups[sum]} {
		for start := 0; start < len(group); start += 64 {
			batch := group[start:min(start+64, len(group))]
			longest := 0
			for _, u := range batch {
				longest = max(longest, len(u.hypotheses[0]))
			}
			for _, u := range batch {
				h, r := u.hypotheses[0], u.ref.Text
				want := alikeInLength([]string{h}, []string{r})[0]
				if len(h)%3 == 0 && len(h) < longest {
					padded++
					shorter := false
					for _, other := range batch {
						shorter = shorter || len(other.ref.Text) > len(r)
					}
					if shorter {
						want /= 7
					} else {
						want /= 3
					}
				}
				if got := e.officialF1(u); got != want {
					t.Errorf("%s of %s: %v, want %v", task, u.ref.IID, got, want)
				}
			}
		}
	}
	if padded < 20 {
		t.Errorf("padding matters %d times only", padded)
	}
}

// Texts are compared many at a time, each once, before the units are evaluated.
func TestUnitsWarmedTogether(t *testing.T) {
	refs, out := aTestSet(10, 40)
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", out...), Data: referenceFile(t, "long", "de", refs...)}
	b := Benchmark{Track: "long", Lang: "de", Scorers: trusted()}
	var mu sync.Mutex
	var sizes []int
	inner := b.Scorers.BERTScore
	b.Scorers.BERTScore = func(ctx context.Context, p Pairs) ([]metric.Similarity, error) {
		mu.Lock()
		defer mu.Unlock()
		sizes = append(sizes, len(p.Hypotheses))
		return inner(ctx, p)
	}
	e, _ := scored(t, b, in)
	asked := 0
	for _, n := range sizes {
		asked += n
	}
	scorable := 0
	for _, u := range e.units {
		if u.ref.Task != trans {
			scorable++
		}
	}
	if len(sizes) != 2 || asked != scorable {
		t.Errorf("%d pairs were compared in parts of %v, want %d in two", asked, sizes, scorable)
	}
}
