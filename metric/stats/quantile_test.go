package stats

import "testing"

func TestNormalCritical(t *testing.T) {
	for level, want := range map[float64]float64{
		0.90: 1.644853627, 0.95: 1.959963985, 0.99: 2.575829304,
	} {
		near(t, "z", normalCritical(level), want, 1e-8)
	}
}

// Values from standard tables of Student's t.
func TestTCritical(t *testing.T) {
	tests := []struct {
		level float64
		df    int
		want  float64
	}{
		{0.95, 1, 12.70620}, {0.95, 2, 4.302653}, {0.95, 3, 3.182446},
		{0.95, 4, 2.776445}, {0.95, 5, 2.570582}, {0.95, 10, 2.228139},
		{0.95, 28, 2.048407}, {0.90, 7, 1.894579}, {0.99, 5, 4.032143},
		{0.99, 1, 63.65674}, {0.999, 2, 31.59905},
	}
	for _, test := range tests {
		near(t, "t", tCritical(test.level, test.df), test.want, 1e-5*test.want)
	}
	near(t, "t for many degrees of freedom", tCritical(0.95, 1_000_000), normalCritical(0.95), 1e-5)
}

func TestPercentile(t *testing.T) {
	sorted := []float64{10, 20, 30, 40}
	for p, want := range map[float64]float64{
		0: 10, 0.1: 10, 0.2: 10, 0.3: 15, 0.5: 25, 0.7: 35, 0.8: 40, 1: 40,
	} {
		near(t, "percentile", percentile(sorted, p), want, 1e-12)
	}
}
