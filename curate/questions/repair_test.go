package questions

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/model/scripted"
)

var down = scripted.Reply{Error: omniscope.Transient}

// TestSlipsOfADraftAreMended: a label or a passage that there is not costs a question, not the draft. Case, ranges and lists of names are read.
func TestSlipsOfADraftAreMended(t *testing.T) {
	want, faulty, s := sound(t), sound(t), script{}
	change(faulty, 7, func(q *draftQuestion) { q.Label = "B" })
	change(faulty, 8, func(q *draftQuestion) { q.From = []string{"T8", "T99"} })
	change(faulty, 9, func(q *draftQuestion) { q.Label, q.From = " v ", []string{"s4"} })
	change(faulty, 5, func(q *draftQuestion) { q.From = []string{"T2-T3", "S1–2", "t3"} })
	change(faulty, 4, func(q *draftQuestion) { q.From = []string{"[T3], S2"} })
	s.say("sheep/abstract", object{"questions": append(asked(want)["questions"].([]string), "A fourth?")})
	s.say("sheep/talk", drafted(faulty))
	for _, number := range []int{7, 8} {
		q := want.find(number)
		s.say(repairStep("sheep", number), object{"question": q.Text, "answer": q.Answer, "label": q.Label, "from": []string{"T99"}}, object{"question": q.Text, "answer": q.Answer, "label": q.Label, "from": q.From})
	}
	out := draft(t, s, want.Talk, 2)
	var found []string
	for _, f := range out.Rounds[0] {
		found = append(found, fmt.Sprint(f.Number, " ", f.Check, ": ", f.Says))
	}
	if want := []string{`7 label: the label is "B", not one of AV, A, V, NA`, `8 label: there is no passage "T99"`}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	rows, rejected := out.Rows("m")
	if len(rows) != 10 || len(rejected) > 0 || out.Asked != 2+2+2 {
		t.Errorf("%d rows, asked %d, rejected %+v", len(rows), out.Asked, rejected)
	}
	for i, want := range map[int]string{3: "[T3 S2]", 4: "[T2 T3 S1 S2]", 8: "[S4]"} {
		if got := fmt.Sprint(rows[i].From); got != want {
			t.Errorf("question %d is from %s, want %s", i+1, got, want)
		}
	}
}

// TestFailedCallsAreTold: a question that a failed call left unsound is rejected with the reason, and its talk is a failure; one whose
// replies were of no use is no failure.
func TestFailedCallsAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		replies []scripted.Reply
		failed  bool
		repairs string
		why     string
	}{
		"the endpoint is down":      {[]scripted.Reply{down, down, down, down, down, down}, true, "[failed 3 true failed 3 true]", "brought nothing: "},
		"the model refuses":         {slices.Repeat([]scripted.Reply{{Text: "I cannot."}}, 6), false, "[unparsed 3 false unparsed 3 false]", "no JSON object"},
		"down in one of two rounds": {[]scripted.Reply{down, down, down, {Text: "No."}, {Text: "No."}, {Text: "No."}}, true, "[failed 3 true unparsed 3 false]", "no JSON object"},
		"down, then mended":         {[]scripted.Reply{down, down, down, {Text: `{"question": "Which animals were left out?", "answer": "Goats were left out.", "label": "A", "from": ["T8"]}`}}, false, "[failed 3 true ok 1 false]", ""},
	} {
		want, faulty, s := sound(t), sound(t), script{}
		change(faulty, 8, func(q *draftQuestion) { q.Text = "Were goats left out?" })
		s.say("sheep/abstract", asked(want))
		s.say("sheep/talk", drafted(faulty))
		s[repairStep("sheep", 8)] = c.replies
		out := draft(t, s, want.Talk, 2)
		var repairs []string
		for _, r := range out.Repairs {
			repairs = append(repairs, fmt.Sprint(r.Outcome, " ", r.Asked, " ", r.Failed))
		}
		if got := fmt.Sprint(repairs); out.Failed() != c.failed || got != c.repairs {
			t.Errorf("%s: failed %v, repairs %s, want %v, %s", name, out.Failed(), got, c.failed, c.repairs)
		}
		_, rejected := out.Rows("m")
		if c.why == "" && len(rejected) > 0 || c.why != "" && (len(rejected) != 1 || !strings.Contains(rejected[0].Why, c.why) || len(rejected[0].Repairs) != 2) {
			t.Errorf("%s: rejected %+v", name, rejected)
		}
	}
}

