package mcif

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/people"
)

// qaSection is the name of the section with questions, at every stage that has one.
const qaSection = "qa"

// The fields of questions.
const (
	fieldQuestion = "question"
	fieldAnswer   = "answer"
	fieldLabel    = "label"
	fieldOrigin   = "origin"
	fieldSpan     = "span"
	fieldVerdict  = "verdict"
)

var labelHelp = map[string]string{talkqa.Either: "sound and pictures both give the answer, each alone", talkqa.Heard: "only the sound gives the answer", talkqa.Seen: "only the pictures give the answer", talkqa.Unanswered: "neither gives the answer"}

// What may be said of a question by somebody else.
const (
	accept = "accept"
	fix    = "fix"
	reject = "reject"
)

var verdicts = []string{accept, fix, reject}

// A question is one with its answer, as somebody wrote it.
type question struct {
	key            string // among the answers of its task
	text, answer   string
	label, origin  string
	start, end     float64
	timed          bool
	author         string
	verifier       string // "" = not verified
	verdict        string
	labelOfAuthor  string
	labelOfChecker string
}

// written are the questions of a task, by origin and then as they were added.
func written(d *people.Done) (out []question) {
	for _, key := range people.KeysIn(d.Answers, qaSection) {
		v := d.Answers[key]
		q := question{key: key, author: d.Person, text: trimmed(v, fieldQuestion), answer: trimmed(v, fieldAnswer), label: v.Text(fieldLabel), origin: v.Text(fieldOrigin)}
		q.start, q.end, q.timed = v.Span(fieldSpan)
		q.labelOfAuthor = q.label
		out = append(out, q)
	}
	slices.SortStableFunc(out, func(a, b question) int {
		return cmp.Compare(slices.Index(talkqa.Origins, a.origin), slices.Index(talkqa.Origins, b.origin))
	})
	return out
}

func trimmed(v people.Value, field string) string { return strings.TrimSpace(v.Text(field)) }

func questionField() people.Field {
	return people.Field{Name: fieldQuestion, Label: "Question", Type: people.Prose, Max: 1000}
}

func answerField(help string) people.Field {
	return people.Field{Name: fieldAnswer, Label: "Answer", Type: people.Prose, Max: 3000, Optional: true, Help: help}
}

func labelField() people.Field {
	return people.Field{Name: fieldLabel, Label: "Takes", Type: people.Choose, Choices: people.Choices(talkqa.Labels, labelHelp)}
}

func spanField() people.Field {
	return people.Field{Name: fieldSpan, Label: "Where the answer is", Type: people.When, Optional: true, Help: "not for NA"}
}

// abstractForm shows the abstract alone. Answers of given questions are not shown: they may be from the talk.
func abstractForm(_ *people.WorkItem, t *talkInfo) (*people.Form, error) {
	s := people.Section{Name: qaSection, Title: "Questions", Add: true, Strike: true, Min: talkqa.AbstractQuestions, Want: talkqa.AbstractQuestions,
		Fields: []people.Field{questionField(), answerField("if the abstract gives it")}}
	for i := range t.Given {
		if g := &t.Given[i]; g.Origin == talkqa.Abstract {
			s.Cards = append(s.Cards, people.Card{ID: givenID(i), Draft: people.Value{fieldQuestion: g.Question}})
		}
	}
	return &people.Form{Texts: []people.Text{{Title: "Abstract", Body: t.Abstract, Language: "en"}}, Sections: []people.Section{s}}, nil
}

func givenID(i int) string { return fmt.Sprintf("given-%03d", i+1) }

