package choice

import (
	"omniscope"
	"omniscope/bench/document"
	"omniscope/model/judge/letters"
)

// A record is a question's line of answers.jsonl.
type record struct {
	ID       string            `json:"id"`
	Clip     string            `json:"clip"`
	Right    string            `json:"right"`
	Chosen   string            `json:"chosen"` // by strict scoring; "" = nothing
	Why      letters.Why       `json:"why,omitempty"`
	Strict   string            `json:"strict"`
	Official string            `json:"official"`
	Outcome  omniscope.Outcome `json:"outcome"`
	Answer   string            `json:"answer,omitempty"`
}

func (u *unit) record() record {
	r := record{ID: u.q.ID, Clip: u.q.Clip[0], Right: letters.Letter(u.q.Gold), Why: u.why, Strict: u.strict.String(), Official: u.official.String(), Outcome: u.outcome, Answer: u.answer}
	if u.answered() {
		r.Chosen = letters.Letter(u.chosen)
	}
	return r
}

// answered reports whether an option was chosen.
func (u *unit) answered() bool { return u.strict == omniscope.Correct || u.strict == omniscope.Wrong }

// shown is the question as a person looks at it.
func (u *unit) shown() *document.Case {
	c := &document.Case{Unit: u.q.ID, Cluster: u.cluster, Outcome: u.outcome, Media: u.q.Media.Video}
	if c.Media == "" {
		c.Media = u.q.Media.Audio
	}
	if u.strict != omniscope.Unjudged || u.unread {
		score := 0.0
		if u.strict == omniscope.Correct {
			score = 1
		}
		c.Score = &score
	}
	for _, t := range u.q.Tags {
		c.Facts = append(c.Facts, document.Fact{Name: t.Dimension, Value: t.Group})
	}
	if u.cascade && u.given != nil && *u.given != "" {
		c.Sections = append(c.Sections, document.TextSection("Caption", u.given))
	}
	c.Sections = append(c.Sections, document.Section{Title: "Question", Text: []document.Piece{{Text: u.q.Text}}}, u.optionTable(), document.TextSection("Answer", &u.answer))
	return c
}

func (u *unit) optionTable() document.Section {
	table := document.Section{Title: "Options", Columns: []string{"letter", "option", ""}}
	for i, o := range u.q.Options {
		note := document.Piece{}
		switch {
		case i == u.q.Gold && u.answered() && i == u.chosen:
			note = document.Piece{Text: "right, chosen", Tone: document.Good}
		case i == u.q.Gold:
			note = document.Piece{Text: "right", Tone: document.Good}
		case u.answered() && i == u.chosen:
			note = document.Piece{Text: "chosen", Tone: document.Bad}
		}
		table.Rows = append(table.Rows, [][]document.Piece{{{Text: letters.Letter(i)}}, {{Text: o}}, {note}})
	}
	return table
}