// TestShortDrafts: of drafts that lack questions the one that lacks least is kept, but none where a call failed: another run may
// bring a whole one.
func TestShortDrafts(t *testing.T) {
	few, fewer := sound(t), sound(t)
	few.Questions, fewer.Questions = few.Questions[:9], fewer.Questions[:8]
	for name, c := range map[string]struct {
		replies []any
		rows    int
	}{
		"worse after better": {[]any{drafted(few), drafted(fewer), drafted(fewer)}, 9},
		"better after worse": {[]any{drafted(fewer), drafted(few), "I cannot."}, 9},
		"the endpoint fails": {[]any{drafted(few), drafted(few), nil}, 0},
	} {
		s := script{}
		s.say("sheep/abstract", asked(few))
		for _, r := range c.replies {
			if r == nil {
				s["sheep/talk"] = append(s["sheep/talk"], down)
			} else {
				s.say("sheep/talk", r)
			}
		}
		out := draft(t, s, few.Talk, 0)
		rows, rejected := out.Rows("m")
		if len(rows) != c.rows || out.Failed() != (c.rows == 0) || (len(rejected) == 1) != (c.rows == 0) {
			t.Errorf("%s: %d rows, failed %v, %s", name, len(rows), out.Failed(), out.Why)
		}
	}
}

// TestRepairsOfAbstractQuestions: one whose words are not the fault keeps them; one that is asked in other words is from the talk.
func TestRepairsOfAbstractQuestions(t *testing.T) {
	repair := func(faulty func(q *draftQuestion), replies ...any) *Drafted {
		d, s := sound(t), script{}
		change(d, 4, faulty)
		s.say("sheep/abstract", asked(d))
		s.say("sheep/talk", drafted(d))
		s.say(repairStep("sheep", 4), replies...)
		return draft(t, s, d.Talk, 1)
	}
	reply := func(question string) object {
		return object{"question": question, "answer": "They counted 23,000 sheep.", "label": "AV", "from": []string{"T3", "S2"}}
	}
	out := repair(func(q *draftQuestion) { q.Answer = "23,000" }, reply("How many were seen?"), reply("How many sheep were counted?"))
	if q := out.draft.find(4); q.Text != "How many sheep were counted?" || q.Origin != talkqa.Abstract || out.Repairs[0].Asked != 2 {
		t.Errorf("%+v, %+v", q, out.Repairs)
	}
	out = repair(func(q *draftQuestion) { q.Text = "Were many sheep counted?" }, reply("How many sheep were seen?"))
	if q := out.draft.find(4); q.Origin != talkqa.Transcript {
		t.Errorf("in other words: %+v", q)
	}
	out = repair(func(q *draftQuestion) { q.Text = "How many sheep were counted" }, reply("How many sheep were counted?"))
	if q := out.draft.find(4); q.Origin != talkqa.Abstract {
		t.Errorf("in the same words: %+v", q)
	}
}

// TestRepairThatChangesNothing is asked again: the model has to change something.
func TestRepairThatChangesNothing(t *testing.T) {
	d, s := sound(t), script{}
	change(d, 8, func(q *draftQuestion) { q.Text = "Were goats left out?" })
	s.say("sheep/abstract", asked(d))
	s.say("sheep/talk", drafted(d))
	same := object{"question": "Were goats left out?", "answer": "Goats were left out.", "label": "A", "from": []string{"T8"}}
	s.say(repairStep("sheep", 8), same, same, same)
	if out := draft(t, s, d.Talk, 1); out.Repairs[0].Outcome != omniscope.Unparsed || !strings.Contains(out.Repairs[0].Why, "something has to change") {
		t.Errorf("%+v", out.Repairs)
	}
}
