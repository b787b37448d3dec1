package leaderboard

import (
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/session/catalog"
)

// TestPublishedValuesHaveScores reads all files: each value is of a score that the
// benchmark has, and stands there once.
func TestPublishedValuesHaveScores(t *testing.T) {
	for _, name := range catalog.BenchmarkNames() {
		b, err := catalog.Benchmark(name)
		fixture.OK(t, err)
		cells, err := published(name)
		if err != nil {
			t.Error(err)
		}
		seen := make(map[string]bool)
		for _, c := range cells {
			key := c.source + c.model + c.setting + c.slice + c.score
			if seen[key] || indexOf(b.Info().Metric, c.score) < 0 || c.model == "" || c.source == "" {
				t.Errorf("%s: %+v", name, c)
			}
			seen[key] = true
		}
	}
}
