package document

import "omniscope"

// A Case is one unit of a run as a person looks at it: what was asked, what was
// answered, and what became of each item. Benchmarks write cases, and pages show them
// without knowing the benchmark.
type Case struct {
	Unit     string            `json:"unit"`
	Cluster  string            `json:"cluster,omitempty"`
	Outcome  omniscope.Outcome `json:"outcome"`
	Media    string            `json:"media,omitempty"` // file, as the dataset names it
	Score    *float64          `json:"score"`           // how good it is in strict scoring, a share, more is better; nil = nothing was scored
	Facts    []Fact            `json:"facts,omitempty"`
	Sections []Section         `json:"sections"`
}

// A Fact is something to know of a case, such as its category.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Section of a case is a text, or a table.
type Section struct {
	Title   string      `json:"title"`
	Text    []Piece     `json:"text,omitempty"`
	Columns []string    `json:"columns,omitempty"`
	Rows    [][][]Piece `json:"rows,omitempty"` // of each the cells
}

// A Piece is a stretch of a text.
type Piece struct {
	Text string `json:"t"`
	Tone Tone   `json:"k,omitempty"`
	Note string `json:"n,omitempty"` // shown where the mouse rests, and read to a person who does not see the tone

	// Group is the number of the group that the piece belongs to, from 1; pieces of one group have one colour. 0 = no group.
	Group int `json:"g,omitempty"`
}

// A Tone says what to make of a piece.
type Tone string

// The tones.
const (
	Plain   Tone = ""
	Good    Tone = "good"    // right
	Bad     Tone = "bad"     // wrong
	Mild    Tone = "mild"    // not given, or in part only
	Dim     Tone = "dim"     // beside the point
	Gone    Tone = "gone"    // in the reference only
	Added   Tone = "added"   // in the answer only
	Subject Tone = "subject" // names one of the subjects
)

// TextSection is a section with a text; nil and "" = no text.
func TextSection(title string, text *string) Section {
	if text == nil || *text == "" {
		return Section{Title: title, Text: []Piece{{Text: "No text.", Tone: Dim}}}
	}
	return Section{Title: title, Text: []Piece{{Text: *text}}}
}
