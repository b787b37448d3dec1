package predict

import (
	"testing"

	"omniscope"
)

// TestEmptyAnswersAreNoFailures: empty answers count as answers, unless there is no other.
func TestEmptyAnswersAreNoFailures(t *testing.T) {
	for _, c := range []struct {
		ok, empty, failed int
		fails             bool
	}{{37, 15, 0, false}, {90, 5, 5, false}, {80, 10, 10, true}, {0, 52, 0, true}, {0, 0, 3, true}} {
		p := &Summary{Samples: c.ok + c.empty + c.failed, Outcomes: map[string]int{omniscope.OK.String(): c.ok, omniscope.Abstained.String(): c.empty, omniscope.Failed.String(): c.failed}}
		if err := p.Verdict(0.05); (err != nil) != c.fails {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
