package stats

import (
	"math"
	"testing"
)

func summed(rows ...[]float64) Clusters {
	c := Clusters{Width: len(rows[0])}
	for _, row := range rows {
		c.Rows = append(c.Rows, row...)
	}
	return c
}

// TestFleissOfDiagnoses is the table of ten subjects and fourteen raters by which the
// statistic is usually taught: P̄ = 0.378, P̄ₑ = 0.213.
func TestFleissOfDiagnoses(t *testing.T) {
	var rows [][]float64
	for _, counts := range [][]int{
		{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7},
	} {
		rows = append(rows, FleissRow(counts))
	}
	c := summed(rows...)
	got, ok := Fleiss(5)(c.Total())
	near(t, "kappa", got, 0.20993, 5e-6)
	if !ok {
		t.Error("not ok")
	}
	if iv := Bootstrap(c, []Statistic{Fleiss(5)}, Options{})[0]; !iv.Known || iv.Low > got || iv.High < got {
		t.Errorf("interval %+v", iv)
	}
	if got, ok := Fleiss(2)(summed(FleissRow([]int{3, 0}), FleissRow([]int{3, 0})).Total()); ok || !math.IsNaN(got) {
		t.Errorf("one category only: %v", got)
	}
	if got, ok := Fleiss(2)(summed(FleissRow([]int{3, 0}), FleissRow([]int{0, 3}), FleissRow([]int{1, 0})).Total()); !ok || got != 1 {
		t.Errorf("agreement throughout, and an item of one rater: %v", got)
	}
}

// TestAlphaOfTwelveUnits has the data and the values of Krippendorff, "Computing
// Krippendorff's Alpha-Reliability" (2011), section C to E: four observers, twelve units,
// five values, with gaps.
func TestAlphaOfTwelveUnits(t *testing.T) {
	const gap = -1
	observers := [][]int{
		{1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap},
		{1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3},
		{gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap},
		{1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap},
	}
	var rows [][]float64
	for unit := range 12 {
		var ratings []int
		for _, values := range observers {
			if v := values[unit]; v != gap {
				ratings = append(ratings, v-1)
			}
		}
		rows = append(rows, AlphaRow(5, ratings))
	}
	c := summed(rows...)
	values := []float64{1, 2, 3, 4, 5}
	for _, s := range []struct {
		scale Scale
		want  float64
	}{{Nominal, 0.743}, {Ordinal, 0.815}, {IntervalData, 0.849}} {
		got, ok := Alpha(values, s.scale)(c.Total())
		near(t, "alpha", got, s.want, 0.0005)
		if !ok {
			t.Error("not ok")
		}
	}
	if got, ok := Alpha(values, Nominal)(summed(AlphaRow(5, []int{2, 2}), AlphaRow(5, []int{2, 2})).Total()); ok || !math.IsNaN(got) {
		t.Errorf("one value only: %v", got)
	}
}
