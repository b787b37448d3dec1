package m3bench

import (
	"testing"

	"omniscope"
	"omniscope/internal/testing/captionstest"
)

// TestExam examines judges: one that compares, and others that do not.
func TestExam(t *testing.T) {
	captionstest.Exam(t, New(), videos, described, map[string]captionstest.Examined{
		"one that compares": {Judge: func(step string, _ int, _ string) string {
			if examination[captionstest.Item(step)].verdict == omniscope.Correct {
				return "Yes."
			}
			return "**No**"
		}, Right: 10},
		"always yes": {Judge: captionstest.Always("Yes"), Right: 5},
		"always no":  {Judge: captionstest.Always("No"), Right: 5},
		"both":       {Judge: captionstest.Always("Yes and no")},
		"prose":      {Judge: captionstest.Always("The answers agree.")},
	})
}
