package curve

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"omniscope/compare"
	"omniscope/metric"
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
	if iv := accuracy.Interval; iv == nil || iv.Low >= 0.45 || iv.High <= 0.45 {
		t.Errorf("%+v", accuracy.Interval)
	}
}
