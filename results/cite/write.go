package cite

import (
	"fmt"
	"html"
	"io"
	"strings"

	"omniscope/internal/visible"
	"omniscope/results/report"
)

// Forms are the forms of a board.
var Forms = []string{"markdown", "latex", "html", "model-index", "bibtex"}

// Write writes boards in a form of Forms except bibtex, which has no scores.
func Write(w io.Writer, form string, boards []*board, runsAsColumns bool) error {
	if form == "model-index" {
		return writeModelIndex(w, boards)
	}
	for i, b := range boards {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		write := map[string]func(io.Writer, bool) error{"markdown": b.Markdown, "latex": b.LaTeX, "html": b.HTML}[form]
		if err := write(w, runsAsColumns); err != nil {
			return err
		}
	}
	return nil
}

// Markdown writes the board as a table of GitHub's kind, for a model card, with what the
// numbers are and the signatures below.
func (b *board) Markdown(w io.Writer, runsAsColumns bool) error {
	var out strings.Builder
	fmt.Fprintf(&out, "**%s**\n\n", report.MarkdownText(b.Title))
	for i, line := range b.grid(runsAsColumns) {
		for _, c := range line {
			shown := report.MarkdownText(c.shown)
			if c.best {
				shown = "**" + shown + "**"
			}
			if c.interval != "" {
				shown += " [" + c.interval + "]"
			}
			out.WriteString("| " + shown + " ")
		}
		out.WriteString("|\n")
		if i == 0 {
			left := b.left(runsAsColumns)
			out.WriteString(strings.Repeat("|---", left) + strings.Repeat("|---:", len(line)-left) + "|\n")
		}
	}
	out.WriteString("\n" + report.MarkdownText(strings.Join(b.legend(), " ")) + "\n\n")
	for _, r := range b.Rows {
		fmt.Fprintf(&out, "- %s: `%s`\n", report.MarkdownText(r.name()), strings.ReplaceAll(visible.Line(r.Signature), "`", "'"))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// LaTeX writes the board as a table for a paper that uses the package booktabs. Texts of
// others are escaped: none of them is a command.
func (b *board) LaTeX(w io.Writer, runsAsColumns bool) error {
	g, left := b.grid(runsAsColumns), b.left(runsAsColumns)
	var out strings.Builder
	out.WriteString("% needs \\usepackage{booktabs}\n\\begin{table}[t]\n\\centering\n")
	fmt.Fprintf(&out, "\\caption{%s. %s}\n", report.LaTeXText(b.Title), report.LaTeXText(strings.Join(b.legend(), " ")))
	fmt.Fprintf(&out, "\\label{tab:%s}\n\\begin{tabular}{%s%s}\n\\toprule\n", b.Benchmark, strings.Repeat("l", left), strings.Repeat("r", len(g[0])-left))
	for i, line := range g {
		var cells []string
		for _, c := range line {
			shown := report.LaTeXText(c.shown)
			if c.best {
				shown = `\textbf{` + shown + "}"
			}
			if c.interval != "" {
				shown += ` {\scriptsize ` + report.LaTeXText("["+c.interval+"]") + "}"
			}
			cells = append(cells, shown)
		}
		if strings.HasPrefix(cells[0], "*") {
			cells[0] = "{}" + cells[0] // the end of the line before would take the star for its own
		}
		out.WriteString(strings.Join(cells, " & ") + " \\\\\n")
		if i == 0 {
			out.WriteString("\\midrule\n")
		}
	}
	out.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	for _, r := range b.Rows {
		out.WriteString("% " + visible.Line(r.name()) + ": " + visible.Line(r.Signature) + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// HTML writes the board as a table element and what the numbers are, for a page of
// somebody else's look.
func (b *board) HTML(w io.Writer, runsAsColumns bool) error {
	var out strings.Builder
	fmt.Fprintf(&out, "<table>\n<caption>%s</caption>\n", html.EscapeString(visible.Line(b.Title)))
	for i, line := range b.grid(runsAsColumns) {
		out.WriteString("<tr>")
		for k, c := range line {
			tag := "td"
			if i == 0 || k == 0 {
				tag = "th"
			}
			shown := html.EscapeString(visible.Line(c.shown))
			if c.best {
				shown = "<b>" + shown + "</b>"
			}
			if c.interval != "" {
				shown += " <small>[" + html.EscapeString(c.interval) + "]</small>"
			}
			fmt.Fprintf(&out, "<%s>%s</%[1]s>", tag, shown)
		}
		out.WriteString("</tr>\n")
	}
	fmt.Fprintf(&out, "</table>\n<p>%s</p>\n<ul>\n", html.EscapeString(visible.Line(strings.Join(b.legend(), " "))))
	for _, r := range b.Rows {
		fmt.Fprintf(&out, "<li>%s: <code>%s</code></li>\n", html.EscapeString(visible.Line(r.name())), html.EscapeString(visible.Line(r.Signature)))
	}
	out.WriteString("</ul>\n")
	_, err := io.WriteString(w, out.String())
	return err
}
