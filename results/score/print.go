package score

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"omniscope/internal/rows"
	"omniscope/internal/spreadsheet"
	"omniscope/metric"
)

// Formats of scores for programs.
const (
	FormatJSON       = "json"
	FormatLines      = "jsonl"
	FormatTSV        = "tsv"
	FormatPython     = "python" // what the published program prints
	FormatPythonText = "python-text"
)

// Write writes scores in a format for programs.
func (s *Scored) Write(w io.Writer, format string, perSegment bool) error {
	switch format {
	case FormatJSON:
		return s.Document(perSegment).Write(w)
	case FormatLines:
		return s.lines(w, perSegment)
	case FormatTSV:
		return s.tsv(w, perSegment)
	}
	lines := s.Measure.Python.Lines(s, format == FormatPythonText, perSegment)
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}

// lines prints a line of JSON for each system or segment.
func (s *Scored) lines(w io.Writer, perSegment bool) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	if !perSegment {
		for _, system := range s.Systems {
			if err := out.Encode(s.systemDocument(system)); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range s.Input.Len() {
		if err := out.Encode(s.segmentDocument(i)); err != nil {
			return err
		}
	}
	return nil
}

// tsv prints a table with tabs and a header: a line for each system, or for each
// segment.
func (s *Scored) tsv(w io.Writer, perSegment bool) error {
	if perSegment {
		return s.segmentTSV(w)
	}
	header := []string{"system"}
	for _, sc := range s.Measure.Scores {
		header = append(header, sc.Name, sc.Name+"_low", sc.Name+"_high")
	}
	if err := writeTabbed(w, append(header, "segments", "signature")); err != nil {
		return err
	}
	for _, system := range s.Systems {
		row := []string{system.Name}
		for i, sc := range s.Measure.Scores {
			value, ok := sc.Value(system.Sum)
			low, high := "", ""
			if iv := system.intervals[i]; iv.Known {
				low, high = rows.Shortest(iv.Low), rows.Shortest(iv.High)
			}
			row = append(row, orNothing(value, ok), low, high)
		}
		if err := writeTabbed(w, append(row, strconv.Itoa(s.segments), s.Signature)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scored) segmentTSV(w io.Writer) error {
	columns, rows := s.segmentTable(func(_ metric.Score, value float64, ok bool, _ string) string { return orNothing(value, ok) })
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
	return rows.Shortest(value)
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
