package salmonn

import (
	"fmt"
	"testing"

	"omniscope/internal/testing/captionstest"
)

// TestExam examines judges that compare, and judges that do not.
func TestExam(t *testing.T) {
	counts := func(missed, incorrect, made int) string {
		return fmt.Sprintf(`{"Missed": %d, "Incorrect": %d, "Hallucination": %d, "Missed Event": [], "Incorrect Event": [], "Hallucination Event": []}`, missed, incorrect, made)
	}
	compares := func(incorrect bool) captionstest.Judge {
		return func(step string, _ int, _ string) string {
			e, made := examination[captionstest.Item(step)], 0
			if e.made {
				made = 1
			}
			if incorrect && e.lost == 1 {
				return counts(0, 1, 0)
			}
			return counts(e.lost, 0, made)
		}
	}
	captionstest.Exam(t, New(), clips, said, map[string]captionstest.Examined{
		"a changed event is missed":    {Judge: compares(false), Right: 10},
		"a changed event is incorrect": {Judge: compares(true), Right: 10},
		"nothing is ever lost":         {Judge: captionstest.Always(counts(0, 0, 0)), Right: 3},
		"all is always missed":         {Judge: captionstest.Always(counts(4, 0, 0)), Right: 2},
		"always one of each":           {Judge: captionstest.Always(counts(1, 1, 1))},
		"the format itself":            {Judge: captionstest.Always(`{"Missed": x, "Incorrect": x, "Hallucination": x, "Missed Event": [...], "Incorrect Event": [...], "Hallucination Event": [...] }`)},
	})
}
