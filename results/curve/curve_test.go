package curve

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/results"
	"omniscope/results/compare"
)

// units have as many words as their number, and accuracies that grow with them: unit i
// of n has i right blanks of n.
func units(n int, words func(i int) float64) (all []placed) {
	for i := range n {
		counts := make(metric.Counts, len(metric.Cloze.Fields))
		counts[metric.ClozeCorrect], counts[metric.ClozeNotGiven] = float64(i), float64(n-i)
		all = append(all, placed{compare.Unit{Name: fmt.Sprint(i), Cluster: fmt.Sprint(i / 2), Counts: counts}, words(i)})
	}
	return all
}

func TestBinsAreOfOneSizeAndKeepEqualsTogether(t *testing.T) {
	sizes := func(bins [][]placed) (out []int) {
		for _, b := range bins {
			out = append(out, len(b))
		}
		return out
	}
	for _, c := range []struct {
		n, bins int
		words   func(int) float64
		want    []int
	}{
		{10, 5, func(i int) float64 { return float64(i) }, []int{2, 2, 2, 2, 2}},
		{11, 3, func(i int) float64 { return float64(i) }, []int{4, 4, 3}},
		{2, 5, func(i int) float64 { return float64(i) }, []int{1, 1}},
		{10, 2, func(int) float64 { return 7 }, []int{10}},
		{10, 5, func(i int) float64 { return float64(i / 5) }, []int{5, 5}},
	} {
		if got := sizes(binned(units(c.n, c.words), c.bins)); !slices.Equal(got, c.want) {
			t.Errorf("%d units in %d bins: %v, want %v", c.n, c.bins, got, c.want)
		}
	}
}

func TestPointOfABin(t *testing.T) {
	p := point(units(10, func(i int) float64 { return float64(10 * i) }), metric.Cloze.Scores, 0)
	accuracy := p.Values["accuracy"]
	if p.X != 45 || p.Where != "0–90" || p.Units != 10 || p.Clusters != 5 || accuracy.Value == nil || math.Abs(*accuracy.Value-0.45) > 1e-12 {
		t.Errorf("%+v, %+v", p, accuracy)
	}
	if accuracy.Interval != nil {
		t.Errorf("5 clips have the interval %+v", accuracy.Interval)
	}
	p = point(units(20, func(i int) float64 { return float64(10 * i) }), metric.Cloze.Scores, 0)
	accuracy = p.Values["accuracy"]
	if iv := accuracy.Interval; iv == nil || iv.Low >= *accuracy.Value || iv.High <= *accuracy.Value {
		t.Errorf("%+v", accuracy.Interval)
	}
}

func TestPartsOfNames(t *testing.T) {
	p, err := newPattern("{system}_{modality}_{track}_{lang}_{prompts}")
	fixture.OK(t, err)
	for _, c := range []struct{ name, part, value, others string }{
		{"ola_audio_long_de_fixed", "prompts", "fixed", "ola audio long de"},
		{"my_own_model_text_short_zh_random", "modality", "text", "my_own_model short zh random"},
		{"ola_audio_long", "prompts", "", ""},
	} {
		value, others, ok := p.of(c.name, c.part)
		if ok != (c.value != "") || ok && (value != c.value || others != c.others) {
			t.Errorf("%s: %q of %q, %v", c.name, value, others, ok)
		}
	}
	for _, text := range []string{"system", "{system}", "{system}_{lang", "{a}{B}"} {
		if _, err := newPattern(text); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// TestCurveOverAPartOfNames sets fixed prompts against mixed ones, a line for each system
// and modality.
func TestCurveOverAPartOfNames(t *testing.T) {
	var runs []*compare.Run
	for i, name := range []string{"ola_audio_fixed", "ola_audio_mixed", "ola_text_fixed", "ola_text_mixed"} {
		value := float64(i)
		r := &document.Results{System: name, Scorings: []document.ScoringInfo{{Name: "strict", Slices: []document.Slice{
			{Dimension: "overall", Scores: map[string]omniscope.Score{"accuracy": {Value: &value}}}}}}}
		runs = append(runs, &compare.Run{Run: &results.Run{Results: r}})
	}
	c, err := Of(t.Context(), runs, &metric.Cloze, Options{By: "prompts", Names: "{system}_{modality}_{prompts}", Scoring: bench.Strict})
	fixture.OK(t, err)
	if len(c.Lines) != 2 || c.Lines[1].Name != "ola text" || !slices.Equal(c.Places, []string{"fixed", "mixed"}) || len(c.Lines[1].Points) != 2 || *c.Lines[1].Points[1].Values["accuracy"].Value != 3 {
		t.Errorf("%+v", c)
	}
	if _, err := Of(t.Context(), runs, &metric.Cloze, Options{By: "lang", Names: "{system}_{modality}_{lang}_{prompts}", Scoring: bench.Strict}); err == nil {
		t.Error("names of another form are taken")
	}
}
