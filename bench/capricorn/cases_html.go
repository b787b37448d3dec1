package capricorn

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"strings"
)

//go:embed style.css
var style string

// writeCasesHTML writes the cases as one self-contained page. It does not use
// html/template, which makes the linker keep every method of every library.
func (e *evaluation) writeCasesHTML(w io.Writer) error {
	var b strings.Builder
	title := "Cases: " + htmlText(e.plan.System)
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<header id=\"top\">\n<h1>%s</h1>\n<p>%s</p>\n</header>\n", title, style, title, html.EscapeString(e.casesIntro()))
	b.WriteString("<main>\n")
	e.writeIndexHTML(&b)
	b.WriteString("<details open=\"\">\n<summary>How to read this page</summary>\n<ul>\n")
	for _, line := range append(casesHelp(), colourHelp) {
		fmt.Fprintf(&b, "<li>%s</li>\n", html.EscapeString(line))
	}
	b.WriteString("</ul>\n</details>\n")
	for i := range e.cases.list {
		c, err := e.view(i)
		if err != nil {
			return err
		}
		c.writeHTML(&b)
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
		b.Reset() // one case at a time: a caption may be long
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// htmlText makes text from data fit for HTML.
func htmlText(s string) string { return html.EscapeString(oneLine(s)) }

func (e *evaluation) writeIndexHTML(b *strings.Builder) {
	if len(e.cases.list) == 0 {
		return
	}
	b.WriteString("<nav aria-label=\"Videos\">\n<table>\n<caption>Videos, the least consistent first</caption>\n" +
		"<thead><tr><th scope=\"col\" class=\"number\">No.</th><th scope=\"col\">video</th><th scope=\"col\">length</th><th scope=\"col\" class=\"number\">Ref</th><th scope=\"col\" class=\"number\">Acc</th><th scope=\"col\" class=\"number\">Cov</th></tr></thead>\n<tbody>\n")
	for i, c := range e.cases.list {
		s := c.u.shares(mended)
		fmt.Fprintf(b, "<tr><td class=\"number\">%d</td><td><a href=\"#case-%d\">%s</a></td><td>%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n",
			i+1, i+1, htmlText(c.u.v.id), html.EscapeString(c.u.v.durationText()), s[2], s[0], s[1])
	}
	b.WriteString("</tbody>\n</table>\n</nav>\n")
}

func (c *caseView) writeHTML(b *strings.Builder) {
	fmt.Fprintf(b, "<article id=\"case-%d\" aria-labelledby=\"title-%d\">\n<h2 id=\"title-%d\">%d. %s <small>%s</small></h2>\n",
		c.number, c.number, c.number, c.number, htmlText(c.u.v.id), html.EscapeString(c.u.v.durationText()))
	c.writeScoresHTML(b)
	c.writeCaptionHTML(b)
	c.writeSubjectsHTML(b)
	c.writeKeypointsHTML(b)
	b.WriteString("<p class=\"top\"><a href=\"#top\">Back to the list of videos</a></p>\n</article>\n")
}

func (c *caseView) writeScoresHTML(b *strings.Builder) {
	b.WriteString("<table class=\"scores\">\n<thead><tr><th scope=\"col\">profile</th><th scope=\"col\" class=\"number\">Acc</th><th scope=\"col\" class=\"number\">Cov</th><th scope=\"col\" class=\"number\">Ref</th></tr></thead>\n<tbody>\n")
	for _, p := range c.profiles() {
		fmt.Fprintf(b, "<tr><th scope=\"row\">%s</th><td class=\"number\">%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n", p.name, p.shares[0], p.shares[1], p.shares[2])
	}
	b.WriteString("</tbody>\n</table>\n")
	if len(c.u.differences) == 0 {
		return
	}
	b.WriteString("<p>Where the profiles differ:</p>\n<ul>\n")
	for _, d := range c.u.differences {
		fmt.Fprintf(b, "<li>%s (%d): official – %s; strict – %s</li>\n", htmlText(d.What), d.Items, htmlText(d.Official), htmlText(d.Strict))
	}
	b.WriteString("</ul>\n")
}

func (c *caseView) writeCaptionHTML(b *strings.Builder) {
	fmt.Fprintf(b, "<h3>Caption <small>%s characters</small></h3>\n", grouped(c.length))
	if len(c.legend) > 0 {
		b.WriteString("<ul class=\"plain\">\n")
		for _, l := range c.legend {
			fmt.Fprintf(b, "<li><strong>%d %s</strong>: %s</li>\n", l.number, htmlText(l.name), l.html())
		}
		b.WriteString("</ul>\n")
	}
	if n := c.hidden(); n > 0 {
		fmt.Fprintf(b, "<p class=\"note\">%s</p>\n", html.EscapeString(shortened(n)))
	}
	if c.length == 0 {
		b.WriteString("<p class=\"note\">The caption is empty.</p>\n")
	}
	b.WriteString("<div class=\"text\" lang=\"\" dir=\"auto\">")
	for _, p := range c.caption {
		switch {
		case p.gap > 0:
			fmt.Fprintf(b, "<span class=\"gap\" lang=\"en\">[… %s characters …]</span>", grouped(p.gap))
		case len(p.tags) > 0:
			b.WriteString(markHTML(p.text, p.tags))
		default:
			b.WriteString(html.EscapeString(readable(p.text)))
		}
	}
	b.WriteString("</div>\n")
	if len(c.lost) > 0 {
		fmt.Fprintf(b, "<p>%s</p>\n<ul>\n", notVerbatim)
		for _, d := range c.lost {
			fmt.Fprintf(b, "<li>%s</li>\n", markHTML(d.text, d.tags))
		}
		b.WriteString("</ul>\n")
	}
}

// html lists a subject's groups.
func (l *subjectLegend) html() string {
	if len(l.groups) == 0 {
		return "not mentioned"
	}
	var parts []string
	for _, g := range l.groups {
		var texts []string
		for _, t := range g.texts {
			texts = append(texts, "“"+htmlText(t.text)+"”"+times(t.n))
		}
		parts = append(parts, fmt.Sprintf("%s %s", markHTML(g.group, []tag{g.tag}), strings.Join(texts, ", ")))
	}
	return strings.Join(parts, "; ")
}

// markHTML marks a text with the colour of its first tag and the names of all.
func markHTML(text string, tags []tag) string {
	if len(tags) == 0 {
		return "“" + htmlText(text) + "”"
	}
	var names, titles []string
	for _, t := range tags {
		names, titles = append(names, t.name), append(titles, t.subject+", "+t.group)
	}
	class := ""
	if tags[0].loose {
		class = ` class="loose"`
	}
	return fmt.Sprintf("<mark%s style=\"--hue:%d\" title=\"%s\">%s<sup>[%s]</sup></mark>",
		class, tags[0].hue, htmlText(strings.Join(titles, "; ")), htmlText(text), strings.Join(names, " "))
}

func (c *caseView) writeSubjectsHTML(b *strings.Builder) {
	if len(c.legend) == 0 {
		return
	}
	const columns = "<th scope=\"col\">keypoints</th><th scope=\"col\">mentions</th><th scope=\"col\">groups: sizes</th><th scope=\"col\">Ref</th>"
	b.WriteString("<h3>Subjects</h3>\n<div class=\"wide\">\n<table>\n<thead><tr><th rowspan=\"2\" scope=\"col\">subject</th><th colspan=\"4\" scope=\"colgroup\">strict</th><th colspan=\"4\" scope=\"colgroup\">official</th><th rowspan=\"2\" scope=\"col\">notes</th></tr>\n<tr>" +
		columns + columns + "</tr></thead>\n<tbody>\n")
	for _, r := range c.subjectRows() {
		fmt.Fprintf(b, "<tr><th scope=\"row\">%d %s</th>", r.legend.number, htmlText(r.legend.name))
		for _, cell := range append(r.strict[:], r.official[:]...) {
			fmt.Fprintf(b, "<td>%s</td>", cell)
		}
		fmt.Fprintf(b, "<td>%s</td></tr>\n", html.EscapeString(strings.Join(r.notes, "; ")))
	}
	b.WriteString("</tbody>\n</table>\n</div>\n")
}

func (c *caseView) writeKeypointsHTML(b *strings.Builder) {
	b.WriteString("<h3>Keypoints</h3>\n")
	for class, of := range classes {
		list, summary := c.keypointsOf(class)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(b, "<details open=\"\">\n<summary>%s <small>%s</small></summary>\n<table class=\"keypoints\">\n"+
			"<thead><tr><th scope=\"col\">verdict</th><th scope=\"col\">keypoint</th><th scope=\"col\">in the caption</th><th scope=\"col\">why</th></tr></thead>\n<tbody>\n", of.title, summary)
		for _, k := range list {
			k.writeHTML(b)
		}
		b.WriteString("</tbody>\n</table>\n</details>\n")
	}
}

func (k *shownKeypoint) writeHTML(b *strings.Builder) {
	v := verdictMarks[k.verdict]
	fmt.Fprintf(b, "<tr><td class=\"verdict %s\"><span aria-hidden=\"true\">%s</span> %s</td><td>%s", v.class, v.sign, v.words, htmlText(k.text))
	for _, n := range k.notes {
		fmt.Fprintf(b, "<br/><span class=\"note\">%s</span>", html.EscapeString(n))
	}
	b.WriteString("</td><td>")
	for i, d := range k.mentions {
		if i > 0 {
			b.WriteString("<br/>")
		}
		fmt.Fprintf(b, "%s: ", htmlText(d.subject))
		if d.text == nil {
			b.WriteString("left out")
		} else {
			b.WriteString(markHTML(*d.text, d.tags))
		}
	}
	fmt.Fprintf(b, "</td><td>%s", htmlText(k.reason))
	if k.quote != "" {
		fmt.Fprintf(b, "<q>%s</q>", htmlText(k.quote))
	}
	b.WriteString("</td></tr>\n")
}
