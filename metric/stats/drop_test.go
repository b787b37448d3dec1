package stats

import (
	"math"
	"slices"
	"testing"
)

// drops are eight clips of whose 256 ways to swap sides 8 give a gain of 9 or more: half of those of
// TestPermutationOfEightClips, which counts both directions.
func drops() (better, worse Clusters) {
	return oneField(8, 7, 6, 9, 6, 8, 8, 7), oneField(7, 5, 6, 8, 4, 9, 6, 5)
}

func TestDropOfEightClips(t *testing.T) {
	better, worse := drops()
	near(t, "a drop", DropTest(better, worse, Drop{Value: total0}, Options{}).P, 8.0/256, 1e-15)
	// Two ways have a larger gain than 9: the one difference that is turned the other way joins the rest, and one is 0.
	near(t, "a gain where lower is better", DropTest(better, worse, Drop{Value: total0, Lower: true}, Options{}).P, 254.0/256, 1e-15)
	near(t, "a drop where lower is better", DropTest(worse, better, Drop{Value: total0, Lower: true}, Options{}).P, 8.0/256, 1e-15)
	same := DropTest(better, better, Drop{Value: total0}, Options{})
	if !same.Known || same.P != 1 {
		t.Errorf("equal sides: %+v", same)
	}
}

// TestDropMargin gives the margin back by hand: the differences are -1 -2 0 -1 -2 +1 -2 -2.
func TestDropMargin(t *testing.T) {
	better, worse := drops()
	for _, margin := range []float64{0.8, 4, 8.8, 12} {
		shifted := slices.Clone(worse.Rows)
		for i := range shifted {
			shifted[i] += margin / 8
		}
		want := DropTest(better, oneField(shifted...), Drop{Value: total0}, Options{}).P
		near(t, "margin", DropTest(better, worse, Drop{Value: total0, Margin: margin}, Options{}).P, want, 1e-15)
	}
	// All of an allowed drop of 2 in the second clip: its difference is gone.
	want := DropTest(better, oneField(7, 7, 6, 8, 4, 9, 6, 5), Drop{Value: total0}, Options{}).P
	got := DropTest(better, worse, Drop{Value: total0, Margin: 2, Weights: []float64{0, 3, 0, 0, 0, 0, 0, 0}}, Options{})
	near(t, "weights", got.P, want, 1e-15)
	last := 0.0
	for _, margin := range []float64{0, 1, 3, 6, 9, 20} {
		p := DropTest(better, worse, Drop{Value: total0, Margin: margin}, Options{}).P
		if p < last {
			t.Errorf("a larger margin, %g, has a smaller p: %g after %g", margin, p, last)
		}
		last = p
	}
}

func TestDropTestNotAvailable(t *testing.T) {
	better, worse := drops()
	for name, got := range map[string]Test{
		"one cluster":     DropTest(oneField(1), oneField(0), Drop{Value: total0}, Options{}),
		"other clusters":  DropTest(better, oneField(1, 2), Drop{Value: total0}, Options{}),
		"negative margin": DropTest(better, worse, Drop{Value: total0, Margin: -1}, Options{}),
		"no margin":       DropTest(better, worse, Drop{Value: total0, Margin: math.NaN()}, Options{}),
		"too few weights": DropTest(better, worse, Drop{Value: total0, Weights: []float64{1}}, Options{}),
		"no weight":       DropTest(better, worse, Drop{Value: total0, Weights: make([]float64, 8)}, Options{}),
		"undefined":       DropTest(oneField(0, 0), oneField(0, 0), Drop{Value: ratio(0, 0)}, Options{}),
	} {
		if got.Known || !math.IsNaN(got.P) || got.Method == "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestLeastP makes the clearest drop that so many clusters can show.
func TestLeastP(t *testing.T) {
	for _, k := range []int{2, 4, 7, 16, 40} {
		high, low := make([]float64, k), make([]float64, k)
		for i := range high {
			high[i] = 1
		}
		opts := Options{Resamples: 999}
		got := DropTest(oneField(high...), oneField(low...), Drop{Value: total0}, opts)
		near(t, "least p", got.P, LeastP(k, opts), 1e-15)
	}
	for p, want := range map[float64]int{0.05: 5, 0.0125: 7, 0.26: 2, 0.001: 10, 1e-9: 0} {
		if got := ClustersForP(p, Options{}); got != want {
			t.Errorf("p of %g: %d clusters, want %d", p, got, want)
		}
	}
}
