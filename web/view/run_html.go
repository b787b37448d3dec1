package view

import (
	"maps"
	"slices"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/detective"
	"omniscope/internal/visible"
	"omniscope/internal/webpage"
	"omniscope/results/report"
	"omniscope/web"
)

// scoresPage is the page of a run with scores.
func scoresPage(r *runEntry, scores *document.Results, columns []report.Column, list *unitList) g.Node {
	return web.Page(r.What+": "+r.System, links(r), report.Body(scores, columns, unitsHTML(list)))
}

// links lead to other pages of a run.
func links(r *runEntry) g.Node {
	return h.P(
		h.Small(g.Text(visible.Line(r.Path))), g.Text(" "),
		g.If(r.Name != "" && r.Kind != calls, webpage.Link(r.address("calls"), g.Text("Calls"))))
}

func unitsHTML(l *unitList) g.Node {
	if l == nil {
		return h.Section(h.ID("cases"), h.H2(g.Text("Samples")),
			h.P(g.Text("This run wrote nothing to look at sample by sample: results of this version do.")))
	}
	return h.Section(h.ID("cases"), h.H2(g.Text("Samples")),
		filterForm(l.Run.address("run"), "#units", l.Query.Words,
			choice("Outcome", "outcome", true, l.Outcomes, l.Query.Outcome),
			choice("Order", "order", false, []string{"worst", "best", "given"}, l.Query.Order)),
		h.Div(h.ID("units"),
			h.P(h.Class("dim"), h.Aria("live", "polite"), g.Textf("%d of %d samples", l.Fit, l.All)),
			h.Table(
				h.THead(h.Tr(h.Th(h.Scope("col"), g.Text("sample")), h.Th(h.Scope("col"), g.Text("outcome")), h.Th(h.Scope("col"), h.Class("number"), g.Text("score")))),
				h.TBody(g.Map(l.Units, l.row))),
			pages(l.Query.From, len(l.Units), l.Fit, func(from int) string { return l.Run.address("run", l.Query.from(from)...) + "#cases" })))
}

func (l *unitList) row(u unit) g.Node {
	return h.Tr(
		h.Td(webpage.Link(l.Run.address("case", append(l.Query.values(), "unit", u.Name)...), g.Text(visible.Line(u.Name)))),
		h.Td(g.Text(visible.Line(u.Outcome))),
		h.Td(h.Class("number"), g.Text(u.score())))
}

// answersPage is the page of a run of a model.
func answersPage(r *runEntry, settings map[string]string, list *unitList) g.Node {
	title := r.What + ": " + r.System
	return web.Page(title,
		h.H1(g.Text(visible.Line(title))),
		links(r),
		unitsHTML(list),
		h.Details(h.Summary(g.Text("Settings")), h.Table(g.Map(slices.Sorted(maps.Keys(settings)), func(name string) g.Node {
			return h.Tr(h.Th(h.Scope("row"), g.Text(visible.Line(name))), h.Td(g.Text(visible.Text(settings[name]))))
		}))))
}

// investigationPage is the page of an investigation of a clip.
func investigationPage(r *runEntry, i *detective.Report, pictures *detective.Pictures, calls []call) g.Node {
	title := "Investigation of " + string(i.Clip.ID)
	return web.Page(title,
		h.H1(g.Text(visible.Line(title))),
		links(r),
		i.Body(r.address("media"), pictures),
		callsHTML("Calls about this clip", calls))
}

// tablesPage is a page of tables, below the sentence that they support; "" = no sentence.
func tablesPage(title, sentence string, tables []omniscope.Table, warnings []string) g.Node {
	return web.Page(title,
		h.H1(g.Text(visible.Line(title))),
		g.If(sentence != "", h.P(h.Strong(g.Text(visible.Line(sentence))))),
		g.If(len(warnings) > 0, h.Div(h.Class("warnings"), webpage.List(warnings))),
		g.Map(tables, report.TableHTML))
}
