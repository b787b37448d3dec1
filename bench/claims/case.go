package claims

import (
	"fmt"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/detective"
)

// A line is a claim's line of claims.jsonl.
type line struct {
	Clip     string             `json:"clip"`
	Claim    string             `json:"claim"` // c1, c2, ...
	Text     string             `json:"text"`
	Sense    omniscope.Modality `json:"sense,omitempty"`
	Kinds    []string           `json:"kinds,omitempty"` // what could be made false in it
	Verdict  detective.Verdict  `json:"verdict"`
	Outcome  omniscope.Outcome  `json:"outcome"` // OK, or why it is not judged
	Disputed bool               `json:"disputed,omitempty"`
	Planted  string             `json:"planted,omitempty"` // kind of the planted claim that it repeats
	Says     []detective.Say    `json:"says"`
}

func (a *audited) line(c *claim) *line {
	l := &line{Clip: a.clip.id, Claim: c.ID, Text: c.Text, Sense: c.Sense, Kinds: c.kinds, Verdict: c.Verdict, Outcome: c.unjudged, Disputed: c.Disputed, Says: c.Says}
	if c.planted >= 0 {
		l.Planted = a.clip.planted[c.planted].Kind
	}
	return l
}

// shown is the clip as a person looks at it.
func (a *audited) shown() *omniscope.Case {
	out := &omniscope.Case{Unit: a.clip.id, Cluster: bench.Stem(a.clip.id), Outcome: a.outcome, Media: a.clip.path}
	own, supported, decided := 0, 0, 0 // of the claims that were not planted, as in precision
	table := omniscope.Section{Title: "Claims", Columns: []string{"verdict", "claim", "what the observers say"}}
	for i := range a.claims {
		c := &a.claims[i]
		if c.planted < 0 {
			own++
		}
		if c.planted < 0 && c.unjudged == omniscope.OK && c.Verdict != detective.Unsupported {
			decided++
			if c.Verdict == detective.Supported {
				supported++
			}
		}
		table.Rows = append(table.Rows, [][]omniscope.Piece{{verdictPiece(c)}, {a.claimPiece(c)}, {{Text: saysOf(c.Says), Tone: omniscope.Dim}}})
	}
	if decided > 0 {
		share := float64(supported) / float64(decided)
		out.Score = &share
	}
	out.Facts = append(out.Facts, omniscope.Fact{Name: "claims", Value: fmt.Sprintf("%d, of which %d supported and %d contradicted", own, supported, decided-supported)})
	if n := len(a.clip.planted); n > 0 {
		out.Facts = append(out.Facts, omniscope.Fact{Name: "planted claims", Value: fmt.Sprint(n)})
	}
	text := omniscope.Piece{Text: "There is none.", Tone: omniscope.Dim}
	if a.caption != nil && *a.caption != "" {
		text = omniscope.Piece{Text: *a.caption}
	}
	out.Sections = []omniscope.Section{{Title: "Caption", Text: []omniscope.Piece{text}}}
	if a.report.Outcome != omniscope.OK {
		out.Sections = append(out.Sections, omniscope.Section{Title: "Not audited", Text: []omniscope.Piece{{Text: fmt.Sprintf("%s: %s", a.report.Outcome, a.report.Why)}}})
	} else {
		out.Sections = append(out.Sections, table)
	}
	if len(a.lost) > 0 {
		out.Sections = append(out.Sections, a.lostPlants())
	}
	return out
}

func verdictPiece(c *claim) omniscope.Piece {
	if c.unjudged != omniscope.OK {
		return omniscope.Piece{Text: "not judged", Tone: omniscope.Dim, Note: c.unjudged.String()}
	}
	tone := map[detective.Verdict]omniscope.Tone{detective.Supported: omniscope.Good, detective.Contradicted: omniscope.Bad, detective.Unsupported: omniscope.Mild}[c.Verdict]
	p := omniscope.Piece{Text: string(c.Verdict), Tone: tone}
	if c.Disputed {
		p.Note = "observers disagree"
	}
	return p
}

func (a *audited) claimPiece(c *claim) omniscope.Piece {
	p := omniscope.Piece{Text: c.Text}
	if c.planted >= 0 {
		planted := a.clip.planted[c.planted]
		p.Text += fmt.Sprintf(" (planted: %s, was %s)", planted.Kind, planted.From)
	}
	return p
}

// saysOf is what the observers say of a claim, in a line.
func saysOf(says []detective.Say) string {
	if len(says) == 0 {
		return "no observer here can tell"
	}
	var parts []string
	for _, s := range says {
		verdict := string(s.Verdict)
		if s.Outcome != omniscope.OK {
			verdict = s.Outcome.String()
		}
		parts = append(parts, fmt.Sprintf("%s: %s, %s", s.Tool, verdict, s.Why))
	}
	return strings.Join(parts, "; ")
}

func (a *audited) lostPlants() omniscope.Section {
	s := omniscope.Section{Title: "Planted claims that no claim repeats", Columns: []string{"kind", "was", "is"}}
	for _, p := range a.lost {
		s.Rows = append(s.Rows, [][]omniscope.Piece{{{Text: p.Kind}}, {{Text: p.Was}}, {{Text: p.Sentence}}})
	}
	return s
}
