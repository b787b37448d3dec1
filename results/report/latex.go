package report

import (
	"io"
	"slices"
	"strings"

	"omniscope"
)

// LaTeX writes the tables for a paper: tabular environments that need the package
// booktabs. Cells are texts: nothing in them is a command.
func (c Comparison) LaTeX(w io.Writer) error {
	var out strings.Builder
	for i, t := range c.Tables {
		if i > 0 {
			out.WriteByte('\n')
		}
		latexTable(&out, t)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func latexTable(out *strings.Builder, t omniscope.Table) {
	align := make([]byte, len(t.Columns))
	for i := range align {
		align[i] = 'l'
		if slices.Contains(t.Numbers, i) {
			align[i] = 'r'
		}
	}
	line := func(cells []string) {
		escaped := make([]string, len(cells))
		for i, cell := range cells {
			escaped[i] = LaTeXText(cell)
		}
		out.WriteString(strings.Join(escaped, " & ") + " \\\\\n")
	}
	out.WriteString("% " + oneLine(titleOf(t)) + "\n\\begin{tabular}{" + string(align) + "}\n\\toprule\n")
	line(t.Columns)
	out.WriteString("\\midrule\n")
	for _, row := range t.Rows {
		line(row)
	}
	out.WriteString("\\bottomrule\n\\end{tabular}\n")
	for note := range strings.SplitSeq(oneLine(t.Note), "; ") {
		if note != "" {
			out.WriteString("% " + note + "\n")
		}
	}
}

// oneLine keeps a comment a comment.
func oneLine(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }

var latexSpecial = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "_", `\_`, "%", `\%`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, "[", `{[}`, "]", `{]}`,
	"↓", `$\downarrow$`, "↑", `$\uparrow$`, "–", "--", "†", `\textdagger{}`, "×", `$\times$`, "−", "$-$")

// LaTeXText makes a text of others plain text in LaTeX.
func LaTeXText(text string) string { return latexSpecial.Replace(oneLine(text)) }
