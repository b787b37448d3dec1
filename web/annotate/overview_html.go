package annotate

import (
	"net/url"
	"slices"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope/internal/webpage"
	"omniscope/people"
)

func overviewPage(f *frame, d *overviewData) g.Node {
	owner := f.Person.Role == people.Owner
	return document(f, []string{"overview.js"},
		h.H1(say("overview")),
		g.If(d.Invited != "", h.P(h.Class("notice"), say("invited"), h.Br(), h.Code(h.ID("invited"), g.Text(d.Invited)))),
		h.Div(h.ID("live"),
			stagesTable(d.Stages),
			h.H2(g.Text("People")),
			peopleTable(f, d.People),
			g.Map(d.Tables, resultsTable)),
		g.If(d.Retry, post("/retry", h.Class("filter"), h.Button(say("retry")))),
		g.If(owner, inviteForm()),
		g.If(owner, assignForm(d)),
		g.If(owner, exportsHTML(d.Exports)))
}

// wideTable is a table with headings; numbers are the names of columns with numbers.
func wideTable(columns, numbers []string, rows g.Group) g.Node {
	return h.Div(h.Class("wide"), h.Table(
		h.THead(h.Tr(g.Map(columns, func(name string) g.Node {
			return h.Th(g.If(slices.Contains(numbers, name), h.Class("number")), g.Text(name))
		}))),
		h.TBody(rows)))
}

func stagesTable(stages []people.Progress) g.Node {
	numbers := []string{"items", "done", "ready", "need no work", "tasks"}
	return wideTable(slices.Concat([]string{"stage"}, numbers, []string{"at work now"}), numbers, g.Map(stages, func(p people.Progress) g.Node {
		return h.Tr(
			h.Td(text(p.Stage.Title), g.Text(" "), h.Small(g.Text(p.Stage.Name))),
			number(p.Items), number(p.Done), number(p.Ready), number(p.Skipped),
			h.Td(h.Class("number"), g.Textf("%d of %d", p.Given, p.Tasks)),
			h.Td(g.Map(p.Working, func(t people.Task) g.Node {
				return g.Group{
					webpage.Link(taskAddress(t.TaskID)+"?person="+url.QueryEscape(t.Person), text(t.Person), g.Text(": "), text(t.Item)),
					g.Text(" "), h.Small(g.Text(ago(t.Last))), h.Br(),
				}
			})))
	}))
}

func peopleTable(f *frame, rows []personRow) g.Node {
	columns := []string{"id", "name", "role", "submitted", "open", "active", "last", ""}
	return wideTable(columns, columns[3:6], g.Map(rows, func(p personRow) g.Node {
		var account g.Node
		switch {
		case p.Closed:
			account = g.Text("closed")
		case f.Person.Role == people.Owner && p.ID != f.Person.ID:
			account = post("/close", h.Input(h.Type("hidden"), h.Name("id"), h.Value(p.ID)), h.Button(say("close")))
		}
		return h.Tr(
			h.Td(text(p.ID)), h.Td(text(p.Name)), h.Td(g.Text(string(p.Role))),
			number(p.Submitted), number(p.Open),
			h.Td(h.Class("number"), g.Text(p.Active.Round(time.Second).String())),
			h.Td(g.Text(lastSeen(p))), h.Td(account))
	}))
}

func inviteForm() g.Node {
	return g.Group{
		h.H2(say("invite")),
		post("/invite", h.Class("filter"), webpage.Spaced(
			h.Label(g.Text("id "), h.Input(h.Name("id"), h.Required(), h.MaxLength("64"), h.AutoComplete("off"))),
			h.Label(g.Text("name "), h.Input(h.Name("name"), h.MaxLength("200"), h.AutoComplete("off"))),
			h.Label(g.Text("role "), h.Select(h.Name("role"), h.Option(h.Value(""), say("same role")), webpage.Options(people.ProjectRoles, ""))),
			h.Button(say("invite")))),
	}
}

func assignForm(d *overviewData) g.Node {
	var ids []string
	for _, p := range d.People {
		ids = append(ids, p.ID)
	}
	stages := g.Map(d.Stages, func(p people.Progress) g.Node { return h.Option(h.Value(p.Stage.Name), g.Text(p.Stage.Title)) })
	return g.Group{
		h.H2(say("assign")),
		post("/assign", h.Class("filter"), webpage.Spaced(
			h.Label(g.Text("stage "), h.Select(h.Name("stage"), stages)),
			h.Label(g.Text("person "), h.Select(h.Name("person"), webpage.Options(ids, ""))),
			h.Label(g.Text("items, or how many "), h.Input(h.Name("items"), h.Required(), h.AutoComplete("off"))),
			h.Button(say("assign")))),
	}
}

func exportsHTML(exports []people.Export) g.Node {
	return g.Group{
		h.H2(g.Text("Files")),
		h.Ul(g.Map(exports, func(e people.Export) g.Node {
			return h.Li(webpage.Link("/export/"+e.Name, h.Download(e.File), g.Text(e.File)), g.Text(" "), h.Small(g.Text(e.About)))
		})),
	}
}
