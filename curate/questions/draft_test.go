package questions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/internal/testing/fixture"
	"omniscope/model/judge"
	"omniscope/model/scripted"
)

// script has replies by step, in the order of attempts.
type script map[string][]scripted.Reply

func (s script) say(step string, replies ...any) {
	for _, r := range replies {
		text, ok := r.(string)
		if !ok {
			out, err := json.Marshal(r)
			if err != nil {
				panic(err)
			}
			text = string(out)
		}
		s[step] = append(s[step], scripted.Reply{Text: text})
	}
}

func (s script) asker(attempts int) *judge.Judge {
	return &judge.Judge{Name: "scripted/x", Request: "x", Attempts: attempts, Model: scripted.New(s)}
}

type object = map[string]any

// drafted is what a model says to have the draft d come out.
func drafted(d *Draft) object {
	given, further := []object{}, []object{}
	for _, q := range d.Questions {
		said := object{"answer": q.Answer, "label": q.Label, "from": q.From}
		if q.Origin == talkqa.Transcript {
			said["question"] = q.Text
			further = append(further, said)
			continue
		}
		said["number"] = q.Number
		given = append(given, said)
	}
	return object{"given": given, "further": further}
}

func asked(d *Draft) object {
	texts := []string{}
	for _, q := range d.Questions {
		if q.Origin == talkqa.Abstract {
			texts = append(texts, q.Text)
		}
	}
	return object{"questions": texts}
}

func draft(t *testing.T, s script, talk *Talk, rounds int) *Drafted {
	t.Helper()
	d := &Drafter{Asker: s.asker(3), Rounds: rounds}
	fixture.OK(t, d.LoadPrompts(nil, ""))
	out, err := d.New(t.Context(), talk)
	fixture.OK(t, err)
	return out
}

func TestDraftIsTakenAsItIsWhereNothingIsFound(t *testing.T) {
	want, s := sound(t), script{}
	s.say("sheep/abstract", asked(want))
	s.say("sheep/talk", drafted(want))
	out := draft(t, s, want.Talk, 3)
	rows, rejected := out.Rows("scripted/x")
	if out.Outcome != omniscope.OK || out.Asked != 2 || len(out.Rounds) != 1 || len(out.Short) > 0 || len(rejected) > 0 || len(rows) != 10 {
		t.Fatalf("%+v, %d rows, rejected %+v", out, len(rows), rejected)
	}
	q := rows[3]
	if q.Question != "How many sheep were counted?" || q.Origin != "abstract" || q.Label != "AV" || *q.Start != 40 || *q.End != 60 || q.State != "drafted" || q.Author != "scripted/x" {
		t.Errorf("row 4: %+v", q)
	}
	if want := []string{"rests on T3 (40.0 to 60.0 s): We counted twenty three thousand sheep on three farms.", "rests on S2 (40.0 to 60.0 s): A slide reads: 23,000 sheep, 3 farms."}; !slices.Equal(q.Notes, want) {
		t.Errorf("notes %q, want %q", q.Notes, want)
	}
	if rows[5].Label != "NA" || rows[5].Start != nil {
		t.Errorf("what nothing answers has a time: %+v", rows[5])
	}
}

// TestAbstractIsAskedAlone shows that the first asking sees nothing but the abstract.
func TestAbstractIsAskedAlone(t *testing.T) {
	d := &Drafter{}
	fixture.OK(t, d.LoadPrompts(nil, ""))
	talk := theTalk(t, true)
	text := d.Messages(talk)[0].Parts[0].Text
	if !strings.Contains(text, "P1: We count sheep in photographs.") || strings.Contains(text, "Ada Meadow") || strings.Contains(text, "{") && strings.Contains(text, "{abstract}") {
		t.Error(text)
	}
	whole := d.TalkMessages(talk, givenQuestions([]string{"Why?"}))[0].Parts[0].Text
	for _, want := range []string{"T12 (220.0 to 240.0 s): Next we will count cows.", "S4 (220.0 to 240.0 s): The last slide", "1. What is the name of the speaker?", "4. Why?", "- at least 5 AV\n"} {
		if !strings.Contains(whole, want) {
			t.Errorf("the question for the whole draft lacks %q", want)
		}
	}
}

