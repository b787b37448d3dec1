package ugc

import (
	"testing"

	"omniscope/internal/testing/captionstest"
)

// TestExam examines judges: one that compares, and others that do not.
func TestExam(t *testing.T) {
	always := func(n int) captionstest.Judge { return captionstest.Always(rated(n, n, n)) }
	captionstest.Exam(t, New(), samples, described, map[string]captionstest.Examined{
		"one that compares, mildly": {Judge: func(step string, _ int, _ string) string {
			high := examination[captionstest.Item(step)].high
			return rated(high[0], high[1], high[2])
		}, Right: 10},
		"one that compares, severely": {Judge: func(step string, _ int, _ string) string {
			low := examination[captionstest.Item(step)].low
			return rated(low[0], low[1], low[2])
		}, Right: 10},
		"always 1": {Judge: always(1), Right: 4}, "always 2": {Judge: always(2), Right: 4}, "always 3": {Judge: always(3)},
		"always 4": {Judge: always(4), Right: 4}, "always 5": {Judge: always(5), Right: 4}, "out of range": {Judge: always(6)},
		"the format itself": {Judge: captionstest.Always("{'visual': int, 'audio': int, 'details': int}")},
	})
}
