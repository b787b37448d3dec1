package questions

import (
	"context"
	"encoding/json"
	"fmt"

	"omniscope/bench"
	"omniscope/internal/talkqa"
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
		q := Question{Number: r.Number, Origin: r.Origin, Text: r.Question, Answer: r.Answer, Label: r.Label, From: r.From}
		if d.find(q.Number) != nil {
			return fmt.Errorf("talk %s has a question %d already, on an earlier line", r.Talk, r.Number)
		}
		for _, name := range q.From {
			if talk.Find(name) == nil {
				return fmt.Errorf("it is from %q, and talk %s has no such passage: give the talks and --seen with which it was drafted", name, r.Talk)
			}
		}
		d.Questions, set.Rows = append(d.Questions, q), append(set.Rows, r)
		return nil
	})
	set.Digest = digest
	if err == nil && len(set.Rows) == 0 {
		err = invalid("%s has no questions but rejected ones", path)
	}
	return set, err
}

// Annotate adds findings to the notes of the set's rows, so that people see them.
func (s *Set) Annotate(tested []*Tested) {
	for _, t := range tested {
		for _, f := range t.Findings {
			for _, r := range s.Rows {
				if r.Talk == t.Talk && r.Number == f.Number {
					r.Notes = append(r.Notes, fmt.Sprintf("%s: %s", f.Check, f.Says))
				}
			}
		}
	}
}
