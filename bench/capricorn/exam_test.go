package capricorn

import (
	"context"
	"fmt"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/captionstest"
	"omniscope/model"
)

// A grader answers the items of an examination.
type grader struct {
	batched bool
	verdict func(item int) string
	groups  func(descriptions []string) string
	reason  string
	silent  bool // about groups
}

func (g grader) Generate(_ context.Context, req *model.Request) (*model.Response, error) {
	n := captionstest.Item(req.Step)
	if n >= len(eventExam) {
		if g.silent {
			return &model.Response{Text: "{}", Finish: model.Stop}, nil
		}
		return &model.Response{Text: g.groups(groupExam[n-len(eventExam)].descriptions), Finish: model.Stop}, nil
	}
	reply := pairs{"event_type": g.verdict(n), "reason": g.reason}
	if subjects := subjectsOf(eventExam[n].text); len(subjects) > 0 {
		descriptions := make(map[string]any)
		for _, s := range subjects {
			if descriptions[s] = "the person"; g.verdict(n) == "not mentioned" {
				descriptions[s] = nil
			}
		}
		reply[descriptionsKey] = descriptions
	}
	if g.batched {
		reply = pairs{"1": reply}
	}
	return &model.Response{Text: jsonText(reply), Finish: model.Stop}, nil
}

// TestExam examines judges in both modes: one that compares, and others that do not.
func TestExam(t *testing.T) {
	one := func(descriptions []string) string { return jsonText(pairs{"category_1": descriptions}) }
	each := func(descriptions []string) string {
		all := pairs{}
		for i, d := range descriptions {
			all[fmt.Sprintf("category_%d", i+1)] = []string{d}
		}
		return jsonText(all)
	}
	always := func(name string) func(int) string { return func(int) string { return name } }
	right := func(n int) string { return judgementNames[eventExam[n].verdict] }
	for _, batched := range []bool{false, true} {
		for name, c := range map[string]struct {
			judge grader
			right int
		}{
			"one that compares": {grader{verdict: right, reason: "It says so.", groups: func(d []string) string {
				if d[1] == groupExam[0].descriptions[1] {
					return one(d)
				}
				return each(d)
			}}, 10},
			"always correct":       {grader{verdict: always("correctly mentioned"), groups: one}, 4 + 1},
			"always with errors":   {grader{verdict: always("mentioned but with errors"), groups: one}, 1 + 1},
			"always not mentioned": {grader{verdict: always("not mentioned"), groups: each}, 3 + 1},
			"contradicts itself":   {grader{verdict: right, reason: "one sentence", groups: one, silent: true}, 0},
		} {
			c.judge.batched = batched
			in := inputs(t, bench.Strict, c.judge, jsonl(aRow("v", 60, lists{bg: {"Rain falls"}})), jsonl(aCaption("v", "It rains.")))
			x := benchtest.Exam(t, Benchmark{Batched: batched}, in)
			if x.Items != 10 || x.Right != c.right || x.Wrong != 10-c.right {
				t.Errorf("%s, batched %v: %+v, want %d right", name, batched, x, c.right)
			}
		}
	}
}
