package plot

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope/internal/webpage"
)

func chartPage(title, about string, charts []*Chart) g.Node {
	return webpage.Document(title, webpage.Style,
		h.H1(g.Text(title)),
		h.P(g.Text(about)),
		g.Map(charts, (*Chart).Figure))
}

// Figure is the chart as an element of a page.
func (c *Chart) Figure() g.Node { return h.Figure(g.Raw(c.SVG())) }
