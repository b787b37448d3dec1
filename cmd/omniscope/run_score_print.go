package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"omniscope/internal/spreadsheet"
	"omniscope/report"
)

// print prints scores in the format that is asked for. Warnings go elsewhere where
// the format has no place for them.
func (o *scoreOptions) print(w, errOut io.Writer, s *scored) error {
	if o.Format != formatTable && o.Format != formatJSON {
		for _, warning := range s.warnings {
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
		err = s.document(o.PerSegment).write(out)
	case formatLines:
		err = s.lines(out, o.PerSegment)
	case formatTSV:
		err = s.tsv(out, o.PerSegment)
	case formatPython, formatPythonText:
		lines := s.m.python.lines(s, o.Format == formatPythonText, o.PerSegment)
		_, err = io.WriteString(out, strings.Join(lines, "\n")+"\n")
	default:
		width, color := terminal(w)
		err = s.text(out, report.TextOptions{Width: width, Color: color}, o.PerSegment)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// lines prints a line of JSON for each system or segment.
func (s *scored) lines(w io.Writer, perSegment bool) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	if !perSegment {
		for _, system := range s.systems {
			if err := out.Encode(s.systemDocument(system)); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range s.in.Len() {
		if err := out.Encode(s.segmentDocument(i)); err != nil {
			return err
		}
	}
	return nil
}

// tsv prints a table with tabs and a header: a line for each system, or for each
// segment.
func (s *scored) tsv(w io.Writer, perSegment bool) error {
	if perSegment {
		return s.segmentTSV(w)
	}
	header := []string{"system"}
	for _, sc := range s.m.scores {
		header = append(header, sc.name, sc.name+"_low", sc.name+"_high")
	}
	if err := writeTabbed(w, append(header, "segments", "signature")); err != nil {
		return err
	}
	for _, system := range s.systems {
		row := []string{system.name}
		for i, sc := range s.m.scores {
			value, ok := sc.value(system.sum)
			low, high := "", ""
			if iv := system.intervals[i]; iv.Known {
				low, high = shortest(iv.Low), shortest(iv.High)
			}
			row = append(row, orNothing(value, ok), low, high)
		}
		if err := writeTabbed(w, append(row, strconv.Itoa(s.in.Len()), s.signature)); err != nil {
			return err
		}
	}
	return nil
}

func (s *scored) segmentTSV(w io.Writer) error {
	columns, rows := s.segmentTable(func(_ scoreOf, value float64, ok bool, _ string) string { return orNothing(value, ok) })
	if err := writeTabbed(w, columns); err != nil {
		return err
	}
	for _, r := range rows {
		if err := writeTabbed(w, r); err != nil {
			return err
		}
	}
	return nil
}

func orNothing(value float64, ok bool) string {
	if !ok {
		return ""
	}
	return shortest(value)
}

// writeTabbed writes a line. Tabs and line ends in a cell, which only names can
// have, become blanks, and names that spreadsheets would take for formulas are
// marked as text.
func writeTabbed(w io.Writer, cells []string) error {
	clean := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
	for i, c := range cells {
		cells[i] = spreadsheet.Cell(clean.Replace(c))
	}
	_, err := io.WriteString(w, strings.Join(cells, "\t")+"\n")
	return err
}
