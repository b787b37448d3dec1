package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"omniscope"
	"omniscope/internal/quantity"
)

const (
	textRows  = 12 // the rest is in report.md
	leastCell = 4  // least width that cells are cut to
	cellGap   = 2  // between columns, as in plainStyle
	nothing   = "none"
)

// tables writes what the benchmark tells beside its scores: the first rows, cut
// to the width.
func (t *textReport) tables(tables []omniscope.Table) {
	for _, data := range tables {
		t.line("")
		t.line(t.paint(cut(clean(titleOf(data)), t.width), text.Bold))
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

// cellWidths is how wide the columns may be for rows to keep to a width. The
// widest are cut first; where that is not enough, the last columns are left out.
func cellWidths(rows [][]string, width int) []int {
	widths := make([]int, len(rows[0]))
	for i, heading := range rows[0] {
		for _, word := range headingWords(heading) {
			widths[i] = min(max(widths[i], text.StringWidth(word)), width)
		}
	}
	for _, row := range rows[1:] {
		for i, cell := range row {
			widths[i] = min(max(widths[i], text.StringWidth(cell)), width)
		}
	}
	widths = widen(widths, rows[0], width)
	for len(widths) > 1 && lineWidth(widths, leastCell) > width {
		widths = widths[:len(widths)-1]
	}
	most := slices.Max(widths)
	for most > leastCell && lineWidth(widths, most) > width {
		most--
	}
	for i := range widths {
		widths[i] = min(widths[i], most)
	}
	return widths
}

// widen lets headings stand on one line where that keeps to the width.
func widen(widths []int, headings []string, width int) []int {
	wide := slices.Clone(widths)
	for i, h := range headings {
		wide[i] = max(wide[i], min(text.StringWidth(h), width))
	}
	if lineWidth(wide, width) <= width {
		return wide
	}
	return widths
}

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

// lineWidth is how wide a line is when no column is wider than most.
func lineWidth(widths []int, most int) int {
	n := cellGap * (len(widths) - 1)
	for _, w := range widths {
		n += min(w, most)
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
