package vdc

import (
	"strings"
	"testing"

	"omniscope/internal/testing/captionstest"
)

// TestExam examines judges: one that compares, and others that do not.
func TestExam(t *testing.T) {
	const y, n = "{'pred': 'yes', 'score': 5}", "{'pred': 'no', 'score': 0}"
	captionstest.Exam(t, New(), videos, described, map[string]captionstest.Examined{
		"one that compares": {Judge: func(_ string, _ int, text string) string {
			for _, e := range examination {
				if e.yes && strings.Contains(text, "Predicted Answer: "+e.response+"\n") {
					return y
				}
			}
			return n
		}, Right: 10},
		"always yes":               {Judge: captionstest.Always(y), Right: 5},
		"always no":                {Judge: captionstest.Always(n), Right: 5},
		"one that contradicts all": {Judge: captionstest.Always("{'pred': 'yes', 'score': 0}")},
		"prose":                    {Judge: captionstest.Always("Both mean the same.")},
	})
}
