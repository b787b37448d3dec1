package vdc

import (
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/captionstest"
)

// TestExam examines judges: one that compares, and two that always answer the same.
func TestExam(t *testing.T) {
	const y, n = "{'pred': 'yes', 'score': 5}", "{'pred': 'no', 'score': 0}"
	for name, c := range map[string]struct {
		judge captionstest.Judge
		right int
	}{
		"one that compares": {func(_ string, _ int, text string) string {
			for _, e := range examination {
				if e.yes && strings.Contains(text, "Predicted Answer: "+e.response+"\n") {
					return y
				}
			}
			return n
		}, 10},
		"always yes":               {func(string, int, string) string { return y }, 5},
		"always no":                {func(string, int, string) string { return n }, 5},
		"one that contradicts all": {func(string, int, string) string { return "{'pred': 'yes', 'score': 0}" }, 0},
	} {
		x := benchtest.Exam(t, New(), captionstest.Inputs(captionstest.File(t, "data.jsonl", videos), captionstest.File(t, "c.jsonl", described), c.judge, bench.Official, 1))
		if x.Items != 10 || x.Right != c.right || x.Wrong != 10-c.right {
			t.Errorf("%s: %+v", name, x)
		}
	}
}
