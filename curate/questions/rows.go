package questions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/talkqa"
)

// A Set is the questions of a file, by talk.
type Set struct {
	Drafts []*Draft // in the order in which their talks come first
	Rows   []*talkqa.Row
	Digest string
}

// ReadSet reads questions in the form of questions.jsonl: drafted ones, or what people made of them. Rejected ones are left out.
func ReadSet(ctx context.Context, path string, talks *Talks) (*Set, error) {
	set := &Set{}
	byTalk := make(map[string]*Draft)
	type key struct {
		talk   string
		number int
	}
	numbers := make(map[key]bool)
	digest, err := eachLine(ctx, path, func(text []byte) error {
		r := &talkqa.Row{}
		if err := json.Unmarshal(text, r); err != nil {
			return err
		}
		talk := talks.Find(r.Talk)
		switch {
		case r.Talk == "":
			return bench.NoField("talk", bench.FieldsOf(text))
		case talk == nil:
			return fmt.Errorf("there is no talk %q among the talks", r.Talk)
		}
		if err := r.Check(); err != nil {
			return err
		}
		if r.State == "rejected" {
			return nil
		}
		d := byTalk[r.Talk]
		if d == nil {
			d = &Draft{Talk: talk}
			byTalk[r.Talk], set.Drafts = d, append(set.Drafts, d)
		}
		q := draftQuestion{Number: r.Number, Origin: r.Origin, Text: r.Question, Answer: r.Answer, Label: r.Label, From: r.From, start: r.Start, end: r.End}
		if q.Number != 0 && numbers[key{r.Talk, q.Number}] {
			return fmt.Errorf("talk %s has a question %d already, on an earlier line", r.Talk, r.Number)
		}
		numbers[key{r.Talk, q.Number}] = true
		for _, name := range q.From {
			if talk.Find(name) == nil {
				return fmt.Errorf("it is from %q, and talk %s has no such passage: give the talks and --seen with which it was drafted", name, r.Talk)
			}
		}
		d.Questions, set.Rows = append(d.Questions, q), append(set.Rows, r)
		return nil
	})
	set.Digest = digest
	set.number()
	if err == nil && len(set.Rows) == 0 {
		err = omniscope.Invalidf("%s has no questions but rejected ones", path)
	}
	return set, err
}

// number numbers the questions that have no number, after the others of their talks.
func (s *Set) number() {
	rows := make(map[string][]*talkqa.Row)
	for _, r := range s.Rows {
		rows[r.Talk] = append(rows[r.Talk], r)
	}
	for _, d := range s.Drafts {
		last := 0
		for i := range d.Questions {
			last = max(last, d.Questions[i].Number)
		}
		for i, r := range rows[d.Talk.ID] { // in the order of the questions
			if r.Number == 0 {
				last++
				r.Number, d.Questions[i].Number = last, last
			}
		}
	}
}

// has reports whether a question has a label.
func (s *Set) has(label string) bool {
	return slices.ContainsFunc(s.Rows, func(r *talkqa.Row) bool { return r.Label == label })
}

// Annotate adds findings to the notes of the set's rows, so that people see them. Those of an earlier test go.
func (s *Set) Annotate(tested []*Tested) {
	notes := make(map[string][]string)
	key := func(talk string, number int) string { return fmt.Sprintf("%s\n%d", talk, number) }
	for _, t := range tested {
		for _, f := range t.Findings {
			k := key(t.Talk, f.Number)
			notes[k] = append(notes[k], fmt.Sprintf("%s: %s", f.Check, f.Says))
		}
	}
	for _, r := range s.Rows {
		r.Notes = append(slices.DeleteFunc(r.Notes, ofCheck), notes[key(r.Talk, r.Number)]...)
	}
}

// ofCheck reports whether a note is the finding of a check.
func ofCheck(note string) bool {
	name, _, ok := strings.Cut(note, ": ")
	return ok && slices.ContainsFunc(checks, func(c checkInfo) bool { return c.Name == name })
}
