package web

import (
	"bytes"
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope/internal/visible"
	"omniscope/internal/webpage"
)

// htmxSettings keep htmx to what the policy allows.
const htmxSettings = `{"includeIndicatorStyles":false,"allowEval":false,"allowScriptTags":false,"selfRequestsOnly":true,"historyCacheSize":0}`

// Frame is a page of a server with its own title and head, and the body below the links to all pages.
func Frame(title string, head, links g.Node, body ...g.Node) g.Node {
	return h.Doctype(h.HTML(h.Lang("en"),
		h.Head(
			h.Meta(h.Charset("utf-8")),
			h.Meta(h.Name("viewport"), h.Content(webpage.Viewport)),
			h.TitleEl(g.Text(title)),
			h.Link(h.Rel("stylesheet"), h.Href("/static/page.css")),
			h.Link(h.Rel("icon"), h.Href("data:,")),
			head),
		h.Body(h.Nav(h.Aria("label", "All pages"), links), g.Group(body))))
}

// Page is a page of the viewer.
func Page(title string, body ...g.Node) g.Node {
	head := g.Group{
		h.Meta(h.Name("htmx-config"), h.Content(htmxSettings)),
		h.Script(h.Src("/static/htmx.min.js"), h.Defer()),
		h.Script(h.Src("/static/page.js"), h.Defer()),
	}
	return Frame(visible.Line(title)+" · omniscope", head, webpage.Link("/runs", g.Text("Runs")), body...)
}

func failure(err error) g.Node {
	const title = "This did not work"
	return Page(title, h.H1(g.Text(title)), h.P(h.Role("alert"), g.Text(visible.Line(err.Error()))))
}

// Write answers with a page. A page that cannot be rendered is an error of the server.
func Write(w http.ResponseWriter, status int, page g.Node) {
	var b bytes.Buffer // an error must not come after half a page
	if err := page.Render(&b); err != nil {
		http.Error(w, "This page cannot be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the reader left
}
