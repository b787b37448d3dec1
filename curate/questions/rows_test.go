package questions

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"omniscope/internal/testing/fixture"
)

func readSet(t *testing.T, rows string) *Set {
	t.Helper()
	dir := written(t, map[string]string{"talks.jsonl": oneLine(aTalk), "seen.jsonl": aTalksSlides, "q.jsonl": rows})
	talks, err := ReadTalks(t.Context(), filepath.Join(dir, "talks.jsonl"), filepath.Join(dir, "seen.jsonl"))
	fixture.OK(t, err)
	set, err := ReadSet(t.Context(), filepath.Join(dir, "q.jsonl"), talks)
	fixture.OK(t, err)
	return set
}

// TestQuestionsOfPeople: they may have no number, and say themselves where the answer is.
func TestQuestionsOfPeople(t *testing.T) {
	set := readSet(t, `{"talk": "sheep", "origin": "transcript", "label": "A", "question": "Who counts?", "answer": "Ada does it.", "start": 5, "end": 205}
{"talk": "sheep", "number": 3, "origin": "transcript", "label": "A", "question": "Who is thanked?", "answer": "The village is.", "start": 200, "end": 210, "from": ["T1", "T11"]}
{"talk": "sheep", "number": 4, "state": "rejected", "origin": "transcript", "label": "A", "question": "Who?", "answer": "It is nobody."}
{"talk": "sheep", "origin": "transcript", "label": "A", "question": "Who is next?", "answer": "Cows are next."}
`)
	var numbers []int
	for i, q := range set.Drafts[0].Questions {
		if numbers = append(numbers, q.Number); q.Number != set.Rows[i].Number {
			t.Errorf("question %d is number %d in its row", q.Number, set.Rows[i].Number)
		}
	}
	if !slices.Equal(numbers, []int{4, 3, 5}) {
		t.Errorf("numbers %v", numbers)
	}
	found := Check(set.Drafts[0])
	if len(found) != 1 || found[0].Check != "span" || found[0].Number != 4 || found[0].Text != "5 to 205 s" {
		t.Errorf("found %v", found)
	}
}

// TestAnnotate: findings of an earlier test go, other notes stay.
func TestAnnotate(t *testing.T) {
	set := readSet(t, `{"talk": "sheep", "number": 1, "origin": "transcript", "label": "A", "question": "Who?", "answer": "Ada does.", "notes": ["rests on T1: x", "guessable: of an earlier test", "sense: likewise", "note: mine"]}`)
	set.Annotate([]*Tested{{Talk: "sheep", Findings: []Finding{{Check: "sense", Number: 1, Says: "new"}, {Check: "guessable", Number: 2, Says: "of another"}}}})
	if got, want := fmt.Sprintf("%q", set.Rows[0].Notes), `["rests on T1: x" "note: mine" "sense: new"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestReadAnswers(t *testing.T) {
	questions := []draftQuestion{{Number: 1, Label: "A"}, {Number: 2, Label: "NA"}, {Number: 3, Label: "A"}}
	for reply, want := range map[string]string{
		`{"1": "Ada.", "2": null, "3": "NONE"}`:                                  `["Ada." "" ""]`,
		`{"1": "NONE: the talk does not say", "2": "None.", "3": "\"none\""}`:    `["" "" ""]`,
		`{"1": "None of the models did.", "2": "", "3": "The talk is silent."}`:  `["None of the models did." "" "The talk is silent."]`,
		`{"1": "NONE (not mentioned).", "2": "NONE.", "3": "Nonetheless, two."}`: `["" "" "Nonetheless, two."]`,
	} {
		got, err := readAnswers(reply, questions)
		if fmt.Sprintf("%q", got) != want || err != nil {
			t.Errorf("%s: %q, %v, want %s", reply, got, err, want)
		}
	}
	if _, err := readAnswers(`{"1": "Ada.", "2": "x"}`, questions); err == nil {
		t.Error("an answer that is not there is taken for one")
	}
}

func TestReadGrades(t *testing.T) {
	questions := []draftQuestion{{Number: 1, Label: "A"}, {Number: 2, Label: "NA"}}
	for reply, want := range map[string]string{
		`{"1": "right", "2": "answer"}`: "[right answer]", `{"1": "Wrong", "2": "none"}`: "[wrong none]", `{"1": "none", "2": "wrong"}`: "[none answer]",
		`{"1": "answer", "2": "none"}`: "[]", `{"1": "right"}`: "[]", `{"1": "right", "2": "maybe"}`: "[]",
	} {
		got, err := readGrades(reply, questions, []int{0, 1})
		if fmt.Sprint(got) != want || (err == nil) == (want == "[]") {
			t.Errorf("%s: %v, %v, want %s", reply, got, err, want)
		}
	}
}

// TestRefusalsInWords: words for having no answer are none, whatever the label.
func TestRefusalsInWords(t *testing.T) {
	d, s := sound(t), script{}
	for _, test := range []string{soundTest, sightTest} {
		said := map[int]string{6: "The talk does not say it."}
		grades := object{"6": "none"}
		for _, q := range d.Questions {
			if q.Label == "AV" || q.Label == "A" && test == soundTest || q.Label == "V" && test == sightTest {
				said[q.Number], grades[fmt.Sprint(q.Number)] = "Something right.", "right"
			}
		}
		delete(s, AnswerStep("sheep", test))
		delete(s, GradeStep("sheep", test))
		s.say(AnswerStep("sheep", test), answers(d, said))
		s.say(GradeStep("sheep", test), grades)
	}
	if out := test(t, s, d, 0); len(out.Findings) > 0 || out.Askings[0].Answers[5].Answered || !out.Askings[0].Answers[6].Answered {
		t.Errorf("%+v", out)
	}
}
