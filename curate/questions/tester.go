package questions

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/internal/quantity"
	"omniscope/model"
	"omniscope/model/judge"
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
func (t *Tester) LoadPrompts(folder fs.FS, folderName string) (err error) {
	if t.Answer, err = prompts.Load(folder, folderName, answerPrompt, "rule", "questions", "passages"); err != nil {
		return err
	}
	t.Grade, err = prompts.Load(folder, folderName, gradePrompt, "answers")
	return err
}

// The tests.
const (
	blindTest = "blind"
	soundTest = "sound"
	sightTest = "sight"
)

// testRules are the sentences of the prompt that describe what the judge of each test knows and when it has no answer. The blind
// test measures guessing: there the judge has to guess, and in the other tests it must not.
var testRules = map[string]struct {
	rule         string
	source       source // of the passages that the judge gets; 0 = no passages
	sense, label string // of questions that these passages answer
}{
	blindTest: {"You have neither heard nor seen it. Give your best guess, from knowledge of the field and from the questions themselves; write NONE only where you cannot guess at all.", 0, "", ""},
	soundTest: {"You heard it and saw nothing. Answer from what was said, which stands below, and do not guess: write NONE where what was said gives no answer.", speech, "what is heard", talkqa.Heard},
	sightTest: {"You saw it and heard nothing. Answer from what was to be seen, which stands below, and do not guess: write NONE where what was to be seen gives no answer.", pictures, "what is seen", talkqa.Seen},
}

// A Tested is the result of testing the questions of one talk: a line of tested.jsonl.
type Tested struct {
	Talk     string    `json:"talk"`
	Findings []Finding `json:"findings"`
	Askings  []asking  `json:"askings"`
}

// An asking is one answering of all questions of a talk.
type asking struct {
	Test    string            `json:"test"`
	Run     int               `json:"run"`
	Outcome omniscope.Outcome `json:"outcome"`
	Why     string            `json:"why,omitempty"`
	Answers []answer          `json:"answers,omitempty"` // to each question, in order
}

// An answer is a judge's answer to one question.
type answer struct {
	Number   int    `json:"number"`
	Text     string `json:"answer"`   // as the judge wrote it; "" = it wrote NONE
	Answered bool   `json:"answered"` // the text is an answer, and not words for having none
	Right    bool   `json:"right"`    // it says what the right answer says
}

// Failed reports whether an asking brought nothing, so that the questions are not tested whole.
func (t *Tested) Failed() bool {
	return slices.ContainsFunc(t.Askings, func(a asking) bool { return a.Outcome != omniscope.OK })
}

// AnswerStep is the key of answering in a test. The runs of a test have the same, and their attempts are numbered on: no
// run is given what another one was answered.
func AnswerStep(talk, test string) string { return fmt.Sprintf("%s/%s/answer", talk, test) }

// GradeStep is the key of the comparison of answers with the right ones, numbered in the same way.
func GradeStep(talk, test string) string { return fmt.Sprintf("%s/%s/grade", talk, test) }

// A testRun is one of the tests of a talk, done once.
type testRun struct {
	Test string
	Run  int // from 1
}

// Tests are the tests of a talk. The test by sight takes a talk of which is known what is to be seen.
func (t *Tester) Tests(talk *Talk) (all []testRun) {
	for run := 1; run <= t.Runs; run++ {
		all = append(all, testRun{blindTest, run})
	}
	all = append(all, testRun{soundTest, 1})
	if talk.has(pictures) {
		all = append(all, testRun{sightTest, 1})
	}
	return all
}

