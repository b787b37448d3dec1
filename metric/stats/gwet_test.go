package stats

import (
	"math"
	"testing"
)

// TestGwetOfTwelveUnits has the ratings of four raters on twelve units of Gwet's "Handbook of
// Inter-Rater Reliability", which the R package irrCAC brings along as cac.raw4raters. It gives
// AC1 0.77544, with an observed agreement of 0.8181818 and 0.1903212 by chance.
func TestGwetOfTwelveUnits(t *testing.T) {
	var rows [][]float64
	for _, counts := range [][]int{
		{3, 0, 0, 0, 0}, {0, 3, 1, 0, 0}, {0, 0, 4, 0, 0}, {0, 0, 4, 0, 0}, {0, 4, 0, 0, 0}, {1, 1, 1, 1, 0},
		{0, 0, 0, 4, 0}, {3, 1, 0, 0, 0}, {0, 4, 0, 0, 0}, {0, 0, 0, 0, 3}, {2, 0, 0, 0, 0}, {0, 0, 1, 0, 0},
	} {
		rows = append(rows, GwetRow(counts))
	}
	got, ok := Gwet(5)(summed(rows...).Total())
	near(t, "AC1", got, 0.77544, 5e-6)
	if !ok {
		t.Error("not ok")
	}
}

// TestGwetWhereNearlyAllIsOneCategory is a table of two raters by hand: of 125 items both put 118
// into the first category, and they differ on 7. pₐ = 118/125 = 0.944, π₁ = 243/250 = 0.972,
// pₑ = 2·0.972·0.028 = 0.054432, AC1 = 0.8895680 / 0.945568.
func TestGwetWhereNearlyAllIsOneCategory(t *testing.T) {
	row := make([]float64, 5)
	for i := range 125 {
		counts := []int{2, 0}
		if i < 7 {
			counts = []int{1, 1}
		}
		for j, v := range GwetRow(counts) {
			row[j] += v
		}
	}
	got, ok := Gwet(2)(row)
	near(t, "AC1", got, 0.889568/0.945568, 1e-9)
	if !ok {
		t.Error("not ok")
	}
}

func TestGwetWithoutRaters(t *testing.T) {
	for _, sum := range [][]float64{GwetRow([]int{1, 0}), GwetRow([]int{0, 0}), {1}} {
		if got, ok := Gwet(2)(sum); ok || !math.IsNaN(got) {
			t.Errorf("of %v: %v", sum, got)
		}
	}
}
