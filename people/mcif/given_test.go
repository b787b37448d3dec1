package mcif

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"omniscope/bench/mcif/talkqa"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

// givenRows are drafted questions about a talk: two general ones, one from the abstract, one from the transcript, and a rejected one.
func givenRows() []any {
	row := func(n int, origin, label, question, answer, state string) object {
		return object{"talk": "1", "number": n, "origin": origin, "label": label, "question": question, "answer": answer, "state": state, "start": 1, "end": 2, "from": []string{"T1"}, "evidence": []string{"o1"}}
	}
	return []any{
		row(1, talkqa.General, "A", talkqa.GeneralQuestions[0], "Her name is Ada.", "drafted"),
		row(2, talkqa.General, "A", talkqa.GeneralQuestions[2], "They are at Fold University.", "drafted"),
		row(3, talkqa.Abstract, "A", "What is counted?", "They count sheep.", "drafted"),
		row(4, talkqa.Transcript, "A", "How many are there?", "There are four of them.", "drafted"),
		row(5, talkqa.Transcript, "A", "Where is the rest?", "It is elsewhere.", "rejected"),
	}
}

func texts(f *people.Form) (out []string) {
	for _, card := range f.Sections[0].Cards {
		out = append(out, card.Draft.Text(fieldQuestion))
	}
	return out
}

// TestGivenQuestionsAreProposed: general questions that are not given are proposed too, and rejected ones are not.
func TestGivenQuestionsAreProposed(t *testing.T) {
	w := open(t, &maker{talks: file(t, "talks.jsonl", aTalk("1", nil)), questions: file(t, "questions.jsonl", givenRows()...), to: []string{noLanguage}})
	peopletest.DoAll(t, w, questionsAbstract, []string{"ann"}, func(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		if text, _ := json.Marshal(f); strings.Contains(string(text), "They count sheep.") {
			t.Error("whoever asks from the abstract alone sees an answer that the talk gives")
		}
		out := accepted("", nil, f)
		out["qa/b"], out["qa/c"] = people.Value{fieldQuestion: "Abstract 2?"}, people.Value{fieldQuestion: "Abstract 3?"}
		return out
	})
	peopletest.DoAll(t, w, questions, []string{"ann"}, func(_ string, _ *people.WorkItem, f *people.Form) map[string]people.Value {
		got := texts(f)
		for _, want := range append(slices.Clone(talkqa.GeneralQuestions), "What is counted?", "How many are there?", "Abstract 2?") {
			if n := len(slices.DeleteFunc(slices.Clone(got), func(text string) bool { return text != want })); n != 1 {
				t.Errorf("%q is proposed %d times", want, n)
			}
		}
		if slices.Contains(got, "Where is the rest?") {
			t.Error("a rejected question is proposed")
		}
		return asked(f)
	})
}

// TestExportsKeepPassages: a question that nobody changed still rests on its passages, one with another answer does not.
func TestExportsKeepPassages(t *testing.T) {
	talk := &talkInfo{Given: []given{{Row: talkqa.Row{Question: "Who?", Answer: "Ada does.", Label: "A", From: []string{"T1"}, Evidence: []string{"o1"}}}}}
	one := &work{talk: talk}
	same := question{key: qaSection + "/" + givenID(0), text: "Who?", answer: "Ada does.", label: "A"}
	if r := one.row(1, &same); !slices.Equal(r.From, []string{"T1"}) || !slices.Equal(r.Evidence, []string{"o1"}) {
		t.Errorf("unchanged: %+v", r)
	}
	for name, how := range map[string]func(q *question){
		"question": func(q *question) { q.text = "Who then?" }, "answer": func(q *question) { q.answer = "Ben does." },
		"label": func(q *question) { q.label = "AV" }, "own": func(q *question) { q.key = qaSection + "/x1" },
	} {
		q := same
		if how(&q); one.row(1, &q).From != nil {
			t.Errorf("%s: it rests on passages that nobody named", name)
		}
	}
}
