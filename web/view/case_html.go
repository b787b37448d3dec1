package view

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope/internal/visible"
	"omniscope/internal/webpage"
	"omniscope/results/report"
	"omniscope/web"
)

// caseHTML is the page of a sample.
func caseHTML(p *casePage) g.Node {
	neighbour := func(address, rel, text string) g.Node {
		return g.If(address != "", h.A(h.Href(webpage.Address(address)), h.Rel(rel), g.Text(text)))
	}
	return web.Page(p.Case.Unit,
		h.P(webpage.Spaced(
			webpage.Link(p.Back, g.Text("All samples")),
			g.Text("of "+visible.Line(p.Run.Path)),
			neighbour(p.Before, "prev", "Before"),
			neighbour(p.Next, "next", "Next"),
			h.Small(g.Text("Keys: j and k go to the next and to the one before.")))),
		h.Div(h.Class("media"), player(p)),
		report.CaseHTML(p.Case),
		g.Iff(p.Sent != nil, func() g.Node {
			return h.Details(g.Attr("open"), h.Summary(g.Text("What the system was sent")), report.CaseHTML(p.Sent))
		}),
		callsHTML("Calls", p.Calls))
}

func player(p *casePage) g.Node {
	switch p.PlayerKind {
	case "video":
		return h.Video(h.Controls(), h.Preload("metadata"), h.Src(p.Player))
	case "audio":
		return h.Audio(h.Controls(), h.Preload("metadata"), h.Src(p.Player))
	case "image":
		return h.Img(h.Src(p.Player), h.Alt("the sample's picture"))
	}
	return g.If(p.Case.Media != "", h.P(h.Class("dim"), g.Textf("%s is not here: name the folder of the media with --media.", visible.Line(p.Case.Media))))
}

// callsHTML shows calls in full.
func callsHTML(title string, calls []call) g.Node {
	return g.If(len(calls) > 0, h.Section(h.ID("calls"), h.H2(g.Text(title)), g.Map(calls, callHTML)))
}

func callHTML(c call) g.Node {
	text := func(s string) g.Node { return g.Text(visible.Text(s)) }
	return h.Article(
		h.H3(g.Text(visible.Line(c.Step)+" "), h.Small(g.Textf("%s, attempt %d, %s", c.Kind, c.Attempt, c.Outcome))),
		h.P(h.Class("dim"), g.Textf("%s %s %s %s %s %s", visible.Line(c.Answered), visible.Line(c.Source), c.When.Local().Format("2006-01-02 15:04:05"), c.Took, c.Tokens, c.Cost)),
		g.Map(c.Asked, messageHTML),
		g.If(c.Text != "", h.Pre(h.Aria("label", "Reply"), text(c.Text))),
		g.If(c.Trouble != "", h.P(h.Class("trouble"), g.Text(visible.Line(c.Trouble)))),
		h.Details(h.Summary(g.Text("Raw")), h.Pre(text(c.Request)), h.Pre(text(c.Result))))
}

func messageHTML(m message) g.Node {
	return h.Details(
		h.Summary(g.Text(visible.Line(m.Role)+": "+visible.First(m.first(), 100))),
		g.Map(m.Parts, func(p part) g.Node {
			if p.Medium != "" {
				return h.P(h.Class("dim"), g.Text("["+visible.Line(p.Medium)+"]"))
			}
			return h.Pre(g.Text(visible.Text(p.Text)))
		}))
}

// callsPage is the page of a run's calls, the newest first. It follows a run that continues.
func callsPage(l *callList) g.Node {
	found := h.P(g.Text("No journal below this folder has this run: it was made elsewhere, or without any call."))
	if !l.None {
		found = callsFound(l)
	}
	return web.Page("Calls of "+l.Run.Path, h.H1(g.Text("Calls "), h.Small(g.Text(visible.Line(l.Run.Path)))), found)
}

func callsFound(l *callList) g.Node {
	other := webpage.Link(l.Run.address("calls", "failed", "1"), g.Text("Only calls without a usable answer"))
	if l.Failed {
		other = webpage.Link(l.Run.address("calls"), g.Text("All calls"))
	}
	older := l.Run.address("calls", "failed", failedValue(l.Failed), "before", strconv.FormatInt(l.Next, 10))
	return h.Div(h.ID("calls"),
		g.If(l.Run.State == running, renews("#calls", l.Run.address("calls", "failed", failedValue(l.Failed)), "every 3s")),
		h.P(h.Aria("live", "polite"),
			stateHTML(l.Run),
			g.Textf("%d calls of models, %d of them answered, %d failed, %d retries %s", l.Usage.Calls, l.Usage.Answers, l.Usage.Failed, l.Usage.Retries, spent(l.Usage))),
		h.P(other),
		g.Map(l.Calls, callHTML),
		g.If(l.Next != 0, h.P(h.A(h.Rel("next"), h.Href(webpage.Address(older)), g.Text("Older calls")))))
}