// TestSingleQuestionsAreMended plants three faults, one of which two checks find: one is mended at once, one in the second round after
// replies that cannot be used, and one never.
func TestSingleQuestionsAreMended(t *testing.T) {
	want := sound(t)
	faulty := sound(t)
	change(faulty, 7, func(q *draftQuestion) { q.Answer = "It needs 48 hours on a laptop." })
	change(faulty, 8, func(q *draftQuestion) { q.Text = "Were goats left out?" })
	change(faulty, 2, func(q *draftQuestion) { q.Answer = "Four" })
	s := script{}
	s.say("sheep/abstract", asked(want))
	s.say("sheep/talk", drafted(faulty))
	fix := func(number int) object {
		q := want.find(number)
		return object{"question": q.Text, "answer": q.Answer, "label": q.Label, "from": q.From}
	}
	s.say("sheep/repair/7", fix(7))
	s.say("sheep/repair/8", "no JSON", object{"question": "", "answer": "x", "label": "A", "from": []string{}}, object{"question": "Why?", "answer": "x", "label": "B", "from": []string{}})
	s.say("sheep/repair/8", fix(8))
	s.say("sheep/repair/2", object{"question": "Who?", "answer": "Four people did.", "label": "A", "from": []string{"T2"}}, object{"question": want.find(2).Text, "answer": "Four", "label": "AV", "from": []string{"T2", "S9"}}, drafted(want))
	s.say("sheep/repair/2", object{"question": want.find(2).Text, "answer": "Four!", "label": "AV", "from": []string{"T2", "S1"}})
	out := draft(t, s, want.Talk, 2)
	if got := fmt.Sprint(len(out.Rounds), len(out.Rounds[0]), len(out.Rounds[1]), len(out.Rounds[2]), out.Mended); got != "3 4 3 1 [7 2 8]" {
		t.Errorf("rounds, findings of each, mended: %s", got)
	}
	rows, rejected := out.Rows("m")
	if len(rows) != 9 || len(rejected) != 1 || rejected[0].Question.Number != 2 || rejected[0].Why != "findings are left after 2 rounds of mending: answer" {
		t.Errorf("%d rows, rejected: %+v", len(rows), rejected)
	}
	if got, want := fmt.Sprint(out.Short), "[2 general, not 3 4 AV, not 5 6 A or AV, not 7]"; got != want {
		t.Errorf("the sound questions lack %s, want %s", got, want)
	}
	if out.Asked != 2+1+3+3+1+1 {
		t.Errorf("%d askings", out.Asked)
	}
}

// TestDraftsThatLackQuestionsAreKept has a model that never asks enough: what it has is kept, and what is missing told.
func TestDraftsThatLackQuestionsAreKept(t *testing.T) {
	few := sound(t)
	few.Questions = few.Questions[:9]
	s := script{}
	s.say("sheep/abstract", asked(few))
	s.say("sheep/talk", drafted(few), drafted(few), "I refuse")
	out := draft(t, s, few.Talk, 3)
	rows, _ := out.Rows("m")
	if got := fmt.Sprint(out.Outcome, out.Short, len(rows)); got != "ok [3 from the transcript, not 4 1 V, not 2] 9" {
		t.Errorf("%s: %s", got, out.Why)
	}
}

func TestRepliesThatAreNoDraft(t *testing.T) {
	base := sound(t)
	with := func(how func(o object)) object {
		text, _ := json.Marshal(drafted(base))
		o := object{}
		json.Unmarshal(text, &o)
		how(o)
		return o
	}
	entry := func(o object, list string, i int) object { return o[list].([]any)[i].(map[string]any) }
	many := []object{}
	for i := range 101 {
		many = append(many, object{"question": fmt.Sprintf("What is %d?", i), "answer": "", "label": "NA", "from": []string{}})
	}
	for want, reply := range map[string]any{
		"no JSON object":       "I cannot do that.",
		"the number 9":         with(func(o object) { entry(o, "given", 0)["number"] = 9 }),
		"is there twice":       with(func(o object) { entry(o, "given", 0)["number"] = 2 }),
		"question 6 is not in": with(func(o object) { o["given"] = o["given"].([]any)[:5] }),
		"is empty":             with(func(o object) { entry(o, "further", 1)["question"] = " " }),
		"more than 100":        with(func(o object) { o["further"] = many }),
		"do not have the form": with(func(o object) { o["given"] = "none" }),
	} {
		s := script{}
		s.say("sheep/abstract", asked(base))
		s.say("sheep/talk", "x", "x", reply)
		out := draft(t, s, base.Talk, 3)
		rows, rejected := out.Rows("m")
		if out.Outcome == omniscope.OK || !strings.Contains(out.Why, want) || len(rows) > 0 || len(rejected) != 1 || rejected[0].Why != out.Why {
			t.Errorf("%s: outcome %s, why %q", want, out.Outcome, out.Why)
		}
	}
	for want, reply := range map[string]any{"2 questions, not 3": object{"questions": []string{"A?", "B?"}}, "question 2 is empty": object{"questions": []string{"A?", "", "C?"}}} {
		s := script{}
		s.say("sheep/abstract", reply, reply, reply)
		if out := draft(t, s, base.Talk, 3); out.Outcome == omniscope.OK || !strings.Contains(out.Why, want) {
			t.Errorf("%s: %q", want, out.Why)
		}
	}
}
