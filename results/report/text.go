package report

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

// TextOptions say how to show results on a terminal.
type TextOptions struct {
	Columns []Column // scores in their order; nil = those of the document, by name
	Width   int      // of the terminal; 0 = it is not one: prose is 110 wide, and tables are as wide as their cells
	Color   bool
	NoUsage bool // the command prints what all its parts took
}

const (
	defaultWidth = 110
	labelWidth   = 11
	textWarnings = 10 // the rest is in report.md
)

// Text writes what a user of a terminal wants to see: the headline scoring's
// table, how the other scoring differs, the benchmark's own tables, and what to
// be wary of. Lines keep to the width; tables leave intervals out before they
// grow beyond it.
func Text(w io.Writer, r *document.Results, o TextOptions) error {
	t := newTextReport(o, textRows, "report.md")
	t.terms = termsOf(r, o.Columns)
	for _, f := range head(r, t.terms) {
		t.fact(f)
	}
	t.scores(headline(r))
	if differ(r, t.columns) {
		t.scorings(r)
	}
	t.tables(r.Tables)
	t.warnings(r.Warnings)
	t.line("")
	if !o.NoUsage {
		for _, f := range usage(r.Usage) {
			t.fact(f)
		}
	}
	t.line(pad("signature") + clean(r.Signature)) // never wrapped: it is copied
	_, err := io.WriteString(w, t.out.String())
	return err
}

// newTextReport begins a text. rows is the most rows of a table, rest names what has all of them.
func newTextReport(o TextOptions, rows int, rest string) *textReport {
	t := &textReport{width: o.Width, uncut: o.Width <= 0, color: o.Color, rows: rows, rest: rest}
	if t.uncut {
		t.width = defaultWidth
	}
	return t
}

// A textReport is a text on its way.
type textReport struct {
	terms
	out   strings.Builder
	width int
	uncut bool // tables may be wider than width: a program may read them
	color bool
	rows  int    // of a table at most
	rest  string // where the rest of long lists is
}

func (t *textReport) line(s string) { t.out.WriteString(strings.TrimRight(s, " ") + "\n") }

func (t *textReport) fact(f fact) {
	s := t.fill(pad(f.label), f.parts, f.separator)
	if f.label == "headline" {
		s = t.paint(s, text.Bold)
	}
	t.line(s)
}

// words writes a sentence from data, wrapped behind its mark.
func (t *textReport) words(mark, s string) { t.line(t.fill(mark, strings.Fields(s), " ")) }

// fill joins parts behind first, with a line break where the next part would
// go beyond the width. Parts are cleaned and stay whole.
func (t *textReport) fill(first string, parts []string, separator string) string {
	indent := strings.Repeat(" ", text.StringWidth(first))
	lineEnd := strings.TrimRight(separator, " ")
	var out strings.Builder
	out.WriteString(first)
	at := len(indent)
	for i, part := range parts {
		part = clean(part)
		if i < len(parts)-1 {
			part += lineEnd
		}
		gap := separator[len(lineEnd):]
		if i == 0 {
			gap = ""
		} else if at+len(gap)+text.StringWidth(part) > t.width {
			gap, at = "\n"+indent, -1 // the line break takes no column
		}
		out.WriteString(gap + part)
		at += len(gap) + text.StringWidth(part)
	}
	return out.String()
}

func pad(label string) string { return text.Pad(label, labelWidth, ' ') }

// paint colours s, line by line, when colours are wanted.
func (t *textReport) paint(s string, colors ...text.Color) string {
	if !t.color || s == "" {
		return s
	}
	on := text.Colors(colors).EscapeSeq()
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = on + line + text.EscapeReset
	}
	return strings.Join(lines, "\n")
}

// ColorCodes are the escape sequences of all colours in texts of this package.
func ColorCodes() []string {
	return []string{text.EscapeReset, text.Colors{text.Bold}.EscapeSeq(), text.Colors{text.Bold, text.FgYellow}.EscapeSeq(), text.Colors{text.Faint}.EscapeSeq()}
}

func (t *textReport) warnings(warnings []string) {
	if len(warnings) == 0 {
		return
	}
	t.line("")
	t.line(t.paint("warnings", text.Bold, text.FgYellow))
	shown := min(len(warnings), textWarnings)
	for _, s := range warnings[:shown] {
		t.words("  - ", s)
	}
	if more := len(warnings) - shown; more > 0 {
		t.line("  and " + quantity.Grouped(more) + " more in " + t.rest)
	}
}
