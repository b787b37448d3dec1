package rows

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/jsonfast"
)

// EachRecord calls do for each record of a table with commas, as RFC 4180 has it, the header
// among them. Lines that begin with comment are left out; 0 leaves out no lines.
func EachRecord(f *input.File, comment rune, do func(line int, record []string) error) error {
	from, err := f.Reader()
	if err != nil {
		return err
	}
	return eachRecord(f, from, ',', comment, do)
}

// eachInTable reads a table with fields quoted as in CSV, so that they may have several
// lines.
func eachInTable(f *input.File, from io.Reader, separator rune, do func(line int, text []byte) error) error {
	t := &table{path: f.Path, do: do}
	if err := eachRecord(f, from, separator, 0, t.row); err != nil {
		return err
	}
	return t.end()
}

func eachRecord(f *input.File, from io.Reader, comma, comment rune, do func(line int, record []string) error) error {
	row := &rowReader{path: f.Path, limits: f.Limits(), from: from, comma: []byte(string(comma))}
	r := csv.NewReader(row)
	r.FieldsPerRecord, r.Comma, r.Comment = -1, comma, comment
	for rows := 1; ; rows++ {
		record, err := r.Read()
		switch wrong, ok := errors.AsType[*csv.ParseError](err); {
		case errors.Is(err, io.EOF):
			return nil
		case row.err != nil:
			return row.err
		case ok:
			return omniscope.Invalidf("%s:%d: %w", f.Path, wrong.StartLine, wrong.Err)
		case err != nil:
			return err
		}
		line, _ := r.FieldPos(0)
		row.begin(line)
		if rows > row.limits.Rows {
			return row.limits.TooManyRows(f.Path, "rows")
		}
		if err := do(line, record); err != nil {
			return err
		}
	}
}

// eachInTSV reads a table with tabs. A field between quotation marks is read as
// in CSV; other marks stand for themselves.
func eachInTSV(f *input.File, from io.Reader, do func(line int, text []byte) error) error {
	t, limits := &table{path: f.Path, do: do}, f.Limits()
	err := newReader(f, from).Each(func(line int, text []byte) error {
		if len(text) == 0 {
			return nil
		}
		if bytes.Count(text, []byte("\t")) > limits.Values() {
			return limits.TooManyValues(f.Path, line)
		}
		cells := strings.Split(string(text), "\t")
		for i, cell := range cells {
			var ok bool
			if cells[i], ok = unquoted(cell); !ok {
				return omniscope.Invalidf("%s:%d: field %d begins with a quotation mark and does not end in one: fields of several lines are read from .csv files only", f.Path, line, i+1)
			}
		}
		return t.row(line, cells)
	})
	if err != nil {
		return err
	}
	return t.end()
}

// unquoted takes the quotation marks off a field that is between them.
func unquoted(cell string) (string, bool) {
	if !strings.HasPrefix(cell, `"`) {
		return cell, true
	}
	inner, ends := strings.CutSuffix(cell[1:], `"`)
	single := strings.Contains(strings.ReplaceAll(inner, `""`, ""), `"`)
	switch {
	case ends && !single:
		return strings.ReplaceAll(inner, `""`, `"`), true
	case !ends && !strings.Contains(cell[1:], `"`):
		return cell, false
	}
	return cell, true // marks around words, not around the field
}

// A table makes JSON objects of rows of fields.
type table struct {
	path   string
	do     func(line int, text []byte) error
	header []string
	text   []byte
}

func (t *table) row(line int, cells []string) error {
	switch {
	case t.header == nil:
		t.header = slices.Clone(cells)
		if err := t.checkSeparator(line); err != nil {
			return err
		}
		for i, name := range t.header {
			if slices.Contains(t.header[:min(i, 1000)], name) {
				return omniscope.Invalidf("%s:%d: the header has the field %q twice", t.path, line, name)
			}
		}
		return nil
	case len(cells) != len(t.header):
		return omniscope.Invalidf("%s:%d: the row has %d fields and the header %d", t.path, line, len(cells), len(t.header))
	}
	t.text = append(t.text[:0], '{')
	for i, cell := range cells {
		if i > 0 {
			t.text = append(t.text, ',')
		}
		t.text = append(jsonfast.Append(t.text, t.header[i]), ':')
		t.text = jsonfast.Append(t.text, cell)
	}
	t.text = append(t.text, '}')
	return t.do(line, t.text)
}

// checkSeparator returns an error where the header is separated by something else
// than the table's name says.
func (t *table) checkSeparator(line int) error {
	if len(t.header) > 1 {
		return nil
	}
	switch name := t.header[0]; {
	case strings.Contains(name, ";"):
		return omniscope.Invalidf("%s:%d: the fields of the header are separated by semicolons: save the table with commas, or with tabs as .tsv", t.path, line)
	case strings.Contains(name, "\t"):
		return omniscope.Invalidf("%s:%d: the fields of the header are separated by tabs: save the table with commas, or name the file .tsv", t.path, line)
	}
	return nil
}

func (t *table) end() error {
	if t.header == nil {
		return omniscope.Invalidf("%s is empty: a table begins with a line that names its fields", t.path)
	}
	return nil
}

// A rowReader bounds how much is read for one row: a quotation mark that is
// never closed would take in all that follows.
type rowReader struct {
	path   string
	limits input.Limits
	from   io.Reader
	comma  []byte
	line   int
	length int64
	commas int
	err    error
}

// begin starts the next row, which may have been read ahead in part.
func (r *rowReader) begin(line int) { r.line, r.length, r.commas = line, 0, 0 }

func (r *rowReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.length += int64(n)
	r.commas += bytes.Count(p[:n], r.comma)
	switch {
	case r.length > int64(r.limits.Row)+int64(len(p)):
		r.err = r.limits.TooLongRow(r.path, r.line+1)
	case r.commas > r.limits.Values()+len(p):
		r.err = r.limits.TooManyValues(r.path, r.line+1)
	case err != nil && !errors.Is(err, io.EOF):
		r.err = err
	}
	if r.err != nil {
		return n, fmt.Errorf("read a row: %w", r.err)
	}
	return n, err
}
