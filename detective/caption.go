package detective

import (
	"slices"
	"strings"

	"omniscope"
)

// A Caption is what a planner concludes.
type Caption struct {
	Outcome   omniscope.Outcome `json:"outcome"` // OK, or why there is no caption
	Why       string            `json:"why,omitempty"`
	Text      string            `json:"text"` // the sentences as one text, a line for each shot
	Sentences []Sentence        `json:"sentences"`

	// Contradictions are those the planner noticed; see Report.Contradictions
	// for all.
	Contradictions []Contradiction `json:"contradictions"`
	Asked          int             `json:"planner_asked"` // askings it took; 0 = no model was asked
	Warnings       []string        `json:"warnings,omitempty"`
}

// Who notices contradictions, next to the rules of package claims.
const (
	byPlanner      = "planner"
	byConfirmation = "confirmation"
)

// beginsParagraph reports whether a sentence tells of another shot than the one
// before it, or is the first of the clip as a whole.
func beginsParagraph(sentences []Sentence, i int) bool {
	return i > 0 && (sentences[i].Shot != sentences[i-1].Shot || sentences[i].Whole != sentences[i-1].Whole)
}

// newCaption makes a caption of sentences, each shot a paragraph, and marks those
// that rest on nothing.
func newCaption(sentences []Sentence) *Caption {
	var text strings.Builder
	for i := range sentences {
		s := &sentences[i]
		if s.Evidence == nil {
			s.Evidence = []string{}
		}
		s.Unfounded = len(s.Evidence) == 0
		switch {
		case i == 0:
		case beginsParagraph(sentences, i):
			text.WriteByte('\n')
		default:
			text.WriteByte(' ')
		}
		text.WriteString(s.Text)
	}
	return &Caption{Outcome: omniscope.OK, Text: text.String(), Sentences: sentences, Contradictions: []Contradiction{}}
}

// noCaption is the caption of an investigation without evidence.
func noCaption(outcome omniscope.Outcome, why string) *Caption {
	return &Caption{Outcome: outcome, Why: why, Sentences: []Sentence{}, Contradictions: []Contradiction{}}
}

// Disputed counts the sentences that rest on what another observer contradicts.
func (c *Caption) Disputed() int { return c.count(func(s Sentence) bool { return s.Disputed }) }

// Unfounded counts the sentences without evidence.
func (c *Caption) Unfounded() int { return c.count(func(s Sentence) bool { return s.Unfounded }) }

func (c *Caption) count(is func(Sentence) bool) int {
	return len(slices.DeleteFunc(slices.Clone(c.Sentences), func(s Sentence) bool { return !is(s) }))
}
