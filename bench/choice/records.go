package choice

import (
	"omniscope"
	"omniscope/bench"
	"omniscope/model/judge/letters"
)

// A record is a question's line of answers.jsonl.
type record struct {
	ID       string            `json:"id"`
	Clip     string            `json:"clip"`
	Right    string            `json:"right"`
	Chosen   string            `json:"chosen"` // by profile strict; "" = nothing
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
func (u *unit) shown() *omniscope.Case {
	c := &omniscope.Case{Unit: u.q.ID, Cluster: bench.Stem(u.q.Clip[0]), Outcome: u.outcome, Media: u.q.Media.Video}
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
		c.Facts = append(c.Facts, omniscope.Fact{Name: t.Dimension, Value: t.Group})
	}
	if u.cascade && u.given != nil && *u.given != "" {
		c.Sections = append(c.Sections, omniscope.Section{Title: "Caption", Text: []omniscope.Piece{{Text: *u.given}}})
	}
	options := omniscope.Section{Title: "Options", Columns: []string{"letter", "option", ""}}
	for i, o := range u.q.Options {
		note := omniscope.Piece{}
		switch {
		case i == u.q.Gold && u.answered() && i == u.chosen:
			note = omniscope.Piece{Text: "right, chosen", Tone: omniscope.Good}
		case i == u.q.Gold:
			note = omniscope.Piece{Text: "right", Tone: omniscope.Good}
		case u.answered() && i == u.chosen:
			note = omniscope.Piece{Text: "chosen", Tone: omniscope.Bad}
		}
		options.Rows = append(options.Rows, [][]omniscope.Piece{{{Text: letters.Letter(i)}}, {{Text: o}}, {note}})
	}
	c.Sections = append(c.Sections, omniscope.Section{Title: "Question", Text: []omniscope.Piece{{Text: u.q.Text}}}, options)
	answer := omniscope.Piece{Text: u.answer}
	if u.answer == "" {
		answer = omniscope.Piece{Text: "There is none.", Tone: omniscope.Dim}
	}
	c.Sections = append(c.Sections, omniscope.Section{Title: "Answer", Text: []omniscope.Piece{answer}})
	return c
}
