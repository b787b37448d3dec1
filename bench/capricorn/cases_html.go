package capricorn

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/a-h/templ"
)

//go:embed style.css
var style string

// writeCasesHTML writes the cases as a page that needs nothing else.
func (e *evaluation) writeCasesHTML(w io.Writer) error {
	return e.casesPage("Cases: "+oneLine(e.plan.System)).Render(context.Background(), w)
}

// shownCase is case i, which is read when it is rendered: a caption may be long,
// and there may be many.
func (e *evaluation) shownCase(i int) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		c, err := e.view(i)
		if err != nil {
			return err
		}
		return c.page().Render(ctx, w)
	})
}

// captionText is the caption in pieces with nothing between them.
func (c *caseView) captionText() templ.Component {
	var pieces []templ.Component
	for _, p := range c.caption {
		switch {
		case p.gap > 0:
			pieces = append(pieces, gap(p.gap))
		case len(p.tags) > 0:
			pieces = append(pieces, marked(p.text, p.tags))
		default:
			pieces = append(pieces, words(readable(p.text)))
		}
	}
	return templ.Join(pieces...)
}

// groupsHTML lists a subject's groups.
func (l *subjectLegend) groupsHTML() templ.Component {
	if len(l.groups) == 0 {
		return words(": not mentioned")
	}
	var pieces []templ.Component
	between := ": "
	for _, g := range l.groups {
		var texts []string
		for _, t := range g.texts {
			texts = append(texts, "“"+oneLine(t.text)+"”"+times(t.n))
		}
		pieces = append(pieces, words(between), marked(g.group, []tag{g.tag}), words(" "+strings.Join(texts, ", ")))
		between = "; "
	}
	return templ.Join(pieces...)
}

// inCaption says how the caption refers to a subject.
func (d *subjectMention) inCaption() templ.Component {
	if d.text == nil {
		return words(oneLine(d.subject) + ": left out")
	}
	return templ.Join(words(oneLine(d.subject)+": "), marked(*d.text, d.tags))
}

func namesOf(tags []tag) string {
	var names []string
	for _, t := range tags {
		names = append(names, t.name)
	}
	return strings.Join(names, " ")
}

// markAttributes are a mark's colour, and the subjects and groups that it names.
func markAttributes(tags []tag) templ.Attributes {
	var titles []string
	for _, t := range tags {
		titles = append(titles, t.subject+", "+t.group)
	}
	return templ.Attributes{"style": fmt.Sprintf("--hue:%d", tags[0].hue), "title": oneLine(strings.Join(titles, "; "))}
}
