package annotate

import (
	"net/url"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope"
	"omniscope/internal/visible"
	"omniscope/internal/webpage"
	"omniscope/people"
	"omniscope/web"
)

// text is a text of the project on one line; say is a text of the pages.
func text(s string) g.Node   { return g.Text(visible.Line(s)) }
func say(name string) g.Node { return g.Text(word(name)) }

// document is a page of the project. scripts are files of this server.
func document(f *frame, scripts []string, body ...g.Node) g.Node {
	return web.Frame(visible.Line(f.Title)+" · "+visible.Line(f.Project.Title),
		g.Map(scripts, func(s string) g.Node { return h.Script(h.Src("/annotate/"+s), h.Type(scriptType(s)), h.Defer()) }),
		links(f), body...)
}

// links lead to the pages that the person sees, and out.
func links(f *frame) g.Node {
	var list []g.Node
	link := func(shown bool, address, name string) {
		if shown {
			list = append(list, webpage.Link(address, say(name)))
		}
	}
	link(f.Person != nil, "/", "work")
	link(f.MayRun(), "/overview", "overview")
	link(f.MayRun(), "/results", "results")
	link(f.MayRun() && f.Runs, "/runs", "runs")
	list = append(list, h.Span(h.Class("project"), text(f.Project.Title)))
	if f.Person != nil {
		list = append(list, post("/leave", h.Class("leave"), h.Small(text(nameOf(f.Person)), g.Text(", "+string(f.Person.Role))), g.Text(" "), h.Button(say("leave"))))
	}
	return webpage.Spaced(list...)
}

// post is a form that changes something.
func post(address string, children ...g.Node) g.Node {
	return h.Form(h.Method("post"), h.Action(webpage.Address(address)), g.Group(children))
}

func refusedPage(f *frame, err error) g.Node {
	return document(f, nil, h.H1(say("refused")), h.P(h.Role("alert"), text(err.Error())))
}

func joinPage(f *frame) g.Node {
	return document(f, nil,
		h.H1(text(f.Project.Title)),
		h.P(say("join text")),
		h.Form(h.Method("post"), h.Button(h.AutoFocus(), say("join press"))))
}

func homePage(f *frame, rows []stageRow) g.Node {
	return document(f, []string{"home.js"},
		h.H1(say("work")),
		g.If(len(rows) == 0, h.P(say("no stage"))),
		g.Map(rows, stageHTML),
		g.If(f.Project.Guideline != "", g.Group{h.H2(say("guideline")), guidelineHTML(f)}),
		webpage.JSON("home", map[string]any{"project": f.Project.ID, "person": f.Person.ID, "words": scriptWords}))
}

func guidelineHTML(f *frame) g.Node {
	return h.P(h.Class("guideline"), g.Text(visible.Text(f.Project.Guideline)))
}

func stageHTML(row stageRow) g.Node {
	next := h.P(h.Class("dim"), say("nothing"))
	if row.Next {
		next = post("/next/"+row.Stage.Name, h.Button(h.Class("main"), g.Text(begins(row))))
	}
	return h.Section(h.Class("stage"),
		h.H2(text(row.Stage.Title)),
		h.P(g.Textf("%d of %d items done; %d by you", row.Done, row.Items, row.Mine)),
		next,
		g.If(len(row.Open) > 0, h.Details(
			h.Summary(g.Textf("%s (%d)", word("yours"), len(row.Open))),
			h.Ul(g.Map(row.Open, func(t people.Task) g.Node {
				return h.Li(webpage.Link(taskAddress(t.TaskID), text(t.Item)), g.Text(" "), h.Small(g.Textf("%s, %s ago", t.State, ago(t.Last))))
			})))))
}

// title is the heading of a task's page.
func (t *taskPage) title() g.Node {
	return h.H1(text(t.Stage.Title), g.Text(" "), h.Small(text(t.Task.Item)))
}

// does is the address of an action on the task.
func (t *taskPage) does(action string) string {
	return "/" + action + taskAddress(t.Task.TaskID)[len("/task"):]
}

func untakenPage(t *taskPage) g.Node {
	return document(t.frame, nil,
		t.title(),
		h.P(say("untaken")),
		post(t.does("take"), h.Button(h.Class("main"), h.AutoFocus(), say("take"))))
}

// hidden is for elements that the page's script shows.
var hidden = g.Attr("hidden")

func openTaskPage(t *taskPage) g.Node {
	button := func(name string, more ...g.Node) g.Node {
		return h.Button(h.Type("button"), h.ID(name), g.Group(more))
	}
	return document(t.frame, []string{"player.js", "task.js"},
		h.Header(h.Class("task"),
			t.title(),
			g.El("output", h.ID("state"), h.Role("status")), g.Text(" "),
			button("show-keys", h.Title("?"), say("keys"))),
		h.P(h.ID("problem"), h.Role("alert"), hidden),
		t.notice(),
		h.Details(h.ID("guide"), h.Summary(say("guideline")), guidelineHTML(t.frame)),
		h.Dialog(h.ID("keys"), h.H2(say("keys")), h.Dl()),
		h.Main(h.Class("task"), h.Div(h.ID("media")), h.Div(h.ID("form"))),
		h.Footer(h.Class("task"), webpage.Spaced(
			button("submit", h.Class("main"), h.Title("Ctrl+Enter"), hidden, say("submit")),
			button("release", hidden, say("release")))),
		webpage.JSON("task", t.Data))
}

// notice explains why the task cannot be changed; nil where it can.
func (t *taskPage) notice() g.Node {
	class := h.Class("notice")
	switch state := t.Task.State; {
	case t.Task.Person != t.frame.Person.ID:
		return post(t.does("withdraw")+"/"+url.PathEscape(t.Task.Person), class, say("not yours"), g.Text(" "), h.Button(say("withdraw")))
	case state == people.Withdrawn:
		return h.P(class, say("withdrawn"))
	case state == people.Submitted && t.Final:
		return h.P(class, say("final"))
	case state == people.Submitted:
		return h.P(class, say("submitted"), g.Text(" "), h.Button(h.Type("button"), h.ID("reopen"), say("reopen")))
	}
	return nil
}

func resultsPage(f *frame, tables []omniscope.Table) g.Node {
	return document(f, nil,
		h.H1(say("results")),
		g.If(len(tables) == 0, h.P(g.Text("There is nothing to compute from yet."))),
		g.Map(tables, resultsTable))
}

func resultsTable(t omniscope.Table) g.Node {
	return g.Group{
		h.H2(text(t.Title)),
		h.Div(h.Class("wide"), webpage.Table(t)),
		g.If(t.Note != "", h.P(h.Class("dim"), text(t.Note))),
	}
}

func number(n int) g.Node { return h.Td(h.Class("number"), g.Text(strconv.Itoa(n))) }
