package report

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope/bench/document"
	"omniscope/internal/plot"
	"omniscope/internal/webpage"
)

func runPage(p *runHTML) g.Node {
	return webpage.Document(p.Title, webpage.Style+Style,
		runBody(p, g.Iff(p.Cases != nil, func() g.Node { return casesHTML(p.Cases) })))
}

// runBody is the page of a run with the section of its cases.
func runBody(p *runHTML, cases g.Node) g.Node {
	return g.Group{
		h.Header(
			h.H1(g.Text(p.Title)),
			h.Nav(h.Aria("label", "Parts of this page"), webpage.Spaced(
				webpage.Link("#scores", g.Text("Scores")), webpage.Link("#cases", g.Text("Cases")), webpage.Link("#run", g.Text("Run"))))),
		h.Main(
			headlineHTML(p),
			g.If(len(p.Warnings) > 0, h.Section(h.Aria("label", "Warnings"), h.Class("warnings"), warningsHTML(p.Warnings))),
			h.Section(h.ID("scores"), g.Map(p.Charts, (*plot.Chart).Figure), g.Map(p.Tables, TableHTML)),
			cases,
			h.Section(h.ID("run"), g.Map(p.Run, TableHTML))),
	}
}

func headlineHTML(p *runHTML) g.Node {
	return h.Section(h.Aria("label", "Headline"),
		h.Div(h.Class("cards"), g.Map(p.Cards, func(c card) g.Node {
			return h.Div(h.Class("card"), h.Span(h.Class("dim"), g.Text(c.Title)), h.Strong(g.Text(c.Value)), h.Small(g.Text(c.Interval)))
		})),
		h.Dl(h.Class("facts"), g.Map(p.Facts, func(f fact) g.Node { return factHTML(f.label, f.String()) })),
		g.If(len(p.Outcomes) > 0, outcomeBar(p.Outcomes)))
}

func outcomeBar(outcomes []outcomeShare) g.Node {
	var keys g.Group
	for _, o := range outcomes {
		keys = append(keys, h.Span(h.Class("key "+o.Class)), g.Text(" "+o.Text))
	}
	return g.Group{
		h.Div(h.Class("bar"), h.Role("img"), h.Aria("label", "Outcomes"),
			g.Map(outcomes, func(o outcomeShare) g.Node { return h.Span(h.Class(o.Class), h.Style(o.Style)) })),
		h.P(h.Class("dim"), keys),
	}
}

func casesHTML(c *caseList) g.Node {
	return h.Section(h.ID("cases"),
		h.H2(g.Text("Cases")),
		h.P(h.Class("dim"), g.Text(c.About)),
		findForm(c.Outcomes),
		h.Div(h.ID("list"), h.Class("list"), hidden),
		h.Article(h.ID("shown"), g.Attr("tabindex", "-1"), hidden),
		h.Div(h.ID("still"), g.Map(c.Still, func(c *document.Case) g.Node { return h.Article(CaseHTML(c)) })),
		g.Raw(c.Data),
		h.Script(g.Raw(casesScript)))
}

// hidden is for elements that the page's script shows.
var hidden = g.Attr("hidden")

func findForm(outcomes []string) g.Node {
	order := []struct{ value, text string }{{"worst", "worst first"}, {"best", "best first"}, {"given", "as in the data"}}
	return h.Form(h.ID("find"), h.Role("search"), hidden, webpage.Spaced(
		h.Label(g.Text("Find "), h.Input(h.ID("words"), h.Type("search"), h.AutoComplete("off"))),
		h.Label(g.Text("Order "), h.Select(h.ID("order"), g.Map(order, func(o struct{ value, text string }) g.Node {
			return h.Option(h.Value(o.value), g.Text(o.text))
		}))),
		h.Label(g.Text("Outcome "), h.Select(h.ID("outcome"), h.Option(h.Value(""), g.Text("all")), webpage.Options(outcomes, ""))),
		h.Button(h.Type("button"), h.ID("back"), g.Text("Previous")),
		h.Button(h.Type("button"), h.ID("next"), g.Text("Next")),
		h.Span(h.ID("found"), h.Class("dim"), h.Aria("live", "polite"))))
}
