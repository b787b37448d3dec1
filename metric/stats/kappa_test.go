package stats

import (
	"math"
	"testing"
)

func TestKappaByHand(t *testing.T) {
	for _, c := range []struct {
		name  string
		table [][]int
		want  float64
	}{
		// po = 35/50, pe = (25·30 + 25·20)/50² = 0.5.
		{"two raters of fifty", [][]int{{20, 5}, {10, 15}}, 0.4},
		// po = 0.60 in both; pe = 0.54 here and 0.46 below.
		{"even margins", [][]int{{45, 15}, {25, 15}}, 0.06 / 0.46},
		{"uneven margins", [][]int{{25, 35}, {5, 35}}, 0.14 / 0.54},
		{"agreement throughout", [][]int{{3, 0, 0}, {0, 4, 0}, {0, 0, 5}}, 1},
		{"as by chance", [][]int{{4, 6}, {8, 12}}, 0},
		{"never the same", [][]int{{0, 5}, {5, 0}}, -1},
		// Cohen (1960), table 1, in whole items: po = 0.70, pe = 0.41.
		{"three categories", [][]int{{88, 14, 18}, {10, 40, 10}, {2, 6, 12}}, (0.70 - 0.41) / (1 - 0.41)},
	} {
		got, ok := CohenKappa(c.table)
		near(t, c.name, got, c.want, 1e-14)
		if !ok {
			t.Errorf("%s: not ok", c.name)
		}
	}
}

func TestNoKappa(t *testing.T) {
	for name, table := range map[string][][]int{
		"nothing":      nil,
		"empty":        {{0, 0}, {0, 0}},
		"one category": {{7, 0}, {0, 0}},
		"not square":   {{1, 2}, {3}},
	} {
		if got, ok := CohenKappa(table); ok || !math.IsNaN(got) {
			t.Errorf("%s: got %v, %t", name, got, ok)
		}
	}
}

func TestKappaOfOneFoldsTheOthers(t *testing.T) {
	table := []float64{
		20, 3, 2,
		4, 10, 6,
		1, 2, 12,
	}
	for category, folded := range [][][]int{
		{{20, 5}, {5, 30}},
		{{10, 10}, {5, 35}},
		{{12, 3}, {8, 37}},
	} {
		want, _ := CohenKappa(folded)
		got, ok := KappaOfOne(3, category)(table)
		near(t, "kappa of one", got, want, 1e-15)
		if !ok {
			t.Errorf("category %d: not ok", category)
		}
	}
	if got, ok := Agreement(3)(table); !ok || got != 42.0/60 {
		t.Errorf("agreement %v, %t", got, ok)
	}
	if _, ok := Agreement(2)(make([]float64, 4)); ok {
		t.Error("agreement on nothing")
	}
}

// Kappa takes the same path as every score: an interval by resampling clusters.
func TestKappaBootstrap(t *testing.T) {
	c := Clusters{Width: 4}
	for i := range 40 {
		c.Rows = append(c.Rows, float64(3+i%3), float64(i%2), 1, float64(2+i%4))
	}
	want, _ := Kappa(2)(c.Total())
	iv := Bootstrap(c, []Statistic{Kappa(2)}, Options{})[0]
	if !iv.Known || !(iv.Low < want && want < iv.High) || iv.High > 1 {
		t.Errorf("kappa %v, interval %+v", want, iv)
	}
}
