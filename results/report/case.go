package report

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope/bench/document"
	"omniscope/internal/visible"
	"omniscope/internal/webpage"
)

// CaseHTML shows a case of any benchmark.
func CaseHTML(c *document.Case) g.Node {
	return g.Group{
		h.H3(webpage.Spaced(g.Text(clean(c.Unit)), h.Small(g.Text(c.Outcome.String())))),
		caseFacts(c),
		g.Map(c.Sections, func(s document.Section) g.Node {
			return g.Group{
				h.H4(g.Text(clean(s.Title))),
				g.If(len(s.Text) > 0, h.P(h.Class("text"), h.Lang(""), h.Dir("auto"), piecesHTML(s.Text))),
				g.If(len(s.Rows) > 0, sectionTable(s)),
			}
		}),
	}
}

func caseFacts(c *document.Case) g.Node {
	facts := g.Map(c.Facts, func(f document.Fact) g.Node { return factHTML(f.Name, f.Value) })
	if c.Score != nil {
		facts = append(g.Group{factHTML("score", caseScore(c.Score))}, facts...)
	}
	if c.Media != "" {
		facts = append(facts, factHTML("file", c.Media))
	}
	return h.Dl(h.Class("facts"), facts)
}

func factHTML(name, value string) g.Node {
	return g.Group{h.Dt(g.Text(clean(name))), h.Dd(g.Text(clean(value)))}
}

func sectionTable(s document.Section) g.Node {
	return webpage.Wide(clean(s.Title), h.Table(
		h.THead(h.Tr(g.Map(s.Columns, func(name string) g.Node { return h.Th(h.Scope("col"), g.Text(clean(name))) }))),
		h.TBody(g.Map(s.Rows, func(row [][]document.Piece) g.Node {
			return h.Tr(g.Map(row, func(cell []document.Piece) g.Node { return h.Td(piecesHTML(cell)) }))
		}))))
}

func piecesHTML(pieces []document.Piece) g.Group { return g.Map(pieces, pieceHTML) }

func pieceHTML(p document.Piece) g.Node {
	text := g.Text(visible.Text(p.Text))
	if p.Tone == document.Plain {
		return text // which most pieces are
	}
	note := h.Title(clean(p.Note))
	switch p.Tone {
	case document.Gone:
		return h.Del(note, text)
	case document.Added:
		return h.Ins(note, text)
	}
	return h.Mark(h.Class(toneClass(p.Tone)), g.If(p.Group > 0, h.Style(hue(p.Group))), note, text)
}

// hue is the colour of a group, in degrees. Each is the golden angle away from the previous one, so that neighbours
// differ.
func hue(group int) string { return fmt.Sprintf("--hue:%d", (20+(group-1)*1375/10)%360) }
