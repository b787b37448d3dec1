// Package exact is a metric for tests: the share of answers that are right.
package exact

import "omniscope/metric"

// Metric counts right answers among those that were judged.
var Metric = metric.Metric{
	Name:   "exact",
	Fields: []string{"right", "judged", "all"},
	Scores: []metric.Score{{
		Name: "exact_match", Title: "Exact match", Percent: true, Share: true,
		Value: func(c metric.Counts) (float64, bool) { return c[0] / max(c[1], 1), c[1] > 0 },
		Bounds: func(c metric.Counts) (low, high float64, ok bool) {
			return c[0] / max(c[2], 1), (c[0] + c[2] - c[1]) / max(c[2], 1), c[2] > 0
		},
		N:        func(c metric.Counts) int { return int(c[1]) },
		Unscored: func(c metric.Counts) int { return int(c[2] - c[1]) },
	}},
}
