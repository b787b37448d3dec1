package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// ratio is field num over field den.
func ratio(num, den int) Statistic {
	return func(sum []float64) (float64, bool) {
		return sum[num] / sum[den], sum[den] != 0
	}
}

// f1 is 2·a / (2·a + b + c) of fields 0, 1 and 2.
func f1(sum []float64) (float64, bool) {
	den := 2*sum[0] + sum[1] + sum[2]
	return 2 * sum[0] / den, den > 0
}

// correlated draws k clusters of 4 to 12 items with fields correct, wrong and
// total. A cluster is easy (95 % correct) or hard (35 %) with equal chance, so
// the true accuracy is 0.65 and items within a cluster correlate strongly.
func correlated(src *rand.Rand, k int) Clusters {
	c := Clusters{Width: 3}
	for range k {
		p := 0.35
		if src.IntN(2) == 0 {
			p = 0.95
		}
		size, correct := 4+src.IntN(9), 0.0
		for range size {
			if src.Float64() < p {
				correct++
			}
		}
		c.Rows = append(c.Rows, correct, float64(size)-correct, float64(size))
	}
	return c
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tolerance)
	}
}

func wantUnavailable(t *testing.T, what string, iv Interval, reason string) {
	t.Helper()
	if iv.Known || !math.IsNaN(iv.Low) || !math.IsNaN(iv.High) {
		t.Errorf("%s: got numbers in %+v", what, iv)
	}
	if !strings.HasPrefix(iv.Method, "not available: ") || !strings.Contains(iv.Method, reason) {
		t.Errorf("%s: Method %q does not give the reason %q", what, iv.Method, reason)
	}
}
