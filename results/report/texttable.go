package report

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"omniscope"
	"omniscope/bench/document"
)

// A tableForm says what a table of scores shows.
type tableForm struct {
	first     string // heading of the names
	intervals place
	name      int  // most columns for a name
	tall      bool // headings of two lines
}

// A place says where the intervals stand.
type place uint8

const (
	beside place = iota // behind their values
	below               // in a row of their own, except in fine sections
	absent              // nowhere, and bounds neither
)

// table renders sections of slices: a row for each slice and, where it has such,
// rows for its intervals and bounds. Fine sections do without those rows.
func (t *textReport) table(sections []section, form tableForm) string {
	w := &table.Table{}
	w.SetStyle(plainStyle)
	w.SuppressTrailingSpaces()
	w.SetColumnConfigs(t.alignments(form))
	w.AppendHeader(t.headings(form))
	widths := t.valueWidths(sections)
	for i, s := range sections {
		if i > 0 {
			w.AppendSeparator()
		}
		if s.title != whole {
			w.AppendRow(table.Row{t.paint(cut(clean(s.title), form.name), text.Bold)})
		}
		for _, slice := range s.slices {
			w.AppendRow(t.row(slice, form, widths))
			if !s.fine && form.intervals == below {
				t.appendSmall(w, "    interval", slice, Column.interval)
			}
			if !s.fine && form.intervals != absent {
				t.appendSmall(w, "    bounds", slice, Column.bounds)
			}
		}
	}
	return w.Render() + "\n"
}

var plainStyle = table.Style{
	Name:    "plain",
	Box:     table.BoxStyle{MiddleVertical: "  ", MiddleHorizontal: "─", MiddleSeparator: "──", EmptySeparator: "  "},
	Format:  table.FormatOptions{Header: text.FormatDefault, Row: text.FormatDefault},
	Options: table.Options{SeparateHeader: true, SeparateColumns: true},
}

func (t *textReport) alignments(form tableForm) []table.ColumnConfig {
	last := len(t.columns) + 3
	configs := []table.ColumnConfig{right(2), right(last)}
	if form.intervals != beside {
		for i := 3; i < last; i++ {
			configs = append(configs, right(i))
		}
	}
	return configs
}

func right(column int) table.ColumnConfig {
	return table.ColumnConfig{Number: column, Align: text.AlignRight, AlignHeader: text.AlignRight, VAlignHeader: text.VAlignBottom}
}

func (t *textReport) headings(form tableForm) table.Row {
	row := table.Row{form.first, "n"}
	for _, c := range t.columns {
		row = append(row, clean(c.Heading()))
	}
	row = append(row, "unscored")
	for i := range row {
		heading := row[i].(string)
		if form.tall {
			heading = broken(heading)
		}
		row[i] = t.paint(heading, text.Bold)
	}
	return row
}

// broken puts a heading on two lines, so that it is as narrow as can be.
func broken(heading string) string {
	out := heading
	for i, r := range heading {
		if r != '-' && r != ' ' {
			continue
		}
		try := strings.TrimRight(heading[:i+1], " ") + "\n" + heading[i+1:]
		if text.LongestLineLen(try) < text.LongestLineLen(out) {
			out = try
		}
	}
	return out
}

// valueWidths is how wide the values of each column are, so that they and the
// intervals behind them stand in line.
func (t *textReport) valueWidths(sections []section) []int {
	widths := make([]int, len(t.columns))
	for _, s := range sections {
		for _, slice := range s.slices {
			for i, c := range t.columns {
				if _, ok := finite(slice.Scores[c.Name].Value); ok {
					widths[i] = max(widths[i], len(c.cell(slice)))
				}
			}
		}
	}
	return widths
}

func (t *textReport) row(s document.Slice, form tableForm, widths []int) table.Row {
	row := table.Row{cut(rowName(s), form.name), span(s, t.columns, scored)}
	for i, c := range t.columns {
		cell := c.cell(s)
		if form.intervals == beside && cell != noScore {
			missing := widths[i] - text.StringWidth(cell)
			cell = strings.Repeat(" ", max(0, missing)) + cell + " " + c.interval(s.Scores[c.Name])
		}
		row = append(row, cell)
	}
	return append(row, span(s, t.columns, unscored))
}

// rowName is a slice's name in its row: the whole stands out.
func rowName(s document.Slice) string {
	if s.Dimension == whole {
		return clean(label(s))
	}
	return "  " + clean(label(s))
}

func cut(name string, width int) string { return text.Snip(name, width, "…") }

// appendSmall adds a row below a slice's, unless it would be empty.
func (t *textReport) appendSmall(w *table.Table, name string, s document.Slice, cell func(Column, omniscope.Score) string) {
	row, some := table.Row{t.paint(name, text.Faint), ""}, false
	for _, c := range t.columns {
		small := cell(c, s.Scores[c.Name])
		some = some || small != ""
		row = append(row, t.paint(small, text.Faint))
	}
	if some {
		w.AppendRow(row)
	}
}
