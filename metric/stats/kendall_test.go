package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// slowKendall looks at all pairs.
func slowKendall(x, y []float64) float64 {
	excess, untiedX, untiedY := 0.0, 0.0, 0.0
	for i := range x {
		for j := range i {
			dx, dy := x[i]-x[j], y[i]-y[j]
			if dx != 0 {
				untiedX++
			}
			if dy != 0 {
				untiedY++
			}
			if dx*dy > 0 {
				excess++
			} else if dx*dy < 0 {
				excess--
			}
		}
	}
	return excess / math.Sqrt(untiedX) / math.Sqrt(untiedY)
}

func TestKendall(t *testing.T) {
	// The example of scipy.stats.kendalltau.
	got := Kendall([]float64{12, 2, 1, 12, 2}, []float64{1, 4, 7, 1, 0})
	near(t, "tau", got.R, -0.47140452079103173, 1e-15)
	src := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 2 + src.IntN(40)
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = float64(src.IntN(8)), float64(src.IntN(8))
		}
		got, want := Kendall(x, y), slowKendall(x, y)
		if got.Known == math.IsNaN(want) || got.Known && math.Abs(got.R-want) > 1e-12 {
			t.Fatalf("%v, %v: %+v, want %v", x, y, got, want)
		}
	}
	if got := Kendall([]float64{1, 2}, []float64{3, 3}); got.Known {
		t.Errorf("of a constant: %+v", got)
	}
}

// TestIntervalOfCorrelation: r = 0.6 of 28 pairs; atanh 0.6 = ln 2, and 1.959964/5 each way.
func TestIntervalOfCorrelation(t *testing.T) {
	iv := Correlation{Known: true, R: 0.6, N: 28}.Interval(0.95)
	near(t, "low", iv.Low, math.Tanh(math.Ln2-0.3919927969080108), 1e-12)
	near(t, "high", iv.High, math.Tanh(math.Ln2+0.3919927969080108), 1e-12)
	wantUnavailable(t, "three pairs", Correlation{Known: true, R: 0.6, N: 3}.Interval(0.95), "fewer than 4 pairs")
	wantUnavailable(t, "a line", Correlation{Known: true, R: 1, N: 9}.Interval(0.95), "one line")
	wantUnavailable(t, "none", Correlation{N: 9}.Interval(0.95), "no correlation")
}
