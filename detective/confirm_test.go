package detective_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/testing/fixture"
	"omniscope/perceive"
)

// onlooker is an observer by a model, which tells one thing, and says of claims what verdict has for
// the first word that a claim has in it; "cannot tell" of others.
func onlooker(name, tells string, verdicts map[string]string) *fakeTool {
	w := observer(name, omniscope.AudioVisual, true, seen(perceive.Reported, 0, 0, 0.5, tells, ""))
	w.info.Model = "model of " + name
	w.said = func(question string) *perceive.Answer {
		claim, asked := between(question, "Somebody says of this clip:\n\n", "\n\nIs it so?")
		if !asked {
			return nil
		}
		verdict := "cannot tell"
		for word, v := range verdicts {
			if strings.Contains(claim, word) {
				verdict = v
			}
		}
		if !strings.HasPrefix(verdict, "{") {
			verdict = fmt.Sprintf(`{"verdict": %q, "why": "As %s perceives it."}`, verdict, name)
		}
		return &perceive.Answer{Text: verdict}
	}
	return w
}

func between(s, before, after string) (string, bool) {
	_, rest, found := strings.Cut(s, before)
	inside, _, ends := strings.Cut(rest, after)
	return inside, found && ends
}

// suspect is an investigation of two witnesses, put to a fixed plan.
func suspect(t *testing.T, confirm int, witnesses ...*fakeTool) (*detective.Report, error) {
	t.Helper()
	c := &detective.Investigation{Clip: clipOf(t), Confirm: confirm}
	for _, w := range witnesses {
		c.Tools = append(c.Tools, w)
	}
	return detective.Investigate(t.Context(), c, detective.Offline{}, detective.Options{})
}

// TestConfirm shows what confirmations change: without them a caption states what one observer
// invented; with them each sentence that another contradicts is marked, and the other side is told.
func TestConfirm(t *testing.T) {
	const dog, fox = "A red dog runs over the lawn. It barks.", "A fox sits still beside some water."
	yes, no := map[string]string{"": "supported"}, map[string]string{"": "contradicted"}
	for _, c := range []struct {
		name     string
		one, two *fakeTool
		want     []string // verdicts, as they were asked for
		disputed int      // sentences of the caption
		told     string   // in the caption
	}{
		{"they contradict each other", onlooker("one", dog, no), onlooker("two", fox, no),
			[]string{"two contradicted", "two contradicted", "one contradicted"}, 2, "Another observer, two, contradicts that “A red dog runs over the lawn”: As two perceives it."},
		{"one invents", onlooker("one", "A dragon lands.", nil), onlooker("two", fox, map[string]string{"dragon": "contradicted"}),
			[]string{"two contradicted", "one unsupported"}, 1, "Another observer, two, contradicts that “A dragon lands”"},
		{"one always agrees", onlooker("one", "A dragon lands.", no), onlooker("two", fox, yes),
			[]string{"two supported", "one contradicted"}, 1, "Another observer, one, contradicts that “A fox sits still beside some water”"},
		{"they say the same", onlooker("one", fox, no), onlooker("two", "Beside some water a fox sits still.", no), nil, 0, ""},
		{"one cannot be read", onlooker("one", "A dragon lands.", nil), onlooker("two", fox, map[string]string{"dragon": "{it is so}"}),
			[]string{"two unparsed", "one unsupported"}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, err := suspect(t, 0, c.one, c.two)
			if err != nil || before.Caption.Disputed() != 0 || len(before.Confirmations) != 0 {
				t.Fatalf("without confirmations: %+v, %v", before, err)
			}
			r, err := suspect(t, 10, c.one, c.two)
			fixture.OK(t, err)
			var got []string
			for _, x := range r.Confirmations {
				verdict := string(x.Support)
				if x.Outcome != omniscope.OK {
					verdict = x.Outcome.String()
				}
				got = append(got, x.Tool+" "+verdict)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("confirmations %q, want %q", got, c.want)
			}
			if r.Caption.Disputed() != c.disputed || !strings.Contains(r.Caption.Text, c.told) || r.Caption.Unfounded() != 0 {
				t.Errorf("%d sentences are disputed, want %d: %s", r.Caption.Disputed(), c.disputed, r.Caption.Text)
			}
			if n := len(byConfirmation(r)); n != strings.Count(strings.Join(c.want, " "), "contradicted") {
				t.Errorf("%d contradictions by confirmation: %+v", n, r.Contradictions)
			}
		})
	}
}

func byConfirmation(r *detective.Report) (found []detective.Contradiction) {
	for _, x := range r.Contradictions {
		if x.By == detective.ByConfirmation {
			found = append(found, x)
		}
	}
	return found
}

