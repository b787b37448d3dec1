package visible

import (
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// A safeTable makes cells visible before their widths are measured.
type safeTable struct{ table.Writer }

// NewTable makes a table with lines between its columns. Cells that are texts are
// made visible.
func NewTable(out io.Writer, header ...any) table.Writer {
	t := table.NewWriter()
	t.SetOutputMirror(out)
	t.SetStyle(table.StyleLight)
	t.Style().Options.DrawBorder = false
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(visibleCells(header))
	return safeTable{t}
}

func (t safeTable) AppendRow(row table.Row, config ...table.RowConfig) {
	t.Writer.AppendRow(visibleCells(row), config...)
}

func visibleCells(row table.Row) table.Row {
	for i, cell := range row {
		if s, ok := cell.(string); ok {
			row[i] = Text(s)
		}
	}
	return row
}

// Cells are texts as a row of a table.
func Cells(texts []string) table.Row {
	row := make(table.Row, len(texts))
	for i, s := range texts {
		row[i] = s
	}
	return row
}
