// Package perceive turns media into observations: tools that say WHAT there is
// to see or hear, WHEN, and HOW SURE they are. Each tool looks by itself and
// knows nothing of the others; who asks them what is package detective's
// business, and how media is opened package media's.
//
// A tool states what it measured. What it cannot tell it does not guess: speech
// that is not intelligible is "speech, not intelligible", and a sound's source
// is at most "consistent with" something.
package perceive

import (
	"context"
	"fmt"
	"strings"

	"omniscope"
	"omniscope/media"
)

// A Tool looks at media and answers questions about it. It is safe for
// concurrent use.
type Tool interface {
	Info() Info
	// Check says what keeps the tool from working here, such as a program that is
	// not installed; nil if nothing does.
	Check(ctx context.Context) error
	// Observe answers a question about a clip. A tool that measures the same
	// whatever is asked heeds the question at most to choose what it tells. A clip
	// that lacks what the tool needs, such as sound, is an Answer that says so and
	// no error.
	Observe(ctx context.Context, c *Clip, question string) (*Answer, error)
}

// Info describes a tool, to people and to the model that chooses among tools.
type Info struct {
	Name     string             // such as ocr
	Version  string             // of what shapes its answers; part of the key they are remembered under
	About    string             // what it can tell, in a sentence
	Needs    string             // programs or endpoints, for `omniscope doctor`; "" = nothing
	Modality omniscope.Modality // the sense it stands for: Audio or Visual
	Model    string             // who answers, for a tool that is a model, such as gpt-4o; "" = a program measures
	Asks     bool               // it heeds the question; else one question is as good as another
	Looks    bool               // it takes a look at the clip as a whole, see Clip.Look
	Frames   *media.Policy      // the frames that it asks the clip for besides; nil = none
}

// An Answer is what a tool said to one question.
type Answer struct {
	Text         string        // for a reader that goes by words
	Observations []Observation // the same, item by item
	Warnings     []string
	Frames       *media.Plan // the frames it looked at, by their time stamps; nil = none
	Closer       []Focus     // where it was unsure, so that a closer look may tell more; the likeliest first
	Model        string      // that answered, as its endpoint calls it; "" = no model
	Dropped      []string    // options that the endpoint refused
}

// NewAnswer returns observations as an answer. Its text has a line for each, timed with the times of its stretch.
func NewAnswer(timed bool, list ...Observation) *Answer {
	lines := make([]string, len(list))
	for i, o := range list {
		if lines[i] = o.What; timed && o.Span.End > 0 {
			lines[i] = fmt.Sprintf("%.2f to %.2f s: %s", o.Span.Start.Seconds(), o.Span.End.Seconds(), o.What)
		}
	}
	return &Answer{Text: strings.Join(lines, "\n"), Observations: list}
}

// A Rememberer is a Tool that receives its remembered answers.
type Rememberer interface{ Remembered(a *Answer) }

// A Kind says what an observation is of, so that a program can sort them.
type Kind string

// The kinds.
const (
	Text     Kind = "text"     // words that can be read; Quote has them
	Speech   Kind = "speech"   // words that can be heard; Quote has them where they are intelligible
	Sound    Kind = "sound"    // how it sounds: level, band, rhythm, events
	Silence  Kind = "silence"  // no sound
	Scene    Kind = "scene"    // what the picture is like
	Cut      Kind = "cut"      // one shot ends and another begins
	Absence  Kind = "absence"  // the clip has no picture or no sound
	Reported Kind = "reported" // what a model says it saw or heard
)

// An Observation is one thing that a tool noticed.
type Observation struct {
	Kind   Kind               `json:"kind"`
	What   string             `json:"what"`            // a sentence that can stand in a caption
	Quote  string             `json:"quote,omitempty"` // words letter by letter, as far as the tool can tell
	Span   omniscope.Span     `json:"span"`            // where; a zero End with a zero Start is the whole clip
	Sure   float64            `json:"sure"`            // from 0 to 1
	Values map[string]float64 `json:"values,omitempty"`
}
