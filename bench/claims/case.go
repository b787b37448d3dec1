package claims

import (
	"fmt"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/detective"
)

// A line is a claim's line of claims.jsonl.
type line struct {
	Clip     string             `json:"clip"`
	Claim    string             `json:"claim"` // c1, c2, ...
	Text     string             `json:"text"`
	Sense    omniscope.Modality `json:"sense,omitempty"`
	Kinds    []string           `json:"kinds,omitempty"` // what could be made false in it
	Support  detective.Support  `json:"verdict"`
	Outcome  omniscope.Outcome  `json:"outcome"`           // OK, or why it is not judged
	Planted  string             `json:"planted,omitempty"` // kind of the planted claim that it repeats
	Says     []detective.Say    `json:"says"`
	Disputed bool               `json:"disputed"`
	Circular bool               `json:"written_by_checkers"` // the observers that check the caption wrote it
}

func (a *audited) line(c *claim) *line {
	l := &line{Clip: a.clip.id, Claim: c.ID, Text: c.Text, Sense: c.Sense, Kinds: c.kinds, Support: c.Support, Outcome: c.unjudged, Disputed: c.Disputed, Circular: a.circular, Says: c.Says}
	if c.planted >= 0 {
		l.Planted = a.clip.planted[c.planted].Kind
	}
	return l
}

// shown is the clip as a person looks at it.
func (a *audited) shown() *document.Case {
	out := &document.Case{Unit: a.clip.id, Cluster: a.clip.cluster, Outcome: a.outcome, Media: a.clip.path}
	own, supported, decided := 0, 0, 0 // of the claims that were not planted, as in precision
	table := document.Section{Title: "Claims", Columns: []string{"verdict", "claim", "what the observers say"}}
	for i := range a.claims {
		c := &a.claims[i]
		if c.planted < 0 {
			own++
		}
		if c.planted < 0 && c.unjudged == omniscope.OK && c.Support != detective.Unsupported {
			decided++
			if c.Support == detective.Supported {
				supported++
			}
		}
		table.Rows = append(table.Rows, [][]document.Piece{{supportPiece(c)}, {a.claimPiece(c)}, {{Text: saysOf(c.Says), Tone: document.Dim}}})
	}
	if decided > 0 && !a.circular {
		share := float64(supported) / float64(decided)
		out.Score = &share
	}
	out.Facts = append(out.Facts, document.Fact{Name: "claims", Value: fmt.Sprintf("%d, of which %d supported and %d contradicted", own, supported, decided-supported)})
	if a.circular {
		out.Facts = append(out.Facts, document.Fact{Name: "written by", Value: "the observers that check it: consistency, and no precision"})
	}
	if n := len(a.clip.planted); n > 0 {
		out.Facts = append(out.Facts, document.Fact{Name: "planted claims", Value: fmt.Sprint(n)})
	}
	out.Sections = []document.Section{document.TextSection("Caption", a.caption)}
	if a.report.Outcome != omniscope.OK {
		out.Sections = append(out.Sections, document.Section{Title: "Not audited", Text: []document.Piece{{Text: fmt.Sprintf("%s: %s", a.report.Outcome, a.report.Why)}}})
	} else {
		out.Sections = append(out.Sections, table)
	}
	if len(a.lost) > 0 {
		out.Sections = append(out.Sections, a.lostPlants())
	}
	return out
}

func supportPiece(c *claim) document.Piece {
	if c.unjudged != omniscope.OK {
		return document.Piece{Text: "not judged", Tone: document.Dim, Note: c.unjudged.String()}
	}
	tone := map[detective.Support]document.Tone{detective.Supported: document.Good, detective.Contradicted: document.Bad, detective.Unsupported: document.Mild}[c.Support]
	p := document.Piece{Text: string(c.Support), Tone: tone}
	if c.Disputed {
		p.Note = "observers disagree"
	}
	return p
}

func (a *audited) claimPiece(c *claim) document.Piece {
	p := document.Piece{Text: c.Text}
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
		verdict := string(s.Support)
		if s.Outcome != omniscope.OK {
			verdict = s.Outcome.String()
		}
		parts = append(parts, fmt.Sprintf("%s: %s, %s", s.Tool, verdict, s.Why))
	}
	return strings.Join(parts, "; ")
}

func (a *audited) lostPlants() document.Section {
	s := document.Section{Title: "Planted claims that no claim repeats", Columns: []string{"kind", "was", "is"}}
	for _, p := range a.lost {
		s.Rows = append(s.Rows, [][]document.Piece{{{Text: p.Kind}}, {{Text: p.Was}}, {{Text: p.Sentence}}})
	}
	return s
}
