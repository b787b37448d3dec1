package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"omniscope/report"
	"omniscope/score"
)

// print prints scores in the format that is asked for. Warnings go elsewhere where
// the format has no place for them.
func (o *scoreOptions) print(w, errOut io.Writer, s *score.Scored) error {
	if o.Format != formatTable && o.Format != formatJSON {
		for _, warning := range s.Warnings {
			fmt.Fprintln(errOut, "warning:", warning)
		}
	}
	if o.Format != formatTable {
		w = unwrapped(w)
	}
	out := bufio.NewWriter(w)
	var err error
	switch o.Format {
	case formatJSON:
		err = s.Document(o.PerSegment).Write(out)
	case formatLines:
		err = s.Lines(out, o.PerSegment)
	case formatTSV:
		err = s.TSV(out, o.PerSegment)
	case formatPython, formatPythonText:
		lines := s.Measure.Python.Lines(s, o.Format == formatPythonText, o.PerSegment)
		_, err = io.WriteString(out, strings.Join(lines, "\n")+"\n")
	default:
		width, color := terminal(w)
		err = printScores(out, s, report.TextOptions{Width: width, Color: color}, o.PerSegment)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// printScores prints tables for people.
func printScores(w io.Writer, s *score.Scored, o report.TextOptions, perSegment bool) error {
	c := report.Comparison{Title: s.Title(), Tables: s.Tables(), Warnings: s.Warnings}
	if err := c.Text(w, o); err != nil || !perSegment {
		return err
	}
	if _, err := fmt.Fprintf(w, "\nSegments\n"); err != nil {
		return err
	}
	columns, rows := s.Segments()
	t := newTable(w, cellsOf(columns)...)
	for _, r := range rows {
		t.AppendRow(cellsOf(r))
	}
	t.Render()
	if s.SegmentSignature != s.Signature {
		_, err := fmt.Fprintln(w, s.SegmentSignature)
		return err
	}
	return nil
}

func cellsOf(cells []string) table.Row {
	row := make(table.Row, len(cells))
	for i, c := range cells {
		row[i] = c
	}
	return row
}
