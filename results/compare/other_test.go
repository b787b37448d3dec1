package compare

import (
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
)

// TestOther names the scores that the other profile shows otherwise.
func TestOther(t *testing.T) {
	scoring := func(name string, accuracy *float64) document.ScoringInfo {
		return document.ScoringInfo{Name: name, Slices: []document.Slice{{Dimension: "overall", Scores: map[string]omniscope.Score{"accuracy": {Value: accuracy, N: 10}}}}}
	}
	nine, ten, almost := 0.092, 0.1, 0.1000001
	for _, c := range []struct {
		name             string
		official, strict *float64
		shown            bench.Scoring
		want             string
	}{
		{"strict next to official", &nine, &ten, bench.Official, "scoring strict: accuracy 10.0"},
		{"official next to strict", &nine, &ten, bench.Strict, "scoring official: accuracy 9.2"},
		{"equal as they are shown", &almost, &ten, bench.Official, ""},
		{"no official score", nil, &ten, bench.Official, "scoring strict: accuracy 10.0"},
		{"no strict score", &nine, nil, bench.Official, "scoring strict: accuracy no score"},
	} {
		r := &document.Results{Scorings: []document.ScoringInfo{scoring("official", c.official), scoring("strict", c.strict)}}
		if got := Other(r, &metric.Cloze, c.shown); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
