package stats

import (
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestRankScores has a system that is right everywhere, one that is right in every
// second cluster, and published values between and beside them.
func TestRankScores(t *testing.T) {
	const k = 100
	share := func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }
	best, half := Clusters{Width: 2}, Clusters{Width: 2}
	for i := range k {
		best.Rows = append(best.Rows, 1, 1)
		half.Rows = append(half.Rows, float64(i%2), 1)
	}
	got, err := RankScores([]Clusters{best, half}, share, []float64{0.52, 0.9, 0.1}, false, Options{Seed: 4})
	fixture.OK(t, err)
	var ranks, first, last []int
	for _, r := range got {
		ranks, first, last = append(ranks, r.Rank), append(first, r.BestRank), append(last, r.LastRank)
	}
	// The half may be better or worse than 0.52, and nothing else is in doubt.
	if !slices.Equal(ranks, []int{1, 4, 3, 2, 5}) || !slices.Equal(first, []int{1, 3, 3, 2, 5}) || !slices.Equal(last, []int{1, 4, 4, 2, 5}) {
		t.Errorf("ranks %v, from %v to %v", ranks, first, last)
	}
	lower, err := RankScores([]Clusters{best, half}, share, []float64{0.52, 0.9, 0.1}, true, Options{Seed: 4})
	if err != nil || lower[0].Rank != 5 || lower[4].Rank != 1 || lower[1].Rating != 0.5 || lower[1].Interval.Low > lower[1].Interval.High {
		t.Errorf("%+v, %v", lower, err)
	}
	if only, err := RankScores(nil, share, []float64{3, 5, 4}, false, Options{}); err != nil || only[1].Rank != 1 || only[0].LastRank != 3 || only[0].BestRank != 3 {
		t.Errorf("%+v, %v", only, err)
	}
	if _, err := RankScores([]Clusters{best, {Width: 2, Rows: []float64{1, 1}}}, share, nil, false, Options{}); err != errNotRanked {
		t.Errorf("got %v", err)
	}
}
