package omnicloze

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/model/scripted"
	"omniscope/run/local"
)

// TestExam examines judges. Each item is asked once.
func TestExam(t *testing.T) {
	p := new(parser)
	all := func(letters func(it *item) string) script {
		replies := make(script)
		for line := range strings.Lines(string(examRows)) {
			it, err := readItem(p, []byte(line))
			fixture.OK(t, err)
			reply := make(map[string]string)
			for k, letter := range letters(it) {
				reply[string(rune('1'+k))] = string(letter)
			}
			replies[it.uuid] = []scripted.Reply{{Text: fixture.JSON(reply)}}
		}
		return replies
	}
	right := all(func(it *item) string { return scalar(it.row.Get("expected")) })
	some := all(func(it *item) string { return scalar(it.row.Get("expected")) })
	some["exam-02"] = []scripted.Reply{{Text: `{"1": "A: xxx", "2": "A: xxx", "3": "A: xxx"}`}, {Text: `{"1": "B", "2": "D", "3": "A"}`}}
	some["exam-03"] = []scripted.Reply{{Error: omniscope.Invalid}}
	some["exam-04"] = []scripted.Reply{{Text: `{"1": "E", "2": "E", "3": "A"}`}}
	for _, c := range []struct {
		name    string
		replies script
		want    document.ExamInfo
	}{
		{"all right", right, document.ExamInfo{Items: 10, Right: 10}},
		{"all A", all(func(*item) string { return "AAA" }), document.ExamInfo{Items: 10, Wrong: 10}},
		{"all E", all(func(*item) string { return "EEE" }), document.ExamInfo{Items: 10, Right: 2, Wrong: 8}},
		{"in turn", all(func(*item) string { return "ABC" }), document.ExamInfo{Items: 10, Wrong: 10}},
		{"unreadable, failed and wrong", some, document.ExamInfo{Items: 10, Right: 7, Wrong: 2, Unreadable: 1, Failed: 1}},
	} {
		j, l := follows(c.replies)
		e := opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(aRow(7, nil))), Judge: j})
		items, err := e.Exam()
		fixture.OK(t, err)
		got, err := bench.Examine(t.Context(), &local.Engine{Workers: 10}, items)
		fixture.OK(t, err)
		if len(got.WrongItems) != got.Wrong || len(l.heard) != 10 {
			t.Errorf("%s: %+v after %d calls", c.name, got, len(l.heard))
		}
		if got.WrongItems = nil; fixture.JSON(got) != fixture.JSON(c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestExamByOfflineReader compares the items with the offline reader, which knows no meaning: it misses some
// letters, and finds no other.
func TestExamByOfflineReader(t *testing.T) {
	p := new(parser)
	for line := range strings.Lines(string(examRows)) {
		it, err := readItem(p, []byte(line))
		fixture.OK(t, err)
		caption := scalar(it.row.Get("predicted_caption"))
		u := newUnit(it, &caption)
		u.readOffline(it, &caption)
		for k, want := range []byte(scalar(it.row.Get("expected"))) {
			if got := u.strict[k].letter; got != want && got != notGiven[0] {
				t.Errorf("%s, blank %d: %c, want %c", it.uuid, k+1, got, want)
			}
		}
	}
}
