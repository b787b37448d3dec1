package captionstest

import (
	"fmt"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/benchtest"
)

// An Examined is a judge that knows so many of ten right answers.
type Examined struct {
	Judge Judge
	Right int
}

// Always makes a judge that gives one reply to everything.
func Always(reply string) Judge { return func(string, int, string) string { return reply } }

// Item is the place of an examination's item, from 0.
func Item(step string) (n int) {
	if _, err := fmt.Sscanf(step, "exam-%d", &n); err != nil {
		panic(err)
	}
	return n - 1
}

// Exam examines judges in both scorings, which examine alike. The files are given by their content.
func Exam(t *testing.T, b bench.Benchmark, data, captions string, judges map[string]Examined) {
	t.Helper()
	for name, j := range judges {
		for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
			x := benchtest.Exam(t, b, Inputs(File(t, "data.jsonl", data), File(t, "captions.jsonl", captions), j.Judge, scoring, 3))
			if x.Items != 10 || x.Right != j.Right || x.Wrong != 10-j.Right {
				t.Errorf("%s, %v: %+v, want %d right", name, scoring, x, j.Right)
			}
		}
	}
}
