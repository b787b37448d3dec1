package report

import (
	"testing"

	"omniscope/metric/stats"
)

func TestShare(t *testing.T) {
	// Of each row: things, and how many of them are right. 6 of 8 by hand.
	share, interval := Share(stats.Clusters{Width: 2, Rows: []float64{2, 1, 2, 2, 2, 2, 2, 1}})
	if share != "75.0 %" || interval != "" { // 4 rows are too few for an interval
		t.Errorf("%q, %q", share, interval)
	}
	share, interval = Share(stats.Clusters{Width: 2, Rows: []float64{4, 1, 4, 2, 4, 3, 4, 2, 4, 2, 4, 3, 4, 1}})
	if share != "50.0 %" || interval == "" {
		t.Errorf("%q, %q", share, interval)
	}
	if share, interval := Share(stats.Clusters{Width: 2, Rows: []float64{0, 0}}); share != "" || interval != "" {
		t.Errorf("of nothing: %q, %q", share, interval)
	}
}
