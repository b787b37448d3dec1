//go:build ort

package ort

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/metric/neural"
	"omniscope/metric/neural/encoder"
	"omniscope/metric/neural/isa"
)

// options are those of either engine.
func (r *Runtime) options() (own, other neural.Options) {
	own = neural.Options{Set: isa.Best(), Threads: 2}
	other = own
	other.Runtime = &neural.Runtime{Name: r.Name(), Load: func(c encoder.Config, weights string, layers []int, threads int) (neural.Forwarder, error) {
		return r.Load(c, weights, layers, threads)
	}}
	return own, other
}

// goldenRows reads rows of strings by name.
func goldenRows(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	f, err := os.Open(tiny(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var all map[string]any
		if err := json.Unmarshal(lines.Bytes(), &all); err != nil {
			t.Fatal(err)
		}
		row := make(map[string]string)
		for k, v := range all {
			if s, ok := v.(string); ok {
				row[k] = s
			}
		}
		rows = append(rows, row)
	}
	if lines.Err() != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), lines.Err())
	}
	return rows
}

func TestBERTScoreIsThatOfTheOwnEngine(t *testing.T) {
	r := open(t)
	for lang, model := range map[string]string{"en": "tiny_roberta", "de": "tiny_mbert", "it": "tiny_mbert", "zh": "tiny_zhbert"} {
		var hypotheses, references []string
		for _, row := range goldenRows(t, "bertscore_"+lang+".jsonl") {
			hypotheses, references = append(hypotheses, row["cand"]), append(references, row["ref"])
		}
		score := func(o neural.Options) []neural.PairScore {
			b, err := neural.OpenBERTScore(tiny(t, model), lang, o)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			scores, err := b.Score(t.Context(), hypotheses, references, true)
			if err != nil {
				t.Fatal(err)
			}
			signature, err := b.Signature("official")
			if err != nil || strings.Contains(signature, r.Name()) != (o.Runtime != nil) {
				t.Errorf("signature %q, %v", signature, err)
			}
			return scores
		}
		own, other := r.options()
		worst := 0.0
		got := score(other)
		for i, want := range score(own) {
			for _, d := range []float32{got[i].Raw.P - want.Raw.P, got[i].Raw.R - want.Raw.R, got[i].Raw.F - want.Raw.F} {
				worst = larger(worst, d)
			}
		}
		t.Logf("%s: %d pairs, at most %.2g away", lang, len(got), worst)
		if !(worst <= 5e-6) {
			t.Errorf("%s: %.2g away", lang, worst)
		}
	}
}

// larger is the larger distance, and NaN if either is.
func larger(worst float64, d float32) float64 {
	return math.Max(worst, math.Abs(float64(d)))
}

func TestCOMETIsThatOfTheOwnEngine(t *testing.T) {
	r := open(t)
	var sources, hypotheses, references []string
	for _, row := range goldenRows(t, filepath.Join("tiny_comet", "comet.jsonl")) {
		sources, hypotheses, references = append(sources, row["src"]), append(hypotheses, row["mt"]), append(references, row["ref"])
	}
	score := func(o neural.Options) []float64 {
		c, err := neural.OpenCOMET(tiny(t, "tiny_comet"), o)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		scores, err := c.Score(t.Context(), sources, hypotheses, references)
		if err != nil {
			t.Fatal(err)
		}
		return scores
	}
	own, other := r.options()
	worst := 0.0
	got := score(other)
	for i, want := range score(own) {
		worst = larger(worst, float32(got[i]-want))
	}
	t.Logf("%d segments, at most %.2g away", len(got), worst)
	if !(worst <= 5e-6) {
		t.Errorf("%.2g away", worst)
	}
}
