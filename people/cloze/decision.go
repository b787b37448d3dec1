package cloze

import (
	"slices"
	"strings"

	"omniscope"
	"omniscope/people"
)

// An outcome is what becomes of a blank.
type outcome string

// The outcomes.
const (
	openDecision outcome = "open" // not reviewed yet, or not settled
	accepted     outcome = "accepted"
	fixed        outcome = "fixed"
	rejected     outcome = "rejected"
)

// A decision is what one person says of a blank with its key.
type decision struct {
	verdict string
	changes
}

// changes are what a person changes in a blank; "" = nothing.
type changes struct {
	answer      string
	distractors [3]string
	key         string // letter
	sense       string
}

// effect is a decision as far as something follows from it. Two people who reject a blank for
// different reasons agree.
type effect struct {
	outcome outcome
	changes
}

// decision reads what somebody says of the blank. A text that is as it was is no change.
func (b *blank) decision(v people.Value) decision {
	d := decision{verdict: v.Text(fieldVerdict)}
	change := func(field, was string) string {
		if text := strings.TrimSpace(v.Text(field)); text != was {
			return text
		}
		return ""
	}
	d.answer, d.key, d.sense = change(fieldAnswer, b.options[b.key]), change(fieldKey, letters[b.key:b.key+1]), change(fieldSense, b.sense)
	for i, place := range b.distractors {
		d.distractors[i] = change(distractorField(i), b.options[place])
	}
	return d
}

// effect is what follows from the decision. A problem that is not mended is a rejection.
func (d decision) effect() effect {
	switch {
	case d.verdict == "":
		return effect{outcome: openDecision}
	case d.verdict == accept:
		return effect{outcome: accepted}
	case d.verdict == reject || d.changes == changes{}:
		return effect{outcome: rejected}
	}
	return effect{outcome: fixed, changes: d.changes}
}

// A change is of one field.
type change struct{ field, text string }

// list are the changes that there are.
func (c *changes) list() (out []change) {
	all := []change{{fieldAnswer, c.answer}}
	for i, text := range c.distractors {
		all = append(all, change{distractorField(i), text})
	}
	return slices.DeleteFunc(append(all, change{fieldKey, c.key}, change{fieldSense, c.sense}), func(one change) bool { return one.text == "" })
}

// String is the decision in words.
func (d decision) String() string {
	parts := []string{d.verdict}
	for _, c := range d.list() {
		what := c.field
		if what == fieldKey {
			what = "right option"
		}
		parts = append(parts, what+": "+c.text)
	}
	return strings.Join(parts, "; ")
}

// checkDecisions says, in words for the person, what is wrong with what they say of blanks.
func checkDecisions(_ *people.WorkItem, s *sheetTask, answers map[string]people.Value) error {
	r, err := s.row()
	if err != nil {
		return err
	}
	for i := range r.blanks {
		b := &r.blanks[i]
		v, ok := answers[b.cardKey()]
		if !ok {
			continue // a senior sees disputes only
		}
		if err := b.check(b.decision(v)); err != nil {
			return err
		}
	}
	return nil
}

func (b *blank) check(d decision) error {
	changed := d.changes != changes{}
	switch {
	case (d.verdict == accept || d.verdict == reject) && changed:
		return omniscope.Usagef("blank %d: you say %q and change it all the same: say what is wrong with it, or undo the change", b.number, d.verdict)
	case d.verdict == wrongKey && d.key == "" && d.answer == "":
		return omniscope.Usagef("blank %d: choose the right option, or change the answer", b.number)
	case d.verdict == wrongSense && d.sense == "":
		return omniscope.Usagef("blank %d: choose the right sense; it says %s already", b.number, b.sense)
	}
	texts := b.changed(d.changes).options
	for i, text := range texts {
		if slices.ContainsFunc(texts[:i], func(o string) bool { return strings.EqualFold(strings.TrimSpace(o), strings.TrimSpace(text)) }) && d.effect().outcome != rejected {
			return omniscope.Usagef("blank %d: two options say %q: change one, or reject the blank", b.number, text)
		}
	}
	return nil
}

// changed is the blank after changes: first of its texts, then of its key.
func (b *blank) changed(by changes) blank {
	out := *b
	out.options = slices.Clone(b.options)
	if by.answer != "" {
		out.options[b.key] = by.answer
	}
	for i, text := range by.distractors {
		if text != "" {
			out.options[b.distractors[i]] = text
		}
	}
	if by.sense != "" {
		out.sense = by.sense
	}
	if by.key == "" {
		return out
	}
	out.key = strings.Index(letters, by.key)
	for i, place := range b.distractors { // what was the answer is a distractor now
		if place == out.key {
			out.distractors[i] = b.key
		}
	}
	if b.built { // options are built of the distractors in their order
		slices.Sort(out.distractors[:])
	}
	return out
}

// result is what became of a blank.
type result struct {
	effect
	settled bool // by a senior
}

// resultOf is what the senior says of a blank, else what all who were wanted agree on.
func (b *blank) resultOf(done, settled []people.Done, wanted int) result {
	if len(settled) > 0 {
		if v, ok := settled[0].Answers[b.cardKey()]; ok {
			return result{effect: b.decision(v).effect(), settled: true}
		}
	}
	if len(done) == 0 || len(done) < wanted || !b.agreed(done) {
		return result{effect: effect{outcome: openDecision}}
	}
	return result{effect: b.decision(done[0].Answers[b.cardKey()]).effect()}
}
