package questions

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/talkqa"
	"omniscope/judge"
)

// JudgeRole is the role of the model that answers questions without the talk.
const JudgeRole = "judge"

// A Tester has a model answer the questions about talks without the talks: without anything (blind test), and from what
// is heard or what is seen alone; and compare its answers with the right ones. It is safe for concurrent use.
type Tester struct {
	Asker  *judge.Judge
	Runs   int // of the blind test
	Answer *judge.Prompt
	Grade  *judge.Prompt
}

// LoadPrompts reads the prompts from folder where that is given and has them, else the built-in ones.
func (t *Tester) LoadPrompts(folder fs.FS, folderName string) error {
	return loadPrompts(folder, folderName,
		wantedPrompt{&t.Answer, answerPrompt, []string{"questions", "passages"}},
		wantedPrompt{&t.Grade, gradePrompt, []string{"answers"}})
}

// The tests.
const (
	BlindTest = "blind"
	SoundTest = "sound"
	SightTest = "sight"
)

// knows says in the prompt what the judge of a test knows.
var knows = map[string]struct {
	known, material string
	source          Source
}{
	BlindTest: {"You have neither heard nor seen it.", "neither knowledge of the field nor the questions themselves give", 0},
	SoundTest: {"You heard it and saw nothing: this is what was said.", "what was said gives", Heard},
	SightTest: {"You saw it and heard nothing: this is what was to be seen.", "what was to be seen gives", Seen},
}

// A Tested is the result of testing the questions of one talk: a line of tested.jsonl.
type Tested struct {
	Talk     string    `json:"talk"`
	Findings []Finding `json:"findings"`
	Askings  []Asking  `json:"askings"`
}

// An Asking is one answering of all questions of a talk.
type Asking struct {
	Test    string            `json:"test"`
	Run     int               `json:"run"`
	Outcome omniscope.Outcome `json:"outcome"`
	Why     string            `json:"why,omitempty"`
	Answers []Answer          `json:"answers,omitempty"` // to each question, in order
}

// An Answer is a judge's answer to one question.
type Answer struct {
	Number int    `json:"number"`
	Text   string `json:"answer"` // "" = it found none
	Right  bool   `json:"right"`  // it says what the right answer says
}

// Failed reports whether an asking brought nothing, so that the questions are not tested whole.
func (t *Tested) Failed() bool {
	return slices.ContainsFunc(t.Askings, func(a Asking) bool { return a.Outcome != omniscope.OK })
}

// AnswerStep and GradeStep are the keys of a test's two questions.
func AnswerStep(talk, test string, run int) string {
	return fmt.Sprintf("%s/%s/%d/answer", talk, test, run)
}

// GradeStep is the key of the comparison of answers with the right ones.
func GradeStep(talk, test string, run int) string {
	return fmt.Sprintf("%s/%s/%d/grade", talk, test, run)
}

// A TestRun is one of the tests of a talk, done once.
type TestRun struct {
	Test string
	Run  int // from 1
}

// Tests are the tests of a talk. The test by sight takes a talk of which is known what is to be seen.
func (t *Tester) Tests(talk *Talk) (all []TestRun) {
	for run := 1; run <= t.Runs; run++ {
		all = append(all, TestRun{BlindTest, run})
	}
	all = append(all, TestRun{SoundTest, 1})
	if talk.has(Seen) {
		all = append(all, TestRun{SightTest, 1})
	}
	return all
}

// Test answers the questions of a draft, in each of its tests.
func (t *Tester) Test(ctx context.Context, d *Draft) (*Tested, error) {
	out := &Tested{Talk: d.Talk.ID, Findings: []Finding{}}
	for _, one := range t.Tests(d.Talk) {
		a, err := t.ask(ctx, d, one.Test, one.Run)
		if err != nil {
			return nil, err
		}
		out.Askings = append(out.Askings, *a)
	}
	for i := range d.Questions {
		out.judge(&d.Questions[i], i)
	}
	return out, nil
}

// judge draws what follows from the answers to the question at a place. What was not answered for a failure says nothing.
func (t *Tested) judge(q *Question, at int) {
	find := func(check, says string, args ...any) {
		t.Findings = append(t.Findings, Finding{Check: check, Number: q.Number, Text: q.Text, Says: fmt.Sprintf(says, args...)})
	}
	blind, runs := 0, 0
	answers := make(map[string]*Answer)
	for i := range t.Askings {
		a := &t.Askings[i]
		switch {
		case a.Test == BlindTest:
			if runs++; a.Outcome == omniscope.OK && a.Answers[at].Right {
				blind++
			}
		case a.Outcome == omniscope.OK:
			answers[a.Test] = &a.Answers[at]
		}
	}
	if runs > 0 && blind == runs {
		find("guessable", "it is answered right without the talk (in %d of %d runs)", blind, runs)
	}
	sound, sight := answers[SoundTest], answers[SightTest]
	switch q.Label {
	case talkqa.Unanswered:
		for _, one := range []struct {
			sense string
			a     *Answer
		}{{"what is heard", sound}, {"what is seen", sight}} {
			if one.a != nil && one.a.Text != "" {
				find("answerable", "from %s somebody answers: %s", one.sense, one.a.Text)
			}
		}
		return
	case talkqa.Heard, talkqa.Either:
		if sound != nil && !sound.Right {
			find("sense", "what is heard alone does not answer it, and its label is %s", q.Label)
		}
	case talkqa.Seen:
		if sound != nil && sound.Right {
			find("sense", "what is heard alone answers it, and its label is %s", q.Label)
		}
	}
	switch {
	case sight == nil:
	case q.Label == talkqa.Heard && sight.Right:
		find("sense", "what is seen alone answers it, and its label is %s", q.Label)
	case q.Label != talkqa.Heard && !sight.Right:
		find("sense", "what is seen alone does not answer it, and its label is %s", q.Label)
	}
}