// Test answers the questions of a draft, in each of its tests.
func (t *Tester) Test(ctx context.Context, d *Draft) (*Tested, error) {
	out := &Tested{Talk: d.Talk.ID, Findings: []Finding{}}
	used := make(attempts)
	for _, one := range t.Tests(d.Talk) {
		a, err := t.ask(ctx, d, one, used)
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
func (t *Tested) judge(q *draftQuestion, at int) {
	find := func(check, says string, args ...any) {
		t.Findings = append(t.Findings, Finding{Check: check, Number: q.Number, Text: q.Text, Says: fmt.Sprintf(says, args...)})
	}
	if right, runs := t.guessed(at); runs > 0 && right == runs {
		find("guessable", "it is answered right without the talk (in %d of %d runs)", right, runs)
	}
	for i := range t.Askings {
		asked := &t.Askings[i]
		if asked.Test == blindTest || asked.Outcome != omniscope.OK {
			continue
		}
		a, test := &asked.Answers[at], testRules[asked.Test]
		gives := q.Label == talkqa.Either || q.Label == test.label
		switch {
		case q.Label == talkqa.Unanswered && a.Answered:
			find("answerable", "from %s somebody answers: %s", test.sense, a.Text)
		case q.Label == talkqa.Unanswered:
		case gives && !a.Right:
			find("sense", "%s alone does not answer it, and its label is %s", test.sense, q.Label)
		case !gives && a.Right:
			find("sense", "%s alone answers it, and its label is %s", test.sense, q.Label)
		}
	}
}

// guessed counts the runs of the blind test, and the runs that answered the question at a place right.
func (t *Tested) guessed(at int) (right, runs int) {
	for _, a := range t.Askings {
		runs += quantity.If(a.Test == blindTest)
		right += quantity.If(a.Test == blindTest && a.Outcome == omniscope.OK && a.Answers[at].Right)
	}
	return right, runs
}

// attempts is how many attempts each step has used.
type attempts map[string]int

// AnswerMessages ask for answers in a test of a draft.
func (t *Tester) AnswerMessages(d *Draft, one testRun) []model.Message {
	rule := testRules[one.Test]
	passages := ""
	if rule.source != 0 {
		passages = "\nThe passages:\n" + d.Talk.text(rule.source)
	}
	return t.Answer.Messages("rule", rule.rule, "questions", numbered(shuffled(d.Questions, d.Talk.ID, one.Run)), "passages", passages)
}

// ask has the questions answered, and the answers compared with the right ones.
func (t *Tester) ask(ctx context.Context, d *Draft, one testRun, used attempts) (*asking, error) {
	step := AnswerStep(d.Talk.ID, one.Test)
	said, err := judge.Ask(ctx, t.Asker, judge.Question[[]string]{
		Step: step, Asked: used[step], Messages: t.AnswerMessages(d, one), Whole: true,
		Read: func(reply string) ([]string, error) { return readAnswers(reply, d.Questions) },
	})
	if err != nil {
		return nil, err
	}
	used[step] += len(said.Attempts)
	a := &asking{Test: one.Test, Run: one.Run, Outcome: said.Outcome}
	if a.Outcome != omniscope.OK {
		a.Why = said.Why()
		return a, nil
	}
	for i, q := range d.Questions {
		a.Answers = append(a.Answers, answer{Number: q.Number, Text: said.Value[i]})
	}
	return a, t.grade(ctx, d, a, used)
}

// shuffled are the questions in the order of a run: in the first as they are, later in one that no earlier run has, as far
// as there are enough orders.
func shuffled(questions []draftQuestion, talk string, run int) []draftQuestion {
	orders := [][]draftQuestion{questions}
	hash := fnv.New64a()
	io.WriteString(hash, talk)
	random := rand.New(rand.NewPCG(hash.Sum64(), 1))
	for len(orders) < run {
		next := slices.Clone(questions)
		for try := 0; try < mostShuffles; try++ {
			random.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
			if !slices.ContainsFunc(orders, func(o []draftQuestion) bool { return sameOrder(o, next) }) {
				break
			}
		}
		orders = append(orders, next)
	}
	return orders[max(run, 1)-1]
}

// mostShuffles bounds the search for a new order: few questions have few.
const mostShuffles = 20

func sameOrder(a, b []draftQuestion) bool {
	return slices.EqualFunc(a, b, func(x, y draftQuestion) bool { return x.Number == y.Number })
}

// GradeMessages ask for a comparison of the answers at some places with the right ones.
func (t *Tester) GradeMessages(d *Draft, answers []answer, which []int) []model.Message {
	var pairs []string
	for _, i := range which {
		q := &d.Questions[i]
		right := "Right answer: " + q.Answer
		if q.Label == talkqa.Unanswered {
			right = "There is no right answer."
		}
		pairs = append(pairs, fmt.Sprintf("Question %d: %s\n%s\nAnswer: %s", q.Number, q.Text, right, answers[i].Text))
	}
	return t.Grade.Messages("answers", strings.Join(pairs, "\n\n"))
}

// LikelyGradeMessages are about as long as GradeMessages will be, before there are answers.
func (t *Tester) LikelyGradeMessages(d *Draft) []model.Message {
	answers, which := make([]answer, len(d.Questions)), make([]int, len(d.Questions))
	for i, q := range d.Questions {
		answers[i].Text, which[i] = q.Answer, i
	}
	return t.GradeMessages(d, answers, which)
}

// grade has the judge compare its answers with the right ones. Where it gave none, it is not asked.
func (t *Tester) grade(ctx context.Context, d *Draft, a *asking, used attempts) error {
	var which []int
	for i := range d.Questions {
		if a.Answers[i].Text != "" {
			which = append(which, i)
		}
	}
	if len(which) == 0 {
		return nil
	}
	step := GradeStep(d.Talk.ID, a.Test)
	graded, err := judge.Ask(ctx, t.Asker, judge.Question[[]string]{
		Step: step, Asked: used[step], Messages: t.GradeMessages(d, a.Answers, which), Whole: true,
		Read: func(reply string) ([]string, error) { return readGrades(reply, d.Questions, which) },
	})
	if err != nil {
		return err
	}
	used[step] += len(graded.Attempts)
	if a.Outcome = graded.Outcome; a.Outcome != omniscope.OK {
		a.Why = graded.Why()
		return nil
	}
	for n, i := range which {
		a.Answers[i].Answered, a.Answers[i].Right = graded.Value[n] != gradeNone, graded.Value[n] == gradeRight
	}
	return nil
}
