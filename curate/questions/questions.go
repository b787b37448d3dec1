// Package questions drafts questions and answers about recorded talks, as MCIF's (arXiv 2507.19634): from the abstract alone,
// then from all that is said and seen; checks drafts by rules that a program can apply, mends single questions, and tests
// whether one can be answered without the talk, or by another sense than it says.
//
// People decide (people/mcif): what comes out is where they begin. It looks at no media: what is seen in a talk is what
// an investigation of its pictures told (detective), or a file that says it.
package questions

import (
	"fmt"
	"slices"
	"strings"

	"omniscope/bench/mcif/talkqa"
)

// A Draft is the questions about one talk while they are made.
type Draft struct {
	Talk      *Talk
	Questions []draftQuestion
}

// A draftQuestion is one question with its answer, and the passages of the talk that it rests on.
type draftQuestion struct {
	Number int      `json:"number"` // in the talk, from 1
	Origin string   `json:"origin"` // one of talkqa.Origins
	Text   string   `json:"question"`
	Answer string   `json:"answer"` // "" where nothing gives it
	Label  string   `json:"label"`  // one of talkqa.Labels
	From   []string `json:"from"`   // names of passages

	start, end *float64 // where people say that the answer is; nil = it follows from the passages
}

// find is the question with a number; nil if there is none.
func (d *Draft) find(number int) *draftQuestion {
	at := slices.IndexFunc(d.Questions, func(q draftQuestion) bool { return q.Number == number })
	if at < 0 {
		return nil
	}
	return &d.Questions[at]
}

// Short says what the draft lacks of the guideline's numbers, such as "1 V, not 2", and how many questions are missing. A talk without
// passages that are seen needs no V and no AV questions.
func (d *Draft) Short() (says []string, missing int) {
	var kinds []talkqa.Kind
	for _, q := range d.Questions {
		kinds = append(kinds, talkqa.Kind{Origin: q.Origin, Label: q.Label})
	}
	return talkqa.Short(kinds, d.Talk.needs())
}

// span is where the talk gives the answer: as people say, else from the first to the last of the passages that have a time.
func (d *Draft) span(q *draftQuestion) (start, end *float64) {
	if q.start != nil {
		return q.start, q.end
	}
	for _, name := range q.From {
		p := d.Talk.Find(name)
		if p == nil || p.Start == nil || p.End == nil {
			continue
		}
		if start == nil || *p.Start < *start {
			start = p.Start
		}
		if end == nil || *p.End > *end {
			end = p.End
		}
	}
	return start, end
}

// Row is a question as people are given it. Its notes quote the passages that it rests on.
func (d *Draft) Row(q *draftQuestion, author string) *talkqa.Row {
	r := &talkqa.Row{Talk: d.Talk.ID, Number: q.Number, Origin: q.Origin, Label: q.Label, Question: q.Text, Answer: q.Answer, State: "drafted", Author: author, From: q.From}
	r.Start, r.End = d.span(q)
	for _, name := range q.From {
		if p := d.Talk.Find(name); p != nil {
			r.Notes = append(r.Notes, "rests on "+p.String())
			if p.Evidence != "" {
				r.Evidence = append(r.Evidence, p.Evidence)
			}
		}
	}
	return r
}

// A Finding is one thing that is wrong with a question.
type Finding struct {
	Check  string `json:"check"`  // a name of Checks
	Number int    `json:"number"` // of the question
	Text   string `json:"text"`   // that is wrong, as it stands in the question or its answer
	Says   string `json:"says"`   // what is wrong with it
}

func (f Finding) String() string {
	return fmt.Sprintf("question %d: %q: %s (%s)", f.Number, f.Text, f.Says, f.Check)
}

// draftNames joins the names of the checks that found something, each once.
func draftNames(findings []Finding) string {
	var names []string
	for _, f := range findings {
		if !slices.Contains(names, f.Check) {
			names = append(names, f.Check)
		}
	}
	return strings.Join(names, ", ")
}
