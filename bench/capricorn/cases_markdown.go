package capricorn

import (
	"fmt"
	"io"
	"strings"

	"omniscope/internal/quantity"
)

// writeCasesMarkdown writes the cases in plain form.
func (e *evaluation) writeCasesMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Cases: %s\n\n%s\n\n", markdownText(e.plan.System), markdownText(e.casesIntro()))
	for i, c := range e.cases.list {
		if i == 0 {
			b.WriteString("| No. | video | length | Ref | Acc | Cov |\n|---:|---|---|---:|---:|---:|\n")
		}
		s := c.u.shares(mended)
		fmt.Fprintf(&b, "| %d | [%s](#case-%d) | %s | %s | %s | %s |\n", i+1, markdownText(c.u.v.id), i+1, c.u.v.durationText(), s[2], s[0], s[1])
	}
	b.WriteString("\n## How to read this page\n\n")
	for _, line := range casesHelp() {
		fmt.Fprintf(&b, "- %s\n", markdownText(line))
	}
	for i := range e.cases.list {
		c, err := e.view(i)
		if err != nil {
			return err
		}
		c.writeMarkdown(&b)
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
		b.Reset()
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *caseView) writeMarkdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n<a id=\"case-%d\"></a>\n\n## %d. %s – %s\n\n", c.number, c.number, markdownText(c.u.v.id), c.u.v.durationText())
	b.WriteString("| profile | Acc | Cov | Ref |\n|---|---:|---:|---:|\n")
	for _, p := range c.scorings() {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", p.name, p.shares[0], p.shares[1], p.shares[2])
	}
	if len(c.u.differences) > 0 {
		b.WriteString("\nWhere the profiles differ:\n\n")
	}
	for _, d := range c.u.differences {
		fmt.Fprintf(b, "- %s (%d): official – %s; strict – %s\n", markdownText(d.What), d.Items, markdownText(d.Official), markdownText(d.Strict))
	}
	c.writeCaptionMarkdown(b)
	c.writeSubjectsMarkdown(b)
	c.writeKeypointsMarkdown(b)
}

func (c *caseView) writeCaptionMarkdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n### Caption (%s characters)\n\n", quantity.Grouped(c.length))
	for _, l := range c.legend {
		fmt.Fprintf(b, "- %d %s: %s\n", l.number, markdownText(l.name), l.markdown())
	}
	if len(c.legend) > 0 {
		b.WriteByte('\n')
	}
	if n := c.hidden(); n > 0 {
		fmt.Fprintf(b, "%s\n\n", markdownText(shortened(n)))
	}
	if c.length == 0 {
		b.WriteString("The caption is empty.\n")
	} else {
		writeQuoted(b, c.caption)
	}
	if len(c.lost) > 0 {
		fmt.Fprintf(b, "\n%s\n\n", notVerbatim)
	}
	for _, d := range c.lost {
		fmt.Fprintf(b, "- %s\n", markMarkdown(d.text, d.tags))
	}
}

// writeQuoted writes a caption as a quotation, each line of it a paragraph.
func writeQuoted(b *strings.Builder, caption []piece) {
	var line strings.Builder
	end := func() {
		if text := strings.TrimSpace(line.String()); text != "" {
			fmt.Fprintf(b, "> %s\n>\n", atLineStart(text))
		}
		line.Reset()
	}
	for _, p := range caption {
		switch {
		case p.gap > 0:
			fmt.Fprintf(&line, ` *\[… %s characters …\]* `, quantity.Grouped(p.gap))
		case len(p.tags) > 0:
			line.WriteString(markMarkdown(p.text, p.tags))
		default:
			for i, text := range strings.Split(readable(p.text), "\n") {
				if i > 0 {
					end()
				}
				line.WriteString(markdownSpecial.Replace(text))
			}
		}
	}
	end()
}

// markMarkdown makes a description bold and puts the names of its tags after it.
func markMarkdown(text string, tags []tag) string {
	text = markdownText(text)
	if text == "" {
		text = "(empty)"
	}
	if len(tags) == 0 {
		return "“" + text + "”"
	}
	var names []string
	for _, t := range tags {
		names = append(names, t.name)
	}
	return fmt.Sprintf(`**%s** \[%s\]`, text, strings.Join(names, " "))
}

// markdown lists a subject's groups.
func (l *subjectLegend) markdown() string {
	if len(l.groups) == 0 {
		return "not mentioned"
	}
	var parts []string
	for _, g := range l.groups {
		var texts []string
		for _, t := range g.texts {
			texts = append(texts, "“"+markdownText(t.text)+"”"+times(t.n))
		}
		parts = append(parts, fmt.Sprintf("%s %s", markMarkdown(g.group, []tag{g.tag}), strings.Join(texts, ", ")))
	}
	return strings.Join(parts, "; ")
}

func (c *caseView) writeSubjectsMarkdown(b *strings.Builder) {
	if len(c.legend) == 0 {
		return
	}
	b.WriteString("\n### Subjects\n\nIn strict; what official has is in brackets where it differs.\n\n| subject | keypoints | mentions | groups: sizes | Ref | notes |\n|---|---:|---:|---|---:|---|\n")
	for _, r := range c.subjectRows() {
		fmt.Fprintf(b, "| %d %s |", r.legend.number, markdownText(r.legend.name))
		for i, cell := range r.strict {
			if r.official[i] != cell {
				cell += " (" + r.official[i] + ")"
			}
			fmt.Fprintf(b, " %s |", cell)
		}
		fmt.Fprintf(b, " %s |\n", markdownText(strings.Join(r.notes, "; ")))
	}
}

func (c *caseView) writeKeypointsMarkdown(b *strings.Builder) {
	b.WriteString("\n### Keypoints\n")
	for class, of := range classes {
		list, summary := c.keypointsOf(class)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n#### %s: %s\n\n", of.title, summary)
		for _, k := range list {
			k.writeMarkdown(b)
		}
	}
}

func (k *shownKeypoint) writeMarkdown(b *strings.Builder) {
	v := verdictMarks[k.verdict]
	fmt.Fprintf(b, "- %s %s: %s", v.sign, v.words, markdownText(k.text))
	for _, n := range k.notes {
		fmt.Fprintf(b, " (%s)", markdownText(n))
	}
	b.WriteByte('\n')
	for _, d := range k.mentions {
		text := "left out"
		if d.text != nil {
			text = markMarkdown(*d.text, d.tags)
		}
		fmt.Fprintf(b, "  - %s: %s\n", markdownText(d.subject), text)
	}
	if k.reason != "" {
		fmt.Fprintf(b, "  - why: %s\n", markdownText(k.reason))
	}
	if k.quote != "" {
		fmt.Fprintf(b, "  - quote: “%s”\n", markdownText(k.quote))
	}
}

// markdownSpecial escapes every character that has a meaning in some dialect of
// Markdown: marks, links, tables, entities, formulas, addresses.
var markdownSpecial = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "<", `\<`, ">", `\>`, "#", `\#`, "&", `\&`,
	"[", `\[`, "]", `\]`, "!", `\!`, "$", `\$`, "@", `\@`, "://", `:\//`, "www.", `www\.`)

// markdownText makes text from data plain text within a line or a cell of
// Markdown.
func markdownText(s string) string { return markdownSpecial.Replace(oneLine(s)) }

// atLineStart keeps a line from becoming an item of a list or a rule.
func atLineStart(s string) string {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if rest := s[digits:]; digits > 0 && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, ")")) || digits == 0 && strings.IndexAny(s, "-+=") == 0 {
		return s[:digits] + `\` + rest
	}
	return s
}
