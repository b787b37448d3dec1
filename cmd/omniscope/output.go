package main

import (
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"omniscope/internal/visible"
	"omniscope/report"
)

// forPeople makes an output safe to read on a terminal, whatever names and texts
// of others are written to it. All commands get their outputs so.
func forPeople(w io.Writer) *visible.Writer {
	if _, color := terminal(w); color {
		return visible.NewWriter(w, report.ColorCodes()...)
	}
	return visible.NewWriter(w)
}

// documentOut is the standard output for what programs read, byte for byte.
func documentOut(cmd *cobra.Command) io.Writer { return unwrapped(cmd.OutOrStdout()) }

func unwrapped(w io.Writer) io.Writer {
	for {
		outer, ok := w.(interface{ Unwrap() io.Writer })
		if !ok {
			return w
		}
		w = outer.Unwrap()
	}
}

// A safeTable is a table whose cells are made visible before their widths are
// measured.
type safeTable struct{ table.Writer }

func (t safeTable) AppendRow(row table.Row, config ...table.RowConfig) {
	t.Writer.AppendRow(visibleCells(row), config...)
}

func visibleCells(row table.Row) table.Row {
	for i, cell := range row {
		if s, ok := cell.(string); ok {
			row[i] = visible.Text(s)
		}
	}
	return row
}

// printable is a name or text of others as it stands in a line.
func printable(s string) string { return visible.Line(s) }