// TestConfirmSlow shows that an observer that does not answer in time settles nothing, and that the
// caption is as without it.
func TestConfirmSlow(t *testing.T) {
	one, two := onlooker("one", "A dragon lands.", nil), onlooker("two", "A fox sits.", nil)
	two.fail = func(call int) error {
		if call > 1 {
			return kind(omniscope.Exhausted, "no answer within 2 minutes, three times")
		}
		return nil
	}
	r, err := suspect(t, 10, one, two)
	if err != nil || len(r.Confirmations) != 2 || r.Confirmations[0].Outcome == omniscope.OK || r.Caption.Disputed() != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestConfirmBounded shows that no more is asked than may be, and that two senses of one model are no
// two witnesses.
func TestConfirmBounded(t *testing.T) {
	many := onlooker("one", strings.Repeat("A thing is there. And another one is here. ", 20), nil)
	two := onlooker("two", "Nothing of that.", nil)
	r, err := suspect(t, 3, many, two)
	if err != nil || len(r.Confirmations) != 3 || len(many.calls)+len(two.calls) != 5 {
		t.Errorf("%d confirmations, %d calls, %v", len(r.Confirmations), len(many.calls)+len(two.calls), err)
	}
	same := onlooker("one-hearing", "Something else is there.", nil)
	same.info.Model = many.info.Model
	r, err = suspect(t, 3, many, same)
	if err != nil || len(r.Confirmations) != 0 || !strings.Contains(strings.Join(r.Warnings, "\n"), "nothing was confirmed") {
		t.Errorf("%+v, %v", r.Confirmations, err)
	}
}

// TestPlannerIsToldOfConfirmations shows what a model reads before it concludes, and that its
// sentences are marked, whatever it makes of that.
func TestPlannerIsToldOfConfirmations(t *testing.T) {
	one, two := onlooker("one", "A dragon lands.", nil), onlooker("two", "A fox sits.", map[string]string{"dragon": "contradicted"})
	p, m := planner(map[string][]string{
		"clip/turn-1": {asking("one", "what?")}, "clip/turn-2": {asking("two", "what?")}, "clip/turn-3": {`{"done": true}`},
		"clip/caption": {caption("A dragon lands.|o1", "A fox sits.|o2", "It is lovely.")},
	}, nil)
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{one, two}, Confirm: 5}, p, nil)
	last := r.Trajectory[len(r.Trajectory)-2]
	want := "[o1] “A dragon lands.” two: contradicted. As two perceives it.\n[o2] “A fox sits.” one: cannot tell"
	if !strings.Contains(last.Content, want) || last.Role != "user" {
		t.Errorf("the planner reads %q, which lacks %q", last.Content, want)
	}
	s := r.Caption.Sentences
	if !s[0].Disputed || s[1].Disputed || s[2].Disputed || !s[2].Unfounded || len(m.steps) != 4 {
		t.Errorf("%+v after %q", s, m.steps)
	}
}

// TestEnoughAfterNothingNew shows that inquiries end when some in a row brought nothing new: an
// observation that was there before, or a report in other words.
func TestEnoughAfterNothingNew(t *testing.T) {
	says := []string{"A red dog runs over the green lawn.", "On the green lawn runs a red dog.", "The dog is red.", "Behind it a tall man in a blue coat whistles loudly.", "Red dog.", "Green lawn.", "A man."}
	eye := observer("eye", omniscope.Visual, true)
	call := 0
	eye.said = func(string) *perceive.Answer {
		call++
		return &perceive.Answer{Observations: []perceive.Observation{seen(perceive.Reported, 0, 0, 0.5, says[min(call, len(says))-1], "")}}
	}
	script := map[string][]string{"clip/caption": {caption("A dog.|o1")}}
	for n := 1; n <= 10; n++ {
		script[fmt.Sprintf("clip/turn-%d", n)] = []string{asking("eye", fmt.Sprintf("What else, %d?", n))}
	}
	for after, want := range map[int]int{1: 2, 2: 3, 3: 7, 0: 10} {
		call = 0
		p, _ := planner(script, nil)
		r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}, EnoughAfter: after}, p, nil)
		ended := detective.EndedIdle
		if after == 0 {
			ended = detective.EndedBudget
		}
		if len(r.Turns) != want || r.Ended != ended || r.Ended.Early() != (after > 0) {
			t.Errorf("after %d: %d turns, ended %s, want %d", after, len(r.Turns), r.Ended, want)
		}
	}
}

// TestCaptionsAfterSomeInquiries shows that captions after some of the inquiries rest on those
// alone, and that the inquiries go on as if there were none.
func TestCaptionsAfterSomeInquiries(t *testing.T) {
	script, eye := tenTurns()
	script["clip/caption-1"] = []string{caption("One.|o1")}
	script["clip/caption-3"] = []string{"no JSON", caption("Three.|o1,o3")}
	p, m := planner(script, nil)
	r := investigate(t, &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}, ConcludeAt: []int{1, 3, 40}}, p, nil)
	if len(r.Earlier) != 2 || r.Earlier[0].Inquiries != 1 || r.Earlier[0].Caption.Text != "One." || r.Earlier[1].Inquiries != 3 || r.Earlier[1].Caption.Text != "Three." {
		t.Fatalf("%+v", r.Earlier)
	}
	if got := r.Earlier[1].Trajectory; len(got) != 2+2*3+1 || got.Description() != "Three." || !strings.Contains(got[7].Content, "Inquiries remaining: 7") {
		t.Errorf("the trajectory after three: %+v", got)
	}
	if len(r.Turns) != 10 || len(m.steps) != 10+1+1+2 {
		t.Errorf("%d turns, asked %q", len(r.Turns), m.steps)
	}
	for _, bad := range [][]int{{0}, {3, 1}} {
		if _, err := detective.Investigate(t.Context(), &detective.Investigation{Clip: clipOf(t), Tools: []perceive.Tool{eye}, ConcludeAt: bad}, p, detective.Options{}); omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
