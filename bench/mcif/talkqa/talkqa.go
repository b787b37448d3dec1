// Package talkqa has the words and the rules of questions about recorded talks, as MCIF's guideline for annotators has them
// (arXiv 2507.19634): what it takes to answer one, where it comes from, and how many of each a talk needs. Package
// curate/questions, which drafts questions, and people/mcif, which has people write them, share it.
package talkqa

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What it takes to answer a question.
const (
	Either     = "AV" // sound and pictures both give the answer, each alone
	Heard      = "A"  // only the sound gives it
	Seen       = "V"  // only the pictures give it
	Unanswered = "NA" // neither gives it
)

// Labels are what it takes to answer a question.
var Labels = []string{Either, Heard, Seen, Unanswered}

// Where a question comes from.
const (
	General    = "general"
	Abstract   = "abstract"
	Transcript = "transcript"
)

// Origins are where a question comes from.
var Origins = []string{General, Abstract, Transcript}

// GeneralQuestions are asked of each talk.
var GeneralQuestions = []string{"What is the name of the speaker?", "How many authors does the paper have?", "What are the affiliations of the authors?"}

// A Row is a line of questions.jsonl: one question about a talk.
type Row struct {
	Talk     string   `json:"talk"`
	Number   int      `json:"number"` // in the talk, from 1
	Origin   string   `json:"origin"` // one of Origins
	Label    string   `json:"label"`  // one of Labels
	Question string   `json:"question"`
	Answer   string   `json:"answer,omitempty"`
	Start    *float64 `json:"start,omitempty"` // where the talk gives the answer, in seconds
	End      *float64 `json:"end,omitempty"`
	State    string   `json:"state,omitempty"` // drafted, written, verified, rejected
	Author   string   `json:"author,omitempty"`
	Verifier string   `json:"verifier,omitempty"`

	From     []string `json:"from,omitempty"`     // the passages of the talk that a draft rests on, such as T3
	Evidence []string `json:"evidence,omitempty"` // of those from an investigation, its observations, such as o12
	Notes    []string `json:"notes,omitempty"`    // what a program says of the question to people

	Translations map[string]Translation `json:"translations,omitempty"` // by language
}

// A Translation is a question and its answer in another language.
type Translation struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// Check says what is wrong with the form of a row.
func (r *Row) Check() error {
	switch {
	case strings.TrimSpace(r.Question) == "":
		return errors.New("the question is empty")
	case !slices.Contains(Labels, r.Label):
		return fmt.Errorf("the label is %q, not one of %s", r.Label, strings.Join(Labels, ", "))
	case !slices.Contains(Origins, r.Origin):
		return fmt.Errorf("the origin is %q, not one of %s", r.Origin, strings.Join(Origins, ", "))
	case !InOrder(r.Start, r.End):
		return fmt.Errorf("it begins at %g s and does not end after that", *r.Start)
	}
	return nil
}

// A Kind is what counts towards how many questions a talk needs.
type Kind struct{ Origin, Label string }

// A Least is how many questions of a kind a talk needs.
type Least struct {
	What    string
	Least   int
	ByLabel bool // it counts labels, whatever the questions come from
	counts  func(Kind) bool
}

// Guideline is how many questions a talk needs; more are fine.
var Guideline = []Least{
	{General, 3, false, func(k Kind) bool { return k.Origin == General }},
	{"from the abstract", AbstractQuestions, false, func(k Kind) bool { return k.Origin == Abstract }},
	{"from the transcript", TranscriptQuestions, false, func(k Kind) bool { return k.Origin == Transcript }},
	{Either, 5, true, func(k Kind) bool { return k.Label == Either }},
	{heardOrEither, 7, true, func(k Kind) bool { return k.Label == Either || k.Label == Heard }},
	{Seen, 2, true, func(k Kind) bool { return k.Label == Seen }},
	{Unanswered, 1, true, func(k Kind) bool { return k.Label == Unanswered }},
}

// How many questions are asked at least from the abstract alone, and from the whole talk beside those and the general ones.
const (
	AbstractQuestions   = 3
	TranscriptQuestions = 4
)

// WithoutPictures is how many questions a talk needs where no passage tells what is seen: none with the labels V and AV.
func WithoutPictures(all []Least) (least []Least) {
	for _, l := range all {
		switch l.What {
		case Either, Seen:
			continue
		case heardOrEither:
			l.What = Heard
		}
		least = append(least, l)
	}
	return least
}

const heardOrEither = "A or AV"

// Short says what questions lack, such as "1 V, not 2", and how many are missing in all. A label that there is not may
// be meant for any.
func Short(questions []Kind, least []Least) (says []string, missing int) {
	for _, want := range least {
		n := 0
		for _, k := range questions {
			if want.counts(k) || want.ByLabel && !slices.Contains(Labels, k.Label) {
				n++
			}
		}
		if n < want.Least {
			says, missing = append(says, fmt.Sprintf("%d %s, not %d", n, want.What, want.Least)), missing+want.Least-n
		}
	}
	return says, missing
}
