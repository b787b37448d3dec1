package eval

import (
	"testing"

	"omniscope/session"
)

func TestEveryJudgeJudgesEverySystem(t *testing.T) {
	base := &Spec{Benchmark: "omni-cloze", Seed: 7}
	judges := []*session.Role{{Name: session.Judge, Model: "openai/a"}, {Name: session.Judge, Model: "offline"}}
	runs := PlanRuns(base, judges, []string{"x.jsonl", "y.jsonl"}, 1, "out")
	var got []string
	for _, r := range runs {
		got = append(got, r.Dir+" "+r.Spec.Predictions+" "+r.Spec.Roles[session.Judge].Model)
		if r.Spec.Seed != 7 {
			t.Errorf("%s lost its seed", r.Dir)
		}
	}
	want := []string{"out/x-openai_a x.jsonl openai/a", "out/y-openai_a y.jsonl openai/a", "out/x-offline x.jsonl offline", "out/y-offline y.jsonl offline"}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
	runs[0].Spec.Roles[session.Judge].Source = "one"
	if runs[1].Spec.Roles[session.Judge].Source != "" {
		t.Error("two runs share a role")
	}
	if one := PlanRuns(base, judges[:1], []string{"x.jsonl"}, 0, "out"); len(one) != 1 || one[0].Dir != "out" {
		t.Errorf("one run goes to %q", one[0].Dir)
	}
}
