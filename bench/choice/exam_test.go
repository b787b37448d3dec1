package choice_test

import (
	"fmt"
	"testing"

	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/model/scripted"
)

// TestExam examines models that answer from captions.
func TestExam(t *testing.T) {
	data, answers, captions, _ := five(t)
	all := func(reply string) map[string][]scripted.Reply {
		replies := make(map[string][]scripted.Reply)
		for i := range 10 {
			replies[fmt.Sprintf("exam-%02d", i+1)] = []scripted.Reply{{Text: reply}}
		}
		return replies
	}
	right := make(map[string][]scripted.Reply)
	for i, letter := range []string{"C", "(B) blue", "D.", "N/A", "A", "B", "Answer: C", "n/a", "A", "D"} {
		right[fmt.Sprintf("exam-%02d", i+1)] = []scripted.Reply{{Text: letter}}
	}
	for _, c := range []struct {
		name              string
		replies           map[string][]scripted.Reply
		right, unreadable int
	}{
		{"all right", right, 10, 0},
		{"always A", all("A"), 2, 0},
		{"always N/A", all("N/A"), 2, 0},
		{"prose", all("Let me think."), 0, 10},
	} {
		x := benchtest.Exam(t, choice.MMAU(), bench.Inputs{Predictions: captions, Data: data, Judge: answerer(c.replies)})
		if x.Items != 10 || x.Right != c.right || x.Wrong != 10-c.right || x.Unreadable != c.unreadable {
			t.Errorf("%s: %+v", c.name, x)
		}
	}
	for _, in := range []bench.Inputs{{Predictions: answers, Data: data}, {Predictions: bench.NoPredictions, Data: data, Judge: answerer(right)}} {
		ev, err := choice.MMAU().Open(t.Context(), in)
		fixture.OK(t, err)
		defer ev.Close()
		if items, err := ev.(bench.Examiner).Exam(); err != nil || items != nil {
			t.Errorf("%d items, %v: no model answers from captions", len(items), err)
		}
	}
}
