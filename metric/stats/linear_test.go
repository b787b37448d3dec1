package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// For equal cluster sizes the ratio is the mean of the cluster proportions, and
// its interval the textbook one for a mean.
func TestLinearisedEqualSizes(t *testing.T) {
	c := Clusters{Width: 2, Rows: []float64{2, 10, 4, 10, 6, 10, 8, 10}}
	// Proportions 0.2, 0.4, 0.6, 0.8: sd² = 0.2/3, se = sqrt(0.2/12).
	half := 3.182446 * math.Sqrt(0.2/12)
	got := linearised(c, ratio(0, 1), 0.95)
	near(t, "low", got.Low, 0.5-half, 1e-6)
	near(t, "high", got.High, 0.5+half, 1e-6)
	if !got.Known || got.Method != "linearised, Student t" {
		t.Errorf("got %+v", got)
	}
}

// For a ratio the linearised variance has a closed form in the residuals
// correct - r·total, here with unequal clusters and the normal quantile.
func TestLinearisedRatio(t *testing.T) {
	c := correlated(rand.New(rand.NewPCG(7, 7)), 30)
	total := c.Total()
	r := total[0] / total[2]
	squares := 0.0
	for i := 0; i < len(c.Rows); i += 3 {
		e := c.Rows[i] - r*c.Rows[i+2]
		squares += e * e
	}
	half := 1.959963985 * math.Sqrt(30.0/29*squares) / total[2]
	got := linearised(c, ratio(0, 2), 0.95)
	near(t, "low", got.Low, r-half, 1e-8)
	near(t, "high", got.High, r+half, 1e-8)
	if got.Method != "linearised, normal" {
		t.Errorf("method %q", got.Method)
	}
}

// A statistic that rejects impossible counts is defined on one side only of a
// perfect score; the derivative must come from that side.
func TestGradientAtEdgeOfDomain(t *testing.T) {
	strict := func(sum []float64) (float64, bool) {
		return sum[0] / sum[1], sum[0] <= sum[1]
	}
	point := []float64{50, 50}
	got, ok := gradientAt(strict, point, point, 1)
	if !ok {
		t.Fatal("no gradient")
	}
	near(t, "by correct", got[0], 1.0/50, 1e-6)
	near(t, "by total", got[1], -1.0/50, 1e-6)
	onlyHere := func(sum []float64) (float64, bool) { return 1, sum[0] == 50 }
	if _, ok := gradientAt(onlyHere, point, point, 1); ok {
		t.Error("gradient of a statistic defined at one point")
	}
}

// The two methods must agree for smooth statistics of many clusters, whatever
// the units of the fields.
func TestMethodsAgree(t *testing.T) {
	c := correlated(rand.New(rand.NewPCG(8, 8)), 1500)
	for i := range c.Rows {
		c.Rows[i] *= 1e-6
	}
	for name, stat := range map[string]Statistic{"ratio": ratio(0, 2), "f1": f1} {
		boot := Bootstrap(c, []Statistic{stat}, Options{Resamples: 8000})[0]
		linear := linearised(c, stat, 0.95)
		width := linear.High - linear.Low
		near(t, name+" low", boot.Low, linear.Low, 0.03*width)
		near(t, name+" high", boot.High, linear.High, 0.03*width)
	}
}
