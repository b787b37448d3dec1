package stats

import (
	"math"
	"testing"
)

// The first four rows are published: R. G. Newcombe, "Two-sided confidence
// intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
func TestWilson(t *testing.T) {
	tests := []struct{ successes, n, low, high float64 }{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		{0, 10, 0, 0.2775},
		{10, 100, 0.0552, 0.1744},
		{10, 10, 1 - 0.2775, 1},
	}
	for _, test := range tests {
		got := Wilson(test.successes, test.n, 0.95)
		if !got.Known || got.Level != 0.95 {
			t.Errorf("Wilson(%v, %v) = %+v", test.successes, test.n, got)
		}
		near(t, "low", got.Low, test.low, 0.00005)
		near(t, "high", got.High, test.high, 0.00005)
	}
}

func TestWilsonEnds(t *testing.T) {
	for _, n := range []float64{1, 3, 7, 10, 1000, 1e9, 1e15} {
		if none := Wilson(0, n, 0.95); none.Low != 0 || !(none.High > 0 && none.High < 1) {
			t.Errorf("0 of %v: %+v", n, none)
		}
		if all := Wilson(n, n, 0.95); all.High != 1 || !(all.Low > 0 && all.Low < 1) {
			t.Errorf("%v of %v: %+v", n, n, all)
		}
	}
}

// Both ends must solve the equation that defines them.
func TestWilsonSolvesScoreEquation(t *testing.T) {
	for _, level := range []float64{0.5, 0.9, 0.95, 0.999} {
		z := normalCritical(level)
		for _, s := range []float64{0.5, 3, 20, 39.25} {
			const n = 40
			iv := Wilson(s, n, level)
			for _, end := range []float64{iv.Low, iv.High} {
				p := s / n
				near(t, "n(p-t)² - z²t(1-t)", n*(p-end)*(p-end)-z*z*end*(1-end), 0, 1e-12)
			}
		}
	}
}

func TestWilsonUnavailable(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, args := range [][3]float64{
		{0, 0, 0.95}, {1, -5, 0.95}, {1, nan, 0.95}, {1, inf, 0.95},
		{-1, 10, 0.95}, {11, 10, 0.95}, {nan, 10, 0.95},
		{1, 10, 0}, {1, 10, 1}, {1, 10, 95}, {1, 10, nan},
	} {
		wantUnavailable(t, "Wilson", Wilson(args[0], args[1], args[2]), "")
	}
}
