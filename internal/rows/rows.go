// Package rows reads the rows of files that a user names: lines of text, JSON Lines, JSON
// lists, tables and Parquet, in their order or again by number.
//
// A row that is too long, rows without an end and bytes that are not what they should be are
// errors that name the file and the line. Blank lines are left out of rows. A byte order mark
// before the first row and a carriage return before the end of a line are left out too, and
// the last line needs no end.
//
// Package input opens the files and unpacks them. What a row means is the caller's concern.
package rows

import (
	"bytes"

	"omniscope"
	"omniscope/internal/input"
)

// A rowForm is how rows are written in a file.
type rowForm uint8

const (
	byLine    rowForm = iota // JSON Lines
	inList                   // one JSON list of all rows
	comma                    // a table with a header and fields separated by commas (CSV)
	Tab                      // a table with a header and fields separated by tabs, each on one line (TSV)
	QuotedTab                // the same, with fields quoted as in CSV, as pandas writes them
	columns                  // Parquet
)

// FormOf returns the form of a file's rows: columns by its first bytes, a table by the ending
// of its name, and the others by how its text begins.
func FormOf(f *input.File) (rowForm, error) {
	if f.Replaced() {
		return byLine, nil
	}
	if f.IsParquet() {
		return columns, nil
	}
	switch input.Ext(f.Path) {
	case ".csv":
		return comma, nil
	case ".tsv", ".tab":
		return Tab, nil
	}
	return JSONFormOf(f)
}

// JSONFormOf is FormOf for a file that is not a table, for any file name.
func JSONFormOf(f *input.File) (rowForm, error) {
	if f.IsParquet() {
		return columns, nil
	}
	start, err := f.Start()
	if err != nil {
		return 0, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(start), []byte("[")) {
		return inList, nil
	}
	return byLine, nil
}

// Each calls do for each row of a form with its line, from 1, and its text, which is valid
// until do returns. Of Parquet the line is the number of the row. Rows of tables come as JSON
// objects of strings.
func Each(f *input.File, form rowForm, do func(line int, text []byte) error) error {
	limits, rows := f.Limits(), 0
	limited := func(line int, text []byte) error {
		if rows++; rows > limits.Rows {
			return limits.TooManyRows(f.Path, "rows")
		}
		return do(line, text)
	}
	if form == columns {
		return eachInParquet(f, limited)
	}
	from, err := f.Reader()
	if err != nil {
		return err
	}
	switch form {
	case inList:
		return eachInList(f, from, limited)
	case comma:
		return eachInTable(f, from, ',', limited)
	case QuotedTab:
		return eachInTable(f, from, '\t', limited)
	case Tab:
		return eachInTSV(f, from, limited)
	}
	return newReader(f, from).Each(func(line int, text []byte) error {
		if isBlank(text) {
			return nil
		}
		if tooManyValues(text, limits) {
			return limits.TooManyValues(f.Path, line)
		}
		return limited(line, text)
	})
}

// EachLine calls do for each line of a text, without its end. The text is valid until do
// returns. There may be as many lines as there may be rows.
func EachLine(f *input.File, do func(line int, text []byte) error) error {
	from, err := f.Reader()
	if err != nil {
		return err
	}
	limits := f.Limits()
	return newReader(f, from).Each(func(line int, text []byte) error {
		if line > limits.Rows {
			return limits.TooManyRows(f.Path, "lines")
		}
		return do(line, text)
	})
}

// EachText is EachLine for a text that must be UTF-8.
func EachText(f *input.File, do func(line int, text string) error) error {
	return EachLine(f, func(line int, text []byte) error {
		s := string(text)
		if err := CheckUTF8(s); err != nil {
			return BadLine(f.Path, line, err)
		}
		return do(line, s)
	})
}

// BadLine is the error for a line of a file.
func BadLine(path string, line int, err error) error {
	return omniscope.Invalidf("%s:%d: %w", path, line, err)
}

// Quote shortens offending text to what fits a line of a terminal.
func Quote(text []byte) string {
	const most = 120
	text = bytes.TrimSpace(text)
	if len(text) > most {
		return string(bytes.ToValidUTF8(text[:most], nil)) + "…"
	}
	return string(text)
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// Values counts the commas and brackets of a JSON text, which are at least as many as it has
// values.
func Values(text []byte) int {
	return bytes.Count(text, []byte(",")) + bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{"))
}

func tooManyValues(text []byte, limits input.Limits) bool {
	return len(text) > limits.Values() && Values(text) > limits.Values()
}
