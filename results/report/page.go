package report

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope"
	"omniscope/internal/webpage"
)

func tablesPage(c *Comparison) g.Node {
	return webpage.Document(clean(c.Title), webpage.Style,
		h.H1(g.Text(clean(c.Title))),
		g.Map(c.Tables, TableHTML),
		g.If(len(c.Warnings) > 0, warningsHTML(c.Warnings)))
}

func warningsHTML(warnings []string) g.Node {
	return g.Group{h.H2(g.Text("Warnings")), webpage.List(warnings)}
}

// TableHTML shows a table.
func TableHTML(t omniscope.Table) g.Node {
	title := clean(titleOf(t))
	return g.Group{
		h.H2(g.Text(title)),
		webpage.Wide(title, webpage.Table(t, h.Scope("col"))),
		g.If(t.Note != "", h.P(h.Small(g.Text(clean(t.Note))))),
	}
}
