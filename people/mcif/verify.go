package mcif

import (
	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/people"
)

// verifyForm shows each question and its answer, and not what its author says that it takes: whoever
// verifies says so for themselves, and what they say counts.
func verifyForm(c *people.WorkItem, t *talkInfo) (*people.Form, error) {
	question := questionField()
	question.Optional = true
	s := people.Section{Name: qaSection, Title: "Questions", Fields: []people.Field{
		{Name: fieldVerdict, Label: "Verdict", Type: people.Choose, Choices: people.Choices(verdicts, map[string]string{
			accept: "as it is", fix: "change the question, the answer or where it is", reject: "it cannot be mended"})},
		labelField(), question, answerField(""), spanField(),
	}}
	for _, q := range writtenAt(c.At(questions)) {
		card := people.Card{ID: people.CardOf(q.key), Draft: people.Value{fieldQuestion: q.text, fieldAnswer: q.answer},
			Texts: []people.Text{{Title: "Question", Body: q.text}, {Title: "Answer", Body: q.answer}}}
		if q.timed {
			card.Draft[fieldSpan] = []any{q.start, q.end}
			card.Start, card.End = &q.start, &q.end
		}
		s.Cards = append(s.Cards, card)
	}
	return &people.Form{Texts: t.texts(), Sections: []people.Section{s}}, nil
}

// writtenAt are the questions of the task at a stage with one person.
func writtenAt(done []people.Done) []question {
	if d := last(done); d != nil {
		return written(d)
	}
	return nil
}

// verified is a question after what somebody else says of it.
func (q question) verified(by string, v people.Value) question {
	q.verifier, q.verdict, q.labelOfChecker = by, v.Text(fieldVerdict), v.Text(fieldLabel)
	if q.verdict != reject {
		q.label = q.labelOfChecker
	}
	if q.verdict != fix {
		return q
	}
	if text := trimmed(v, fieldQuestion); text != "" {
		q.text = text
	}
	if text := trimmed(v, fieldAnswer); text != "" {
		q.answer = text
	}
	if start, end, ok := v.Span(fieldSpan); ok {
		q.start, q.end, q.timed = start, end, true
	}
	return q
}

// changedBy reports whether what somebody says changes a question's texts or span.
func (q *question) changedBy(v people.Value) bool {
	start, end, ok := v.Span(fieldSpan)
	text, answer := trimmed(v, fieldQuestion), trimmed(v, fieldAnswer)
	return text != "" && text != q.text || answer != "" && answer != q.answer || ok && (!q.timed || start != q.start || end != q.end)
}

// checkVerdicts says, in words for the person, what is wrong with what they say of questions.
func checkVerdicts(c *people.WorkItem, _ *talkInfo, answers map[string]people.Value) error {
	for _, q := range writtenAt(c.At(questions)) {
		v := answers[q.key]
		switch verdict, changed := v.Text(fieldVerdict), q.changedBy(v); {
		case verdict == fix && !changed && v.Text(fieldLabel) == talkqa.Unanswered:
			return omniscope.Usagef("%q: you say fix and change nothing: change it, accept it as NA, or reject it", q.text)
		case verdict == fix && !changed:
			return omniscope.Usagef("%q: you say fix and change nothing: change the question, the answer or where it is; what it takes needs no fix", q.text)
		case verdict != fix && changed:
			return omniscope.Usagef("%q: you say %s and change it all the same: say fix, or undo the change", q.text, verdict)
		case verdict == reject:
			continue
		}
		after := q.verified("", v)
		if err := after.check(); err != nil {
			return err
		}
	}
	return nil
}

// final are a talk's questions as they are now: verified and not rejected, or else as they were written.
// rejected are those that are left out.
func final(questions, verify []people.Done) (kept, rejected []question) {
	all := writtenAt(questions)
	d := last(verify)
	if d == nil {
		return all, nil
	}
	for _, q := range all {
		if q = q.verified(d.Person, d.Answers[q.key]); q.verdict == reject {
			rejected = append(rejected, q)
		} else {
			kept = append(kept, q)
		}
	}
	return kept, rejected
}
