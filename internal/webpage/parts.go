package webpage

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope"
	"omniscope/internal/visible"
)

// Document is a page that needs no other file: it has the given title and style sheet.
func Document(title, style string, body ...g.Node) g.Node {
	return h.Doctype(h.HTML(h.Lang("en"),
		h.Head(
			h.Meta(h.Charset("utf-8")),
			h.Meta(h.Name("generator"), h.Content(generator)),
			h.Meta(h.Name("viewport"), h.Content(Viewport)),
			h.TitleEl(g.Text(title)),
			g.Raw("<style>\n"+style+"</style>\n"),
		),
		h.Body(body...)))
}

// Viewport makes a page as wide as the screen of a phone.
const Viewport = "width=device-width, initial-scale=1"

// Write writes a page.
func Write(w io.Writer, page g.Node) error {
	b := bufio.NewWriterSize(w, 1<<16) // a node writes each tag and text by itself
	if err := page.Render(b); err != nil {
		return err
	}
	return b.Flush()
}

// Address returns an address that a click may follow. One with another scheme than http, https or mailto, such as
// javascript, becomes an address that leads nowhere.
func Address(address string) string {
	scheme, _, found := strings.Cut(address, ":")
	if !found || strings.ContainsAny(scheme, "/?#") {
		return address
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto":
		return address
	}
	return "about:invalid"
}

// Link leads to an address.
func Link(address string, children ...g.Node) g.Node {
	return h.A(h.Href(Address(address)), g.Group(children))
}

// JSON is data for a script of the page. JSON escapes all characters that could end the element.
func JSON(id string, data any) g.Node {
	return g.NodeFunc(func(w io.Writer) error {
		text, err := json.Marshal(data)
		if err != nil {
			return err
		}
		return h.Script(h.ID(id), h.Type("application/json"), g.Raw(string(text)+"\n")).Render(w)
	})
}

// Spaced puts a blank between nodes that are in one line. A node that is nil is left out.
func Spaced(nodes ...g.Node) g.Group {
	var out g.Group
	for _, n := range nodes {
		if n == nil {
			continue
		}
		if out != nil {
			out = append(out, g.Text(" "))
		}
		out = append(out, n)
	}
	return out
}

// Wide holds a table that may be wider than a phone; it scrolls by itself, also by keyboard.
func Wide(label string, children ...g.Node) g.Node {
	return h.Div(h.Class("wide"), g.Attr("tabindex", "0"), h.Role("region"), h.Aria("label", label), g.Group(children))
}

// Headings is a row of column headings.
func Headings(names ...string) g.Node {
	return h.Tr(g.Map(names, func(name string) g.Node { return h.Th(g.Text(name)) }))
}

// Table is a table of texts from data. heading holds attributes of the cells that name the columns.
func Table(t omniscope.Table, heading ...g.Node) g.Node {
	return h.Table(
		h.THead(row(t, t.Columns, func(cell ...g.Node) g.Node { return h.Th(append(cell, heading...)...) })),
		h.TBody(g.Map(t.Rows, func(cells []string) g.Node { return row(t, cells, h.Td) })))
}

func row(t omniscope.Table, cells []string, element func(...g.Node) g.Node) g.Node {
	var out g.Group
	for i, cell := range cells {
		class := ""
		if slices.Contains(t.Numbers, i) {
			class = "number"
		}
		out = append(out, element(h.Class(class), g.Text(visible.Line(cell))))
	}
	return h.Tr(out)
}

// List is a list of texts from data, each on one line.
func List(texts []string) g.Node {
	return h.Ul(g.Map(texts, func(text string) g.Node { return h.Li(g.Text(visible.Line(text))) }))
}

// Options are the choices of a select element. The chosen one is marked.
func Options[S ~string](choices []S, chosen S) g.Group {
	return g.Map(choices, func(c S) g.Node { return h.Option(g.If(c == chosen, h.Selected()), g.Text(string(c))) })
}
