package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestClustersShape(t *testing.T) {
	tests := []struct {
		c     Clusters
		k     int
		total []float64
	}{
		{Clusters{}, 0, nil},
		{Clusters{Width: 2}, 0, []float64{0, 0}},
		{Clusters{Width: 2, Rows: []float64{1, 2, 3}}, 0, []float64{0, 0}},
		{Clusters{Width: 2, Rows: []float64{1, 2, 3, 4}}, 2, []float64{4, 6}},
	}
	for _, test := range tests {
		if got := test.c.Len(); got != test.k {
			t.Errorf("%v: Len %d, want %d", test.c, got, test.k)
		}
		if got := test.c.Total(); !slices.Equal(got, test.total) {
			t.Errorf("%v: Total %v, want %v", test.c, got, test.total)
		}
	}
}

func TestClusteredPicksMethod(t *testing.T) {
	c := correlated(rand.New(rand.NewPCG(9, 9)), 100)
	stats := []Statistic{ratio(0, 2), f1}
	opts := Options{Resamples: 200, MaxBootstrapClusters: 100}
	if got := Clustered(c, stats, opts); !slices.Equal(got, Bootstrap(c, stats, opts)) {
		t.Errorf("at the limit: %v", got)
	}
	opts.MaxBootstrapClusters = 99
	got := Clustered(c, stats, opts)
	for s, stat := range stats {
		if want := linearised(c, stat, DefaultLevel); got[s] != want {
			t.Errorf("above the limit: %v, want %v", got[s], want)
		}
	}
}

// Inputs that carry no information about the spread must never come out as
// numbers, by either method.
func TestClusteredUnavailable(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	pairs := func(rows ...float64) Clusters { return Clusters{Width: 2, Rows: rows} }
	tests := []struct {
		name   string
		c      Clusters
		level  float64
		reason string
	}{
		{"no clusters", pairs(), 0.95, "fewer than 2"},
		{"one cluster", pairs(3, 4), 0.95, "fewer than 2"},
		{"no width", Clusters{Rows: []float64{1, 2}}, 0.95, "do not divide"},
		{"ragged", pairs(1, 2, 3), 0.95, "do not divide"},
		{"level above 1", pairs(1, 2, 2, 2), 95, "level"},
		{"level NaN", pairs(1, 2, 2, 2), nan, "level"},
		{"zero totals", pairs(0, 0, 0, 0, 0, 0), 0.95, "undefined"},
		{"identical clusters", pairs(3, 4, 3, 4, 3, 4), 0.95, "no variation"},
		{"same ratio", pairs(1, 3, 2, 6, 10, 30, 7, 21), 0.95, "no variation"},
		{"all correct", pairs(5, 5, 9, 9, 2, 2), 0.95, "no variation"},
		{"none correct", pairs(0, 5, 0, 9, 0, 2), 0.95, "no variation"},
		{"fractions", pairs(0.1, 0.3, 0.2, 0.6, 0.7, 2.1), 0.95, "no variation"},
		{"NaN", pairs(1, 2, nan, 2, 1, 3), 0.95, "undefined"},
		{"infinite numerator", pairs(1, 2, inf, 2, 1, 3), 0.95, "undefined"},
		{"infinite denominator", pairs(1, 2, 1, inf, 1, 3), 0.95, ""},
	}
	for _, test := range tests {
		stats := []Statistic{ratio(0, 1), ratio(0, 1)}
		got := Bootstrap(test.c, stats, Options{Resamples: 200, Level: test.level})
		if len(got) != 2 {
			t.Fatalf("%s: %d intervals for 2 statistics", test.name, len(got))
		}
		for _, iv := range got {
			wantUnavailable(t, "bootstrap, "+test.name, iv, test.reason)
		}
		wantUnavailable(t, "linearised, "+test.name, linearised(test.c, ratio(0, 1), test.level), test.reason)
	}
}

func TestBootstrapTooFewResamples(t *testing.T) {
	c := correlated(rand.New(rand.NewPCG(11, 11)), 20)
	stats := []Statistic{ratio(0, 2)}
	wantUnavailable(t, "38 resamples", Bootstrap(c, stats, Options{Resamples: 38})[0], "too few resamples")
	if got := Bootstrap(c, stats, Options{Resamples: 39})[0]; !got.Known {
		t.Errorf("39 resamples: %+v", got)
	}
}

func TestClusteredWithoutStatistics(t *testing.T) {
	if got := Clustered(Clusters{}, nil, Options{}); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}
