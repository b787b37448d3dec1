package view

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope/internal/visible"
	"omniscope/internal/webpage"
	"omniscope/web"
)

func listPage(l *listing) g.Node {
	return web.Page("Runs",
		h.H1(g.Text("Runs "), h.Small(g.Text(visible.Line(l.Folder)))),
		filterForm("/runs", "#found", l.Query.Words,
			choice("Kind", "kind", true, kinds, runKind(l.Query.Kind)),
			choice("State", "state", true, states, runState(l.Query.State)),
			choice("Order", "order", false, orders, l.Query.Order)),
		foundRuns(l))
}

// filterForm is a form that finds lines of a list. It renews the element of the page with the given selector.
func filterForm(address, selector, words string, choices ...g.Node) g.Node {
	parts := append([]g.Node{h.Label(g.Text("Find "), h.Input(h.Type("search"), h.Name("q"), h.Value(words), h.AutoComplete("off")))}, choices...)
	return h.Form(h.Class("filter"), h.Action(webpage.Address(address)), h.Method("get"),
		g.Attr("hx-get", address), swap(selector), g.Attr("hx-target", selector), g.Attr("hx-push-url", "true"), g.Attr("hx-trigger", "input delay:200ms, submit"),
		webpage.Spaced(append(parts, h.Button(g.Text("Find")))...))
}

// swap takes an element from the answer and puts it where the request says.
func swap(selector string) g.Node {
	return g.Group{g.Attr("hx-select", selector), g.Attr("hx-swap", "outerHTML")}
}

// renews makes an element ask for itself again and again.
func renews(selector, address, trigger string) g.Node {
	return g.Group{g.Attr("hx-get", address), g.Attr("hx-trigger", trigger), g.Attr("hx-target", "this"), swap(selector)}
}

// choice is a select element; all adds the choice of any value.
func choice[S ~string](label, name string, all bool, values []S, chosen S) g.Node {
	return h.Label(g.Text(label+" "), h.Select(h.Name(name),
		g.If(all, h.Option(h.Value(""), g.Text("all"))),
		webpage.Options(values, chosen)))
}

// foundRuns is the part of the page that follows the folder while something changes.
func foundRuns(l *listing) g.Node {
	var found g.Node
	switch {
	case len(l.Runs) > 0:
		found = webpage.Wide("Runs", h.Table(h.Class("runs"),
			columns("", "run", "of", "system", "score", "when"),
			h.TBody(g.Map(l.Runs, listRow))))
	case !l.More:
		found = h.P(g.Textf("Nothing fits. Runs are folders and files that omniscope run, eval and caption wrote, below %s.", visible.Line(l.Folder)))
	}
	return h.Form(h.ID("found"), h.Action("/compare"), h.Method("get"),
		g.If(l.Live, renews("#found", l.Query.with(l.Query.From), l.every())),
		h.P(h.Class("dim"), h.Aria("live", "polite"),
			g.Textf("%d of %d runs ", l.Fit, l.All),
			g.If(l.More, h.Span(h.Class("live"), g.Text("… the folder is being looked through")))),
		found,
		h.P(webpage.Spaced(
			h.Button(g.Text("Compare marked runs")),
			h.Button(h.FormAction("/diff"), g.Text("Where do two marked runs part?")))),
		pages(l.Query.From, len(l.Runs), l.Fit, func(from int) string { return l.Query.with(from) }))
}

// columns are the headings of a table.
func columns(names ...string) g.Node {
	return h.THead(h.Tr(g.Map(names, func(name string) g.Node { return h.Th(h.Scope("col"), g.Text(name)) })))
}

func listRow(r *runEntry) g.Node {
	line := func(s string) g.Node { return g.Text(visible.Line(s)) }
	return h.Tr(
		h.Td(h.Input(h.Type("checkbox"), h.Name("run"), h.Value(r.Path), h.Aria("label", "mark "+visible.Line(r.Path)))),
		h.Td(webpage.Link(r.address("run"), line(r.Path)), h.Br(), stateHTML(r)),
		h.Td(line(r.What)),
		h.Td(line(r.System), g.Text(" "), g.If(r.Judge != "", g.Group{h.Br(), h.Small(g.Text("judged by "), line(r.Judge))})),
		h.Td(g.Text(r.Score), h.Br(), h.Small(line(r.Note))),
		h.Td(h.Class("number"), g.Text(r.When.Local().Format("2006-01-02 15:04"))))
}

func stateHTML(r *runEntry) g.Node {
	switch r.State {
	case done:
		return h.Small(g.Text(string(r.Kind)))
	case running:
		return h.Small(h.Class("live"), g.Textf("%s, running", r.Kind))
	case unreadable:
		return h.Small(h.Class("trouble"), g.Text(visible.Line(r.Why)))
	}
	return h.Small(g.Textf("%s, %s", r.Kind, r.State))
}

// pages lead to the lines of a list before the shown ones, and after them.
func pages(from, shown, all int, address func(from int) string) g.Node {
	if all <= shown {
		return nil
	}
	var before, after g.Node
	if from > 0 {
		before = h.A(h.Href(webpage.Address(address(max(0, from-perPage)))), h.Rel("prev"), g.Text("Before"))
	}
	if from+shown < all {
		after = h.A(h.Href(webpage.Address(address(from+perPage))), h.Rel("next"), g.Text("Next"))
	}
	return h.P(webpage.Spaced(before, g.Text(strconv.Itoa(from+1)+"–"+strconv.Itoa(from+shown)+" of "+strconv.Itoa(all)), after))
}