// ask has the questions answered, and the answers compared with the right ones.
func (t *Tester) ask(ctx context.Context, d *Draft, test string, run int) (*Asking, error) {
	k := knows[test]
	passages := ""
	if k.source != 0 {
		passages = "\nThe passages:\n" + d.Talk.of(k.source)
	}
	said, err := judge.Ask(ctx, t.Asker, judge.Question[[]string]{
		Step: AnswerStep(d.Talk.ID, test, run), Whole: true,
		Messages: ask(t.Answer, "known", k.known, "material", k.material, "questions", numbered(turned(d.Questions, run-1)), "passages", passages),
		Read:     func(reply string) ([]string, error) { return readAnswers(reply, d.Questions) },
	})
	if err != nil {
		return nil, err
	}
	a := &Asking{Test: test, Run: run, Outcome: said.Outcome}
	if a.Outcome != omniscope.OK {
		a.Why = reason(said.Outcome, said.Attempts)
		return a, nil
	}
	for i, q := range d.Questions {
		a.Answers = append(a.Answers, Answer{Number: q.Number, Text: said.Value[i]})
	}
	return a, t.grade(ctx, d, a)
}

// turned are the questions in another order for each run, so that a run is more than the one before once again.
func turned(questions []Question, by int) []Question {
	at := by * 7 % max(len(questions), 1)
	return append(slices.Clone(questions[at:]), questions[:at]...)
}

// grade compares the answers with the right ones. Where there is nothing to compare, nobody is asked.
func (t *Tester) grade(ctx context.Context, d *Draft, a *Asking) error {
	var pairs []string
	var which []int
	for i, q := range d.Questions {
		if q.Label == talkqa.Unanswered || a.Answers[i].Text == "" {
			continue
		}
		which = append(which, i)
		pairs = append(pairs, fmt.Sprintf("Question %d: %s\nRight answer: %s\nAnswer: %s", q.Number, q.Text, q.Answer, a.Answers[i].Text))
	}
	if len(which) == 0 {
		return nil
	}
	graded, err := judge.Ask(ctx, t.Asker, judge.Question[[]bool]{
		Step: GradeStep(d.Talk.ID, a.Test, a.Run), Messages: ask(t.Grade, "answers", strings.Join(pairs, "\n\n")), Whole: true,
		Read: func(reply string) ([]bool, error) { return readGrades(reply, d.Questions, which) },
	})
	if err != nil {
		return err
	}
	if a.Outcome = graded.Outcome; a.Outcome != omniscope.OK {
		a.Why = reason(graded.Outcome, graded.Attempts)
		return nil
	}
	for n, i := range which {
		a.Answers[i].Right = graded.Value[n]
	}
	return nil
}

// reason is why there is no usable reply.
func reason(outcome omniscope.Outcome, attempts []judge.Attempt) string {
	if err := attempts[len(attempts)-1].Err; err != nil {
		return err.Error()
	}
	return outcome.String()
}

// readAnswers reads an answer to each question; NONE becomes "".
func readAnswers(reply string, questions []Question) ([]string, error) {
	said := make(map[string]string)
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	answers := make([]string, len(questions))
	for i, q := range questions {
		text, ok := said[fmt.Sprint(q.Number)]
		if text = oneLine(text); !ok || text == "" {
			return nil, fmt.Errorf("question %d has no answer: write NONE where there is none", q.Number)
		}
		if !strings.EqualFold(strings.Trim(text, `."' `), "none") {
			answers[i] = text
		}
	}
	return answers, nil
}

// readGrades reads the verdicts on the answers at some places.
func readGrades(reply string, questions []Question, which []int) ([]bool, error) {
	said := make(map[string]string)
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	grades := make([]bool, len(which))
	for n, i := range which {
		switch verdict := strings.ToLower(strings.TrimSpace(said[fmt.Sprint(questions[i].Number)])); verdict {
		case "right":
			grades[n] = true
		case "wrong":
		default:
			return nil, fmt.Errorf(`question %d has %q, neither "right" nor "wrong"`, questions[i].Number, verdict)
		}
	}
	return grades, nil
}