// questionsForm shows the talk, and proposes what was asked before.
func questionsForm(c *people.WorkItem, t *talkInfo) (*people.Form, error) {
	s := people.Section{Name: qaSection, Title: "Questions", Add: true, Strike: true, Want: 10, Min: 10, Fields: []people.Field{
		questionField(), answerField("full sentences; not for NA"), labelField(),
		{Name: fieldOrigin, Label: "Comes from", Type: people.Choose, Choices: people.Choices(talkqa.Origins, nil)}, spanField(),
	}}
	for i := range t.Given {
		if g := &t.Given[i]; g.Origin != talkqa.Abstract {
			s.Cards = append(s.Cards, people.Card{ID: givenID(i), Draft: g.draft(), Texts: g.notes()})
		}
	}
	for i, text := range talkqa.GeneralQuestions {
		if !t.asks(text) {
			s.Cards = append(s.Cards, people.Card{ID: fmt.Sprintf("general-%d", i+1), Draft: people.Value{fieldQuestion: text, fieldOrigin: talkqa.General}})
		}
	}
	if d := last(c.At(questionsAbstract)); d != nil {
		for _, q := range written(d) {
			draft, notes := people.Value{}, []people.Text(nil)
			if i := t.given(q.key); i >= 0 {
				draft, notes = t.Given[i].draft(), t.Given[i].notes()
			}
			draft[fieldQuestion], draft[fieldOrigin] = q.text, talkqa.Abstract
			if q.answer != "" {
				draft[fieldAnswer] = q.answer
			}
			s.Cards = append(s.Cards, people.Card{ID: people.CardOf(q.key), Draft: draft, Texts: notes})
		}
	}
	return &people.Form{Texts: t.texts(), Sections: []people.Section{s}}, nil
}

// asks reports whether a general question is among the given ones.
func (t *talkInfo) asks(text string) bool {
	return slices.ContainsFunc(t.Given, func(g given) bool { return g.Origin == talkqa.General && strings.TrimSpace(g.Question) == text })
}

// given is the place of the given question that a card shows; -1 = it shows none.
func (t *talkInfo) given(key string) int {
	for i := range t.Given {
		if key == qaSection+"/"+givenID(i) {
			return i
		}
	}
	return -1
}

// texts show what the talk is about.
func (t *talkInfo) texts() []people.Text {
	out := []people.Text{{Title: "Abstract", Body: t.Abstract, Language: "en"}}
	if len(t.Lines) == 0 && t.Transcript != "" {
		return append(out, people.Text{Title: "Transcript", Body: t.Transcript, Language: "en"})
	}
	for _, l := range t.Lines {
		out = append(out, people.Text{Body: l.Source, Language: "en", Start: l.Start, End: l.End})
	}
	return out
}

// draft proposes a given question.
func (g *given) draft() people.Value {
	v := people.Value{fieldQuestion: g.Question, fieldAnswer: g.Answer, fieldLabel: g.Label, fieldOrigin: g.Origin}
	if g.Start != nil && g.End != nil {
		v[fieldSpan] = []any{*g.Start, *g.End}
	}
	return v
}

// notes show what a program says of a given question, such as on what a draft rests and that it can be guessed. Whoever asks from
// the abstract alone does not see them: they tell of the talk.
func (g *given) notes() (out []people.Text) {
	for _, note := range g.Notes {
		out = append(out, people.Text{Title: "Note", Body: note})
	}
	return out
}

// checkTwice says which question stands twice.
func checkTwice(all []question) error {
	there := make(map[string]bool, len(all))
	for _, q := range all {
		if there[q.text] {
			return omniscope.Usagef("two questions are %q: strike one, or ask something else", q.text)
		}
		there[q.text] = true
	}
	return nil
}

// checkQuestions says, in words for the person, what is wrong with a talk's questions.
func checkQuestions(all []question) error {
	for _, q := range all {
		if err := q.check(); err != nil {
			return err
		}
	}
	if missing := shortOf(all); len(missing) > 0 {
		return omniscope.Usagef("too few questions: %s", strings.Join(missing, ", "))
	}
	return checkTwice(all)
}

// check says what a question lacks. What cannot be answered needs no answer and no span.
func (q *question) check() error {
	switch {
	case q.label == talkqa.Unanswered:
		return nil
	case q.answer == "":
		return omniscope.Usagef("%q has no answer: write it, or choose NA", q.text)
	case !q.timed:
		return omniscope.Usagef("%q: mark where the talk gives the answer, or choose NA", q.text)
	}
	return nil
}

// shortOf says what a talk's questions lack by the guideline of MCIF; more of each is fine.
func shortOf(all []question) (missing []string) {
	var kinds []talkqa.Kind
	for _, q := range all {
		kinds = append(kinds, talkqa.Kind{Origin: q.origin, Label: q.label})
	}
	missing, _ = talkqa.Short(kinds, talkqa.Guideline)
	return missing
}
