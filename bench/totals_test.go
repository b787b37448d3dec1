package bench

import (
	"math"
	"slices"
	"testing"

	"omniscope/metric"
)

func TestPackedCounts(t *testing.T) {
	values := []float64{0, 1, 2, 63, 64, 127, 128, 1 << 20, 1<<40 - 1, 1 << 40, 1<<53 + 2, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64,
		0.5, 1.0 / 3, 1e-9, 1e15 + 0.5, -1, -0.25, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	var packed []byte
	for _, v := range values {
		packed = appendCount(packed, v)
	}
	for _, want := range values {
		var got float64
		if got, packed = readCount(packed); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%v came back as %v", want, got)
		}
	}
	if len(packed) > 0 {
		t.Errorf("%d bytes are left", len(packed))
	}
	if n := len(appendCount(nil, 63)); n != 1 {
		t.Errorf("a small count takes %d bytes", n)
	}
}

func FuzzCountsArePackedWithoutLoss(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 0.5, 1 << 40} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		got, rest := readCount(appendCount(nil, v))
		if got != v && !(math.IsNaN(got) && math.IsNaN(v)) || len(rest) > 0 {
			t.Errorf("%v came back as %v, with %d bytes left", v, got, len(rest))
		}
	})
}

// TestClustersOfSlices adds units that differ in the slices they count in, in one scoring or in both.
func TestClustersOfSlices(t *testing.T) {
	m := &metric.Metric{Fields: []string{"right", "all"}}
	tally := func(group string, right, all float64) Tally {
		return Tally{Dimension: "group", Group: group, Counts: metric.Counts{right, all}}
	}
	totals := newTotals(m, 3)
	totals.add(2, &Result{Cluster: "x", Tallies: [numScorings][]Tally{{tally("a", 1, 3)}, {tally("b", 0.5, 300)}}})
	both := []Tally{tally("a", 2, 2), tally("b", 0, 1)}
	totals.add(0, &Result{Cluster: "y", Tallies: [numScorings][]Tally{both, both}})
	totals.add(1, &Result{Cluster: "x", Tallies: [numScorings][]Tally{{tally("a", 0, 1), tally("a", 1, 1)}, {tally("c", 1, 1)}}})
	totals.finish()
	for _, c := range []struct {
		scoring Scoring
		group   string
		want    []float64
	}{
		{Official, "a", []float64{2, 2, 2, 5}},
		{Official, "b", []float64{0, 1}},
		{Official, "c", nil},
		{Strict, "a", []float64{2, 2}},
		{Strict, "b", []float64{0, 1, 0.5, 300}},
		{Strict, "c", []float64{1, 1}},
	} {
		got := totals.clustersOf(c.scoring, totals.slices[sliceKey{"group", c.group}], &gathering{})
		if !slices.Equal(got.Rows, c.want) {
			t.Errorf("%s, %s: got %v, want %v", c.scoring, c.group, got.Rows, c.want)
		}
	}
}
