package report

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"omniscope"
	"omniscope/internal/quantity"
)

const (
	textRows  = 12 // the rest is in report.md
	leastText = 20 // least width that texts are cut to, before a column is left out
	cellGap   = 2  // between columns, as in plainStyle
	nothing   = "none"
)

// tables writes what the benchmark tells beside its scores: the first rows, cut
// to the width.
func (t *textReport) tables(tables []omniscope.Table) {
	for _, data := range tables {
		t.line("")
		t.line(t.paint(t.fill("", strings.Fields(clean(titleOf(data))), " "), text.Bold))
		if len(data.Rows) == 0 || len(data.Columns) == 0 {
			t.line("  " + nothing)
		} else {
			t.tableRows(data)
		}
		if data.Note != "" {
			t.note(data.Note)
		}
	}
}

// tableRows writes the rows of a table that has some, and what it leaves out.
func (t *textReport) tableRows(data omniscope.Table) {
	shown := data.Rows[:min(len(data.Rows), t.rows)]
	cells := [][]string{square(data.Columns, len(data.Columns), clean)}
	for _, row := range shown {
		cells = append(cells, square(row, len(data.Columns), clean))
	}
	widths := cellWidths(cells, t.width)
	if t.uncut {
		widths = fullWidths(cells)
	}
	t.grid(cells, widths, data.Numbers)
	if more := len(data.Rows) - len(shown); more > 0 {
		t.line("and " + quantity.Grouped(more) + " more in " + t.rest)
	}
	if more := len(data.Columns) - len(widths); more > 0 {
		t.note(quantity.Things(more, "column") + " left out at this width; all are in " + t.rest)
	}
}

// grid renders rows, the first of them as headings.
func (t *textReport) grid(rows [][]string, widths, numbers []int) {
	w := &table.Table{}
	w.SetStyle(plainStyle)
	w.SuppressTrailingSpaces()
	var configs []table.ColumnConfig
	for _, i := range numbers {
		configs = append(configs, right(i+1))
	}
	w.SetColumnConfigs(configs)
	for i, row := range rows {
		line := make(table.Row, len(widths))
		for j, width := range widths {
			line[j] = cut(row[j], width)
			if i == 0 {
				line[j] = t.paint(wrapHeading(row[j], width), text.Bold)
			}
		}
		if i == 0 {
			w.AppendHeader(line)
		} else {
			w.AppendRow(line)
		}
	}
	t.out.WriteString(w.Render() + "\n")
}

// cellWidths is how wide the columns may be for rows to keep to a width. The widest texts are cut first, but numbers never: half a
// number is a wrong one. If that is not enough, the last columns are left out: columns are in the order of their importance.
func cellWidths(rows [][]string, width int) []int {
	widths, least := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for i, heading := range rows[0] {
		for _, word := range headingWords(heading) {
			widths[i] = max(widths[i], text.StringWidth(word))
		}
		numbers := len(rows) > 1
		for _, row := range rows[1:] {
			widths[i] = max(widths[i], text.StringWidth(row[i]))
			numbers = numbers && isNumber(row[i])
		}
		if least[i] = widths[i]; !numbers {
			least[i] = min(widths[i], leastText)
		}
	}
	if wide := fullWidths(rows); lineWidth(wide) <= width {
		return wide
	}
	for len(widths) > 1 && lineWidth(least[:len(widths)]) > width {
		widths = widths[:len(widths)-1]
	}
	for lineWidth(widths) > width {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] >= widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return []int{min(widths[0], width)} // one column is wider than all there is
		}
		widths[widest]--
	}
	return widths
}

// fullWidths is how wide the columns are with nothing cut, and headings on one line.
func fullWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], text.StringWidth(cell))
		}
	}
	return widths
}

// number is a cell with a number, an interval or both, or with a mark that there is no number.
var number = regexp.MustCompile(`^([<~$+−-]*[0-9][0-9.,]*( ?%)?)?( ?\[[^\]]*\])?$|^[–—]$|^no score$`)

func isNumber(cell string) bool { return number.MatchString(cell) }

// headingWords are the parts that a heading may be broken into: words, and
// what stands before and after a hyphen.
func headingWords(s string) []string {
	var words []string
	for _, w := range strings.Fields(s) {
		words = append(words, strings.SplitAfter(w, "-")...)
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// wrapHeading breaks a heading into lines no wider than width, and cuts words
// that are wider.
func wrapHeading(s string, width int) string {
	var out strings.Builder
	at := 0
	for i, word := range headingWords(s) {
		gap := 0
		if i > 0 && !strings.HasSuffix(out.String(), "-") {
			gap = 1
		}
		word = cut(word, width)
		switch {
		case i > 0 && at+gap+text.StringWidth(word) > width:
			out.WriteByte('\n')
			at, gap = 0, 0
		case gap > 0:
			out.WriteByte(' ')
		}
		out.WriteString(word)
		at += gap + text.StringWidth(word)
	}
	return out.String()
}

// lineWidth is how wide a line is.
func lineWidth(widths []int) int {
	n := cellGap * (len(widths) - 1)
	for _, w := range widths {
		n += w
	}
	return n
}

// square makes a row of n cells, each fit to be shown.
func square(row []string, n int, fit func(string) string) []string {
	cells := make([]string, n)
	for i := range min(n, len(row)) {
		cells[i] = fit(row[i])
	}
	return cells
}

func titleOf(data omniscope.Table) string { return cmp.Or(data.Title, data.Name) }

// tables writes what the benchmark tells beside its scores, in full.
func (m *page) tables(tables []omniscope.Table) {
	for _, data := range tables {
		m.heading(2, titleOf(data))
		if len(data.Rows) == 0 || len(data.Columns) == 0 {
			m.out.WriteString(nothing + "\n")
		} else {
			t := markdownTable{head: square(data.Columns, len(data.Columns), escape), right: data.Numbers}
			for _, row := range data.Rows {
				t.add(square(row, len(data.Columns), escape)...)
			}
			t.write(&m.out)
		}
		if data.Note != "" {
			m.out.WriteByte('\n')
			m.bullets([]string{data.Note})
		}
	}
}
