package input

import (
	"bytes"
	"errors"
	"io"
)

// A RowForm is how rows stand in a file.
type RowForm uint8

const (
	ByLine  RowForm = iota // JSON Lines
	InList                 // one JSON list of all rows
	Comma                  // a table with a header, fields separated by commas (CSV)
	Tab                    // by tabs (TSV)
	Columns                // Parquet
)

// RowForm is the form of the file's rows: by how it begins if that shows Parquet,
// by the ending of its name if it is a table, else by how its text begins.
func (f *File) RowForm() (RowForm, error) {
	if f.replaced != nil {
		return ByLine, nil
	}
	if f.columns() {
		return Columns, nil
	}
	switch Ext(f.Path) {
	case ".csv":
		return Comma, nil
	case ".tsv", ".tab":
		return Tab, nil
	}
	return f.JSONForm()
}

// JSONForm is the form of rows that are JSON, by how the text begins.
func (f *File) JSONForm() (RowForm, error) {
	start := f.head
	if f.columns() {
		return Columns, nil
	}
	if !f.Plain() {
		r, err := f.Reader()
		if err != nil {
			return 0, err
		}
		start = make([]byte, headSize)
		n, err := io.ReadFull(r, start)
		if start = start[:n]; err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
		if err := f.recognise(start); err != nil {
			return 0, err
		}
	}
	start = bytes.TrimSpace(bytes.TrimPrefix(start, byteOrderMark))
	if bytes.HasPrefix(start, []byte("[")) {
		return InList, nil
	}
	return ByLine, nil
}

// EachRow calls do for each row of a form: its line (of Parquet its number), from 1,
// and its text, which is valid until do returns. Rows of tables come as JSON objects
// of strings. A row without any text is left out.
func (f *File) EachRow(form RowForm, do func(line int, text []byte) error) error {
	rows := 0
	limited := func(line int, text []byte) error {
		if rows++; rows > f.limits.Rows {
			return f.limits.TooManyRows(f.Path, "rows")
		}
		return do(line, text)
	}
	if form == Columns {
		return f.eachInParquet(limited)
	}
	r, err := f.Reader()
	if err != nil {
		return err
	}
	switch form {
	case InList:
		return f.eachInList(r, limited)
	case Comma:
		return f.eachInCSV(r, limited)
	case Tab:
		return f.eachInTSV(r, limited)
	}
	return f.eachLine(r, func(line int, text []byte) error {
		if len(bytes.TrimSpace(text)) == 0 {
			return nil
		}
		if len(text) > f.limits.Values() && Values(text) > f.limits.Values() {
			return f.limits.TooManyValues(f.Path, line)
		}
		return limited(line, text)
	})
}

// EachLine calls do for each line of a text, without its end. The text is valid
// until do returns. There may be as many as there may be rows.
func (f *File) EachLine(do func(line int, text []byte) error) error {
	r, err := f.Reader()
	if err != nil {
		return err
	}
	return f.eachLine(r, func(line int, text []byte) error {
		if line > f.limits.Rows {
			return f.limits.TooManyRows(f.Path, "lines")
		}
		return do(line, text)
	})
}

func (f *File) eachLine(from io.Reader, do func(line int, text []byte) error) error {
	lines := NewLines(from, 256<<10, f.Path, f.limits)
	for line := 1; ; line++ {
		text, err := lines.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if text != nil {
			if err := do(line, text); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// Values counts the commas and brackets of a JSON text, which are at least as
// many as it has values.
func Values(text []byte) int {
	return bytes.Count(text, []byte(",")) + bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{"))
}
