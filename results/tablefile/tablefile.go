// Package tablefile writes a table of results as CSV, as Parquet or as JSON Lines, for other programs.
//
// A table is for people: its numbers are rounded as they are to be read. A column that
// the table says holds numbers is one of numbers in Parquet if each of its cells is a
// number or none. Any other column holds texts.
package tablefile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/jsonfast"
	"omniscope/internal/spreadsheet"
)

// Forms are the forms that a table can be written in.
var Forms = []string{"csv", "parquet", "jsonl"}

// Write writes the table in one of the Forms.
func Write(w io.Writer, form string, t omniscope.Table) error {
	switch form {
	case "parquet":
		return Parquet(w, t)
	case "jsonl":
		return jsonLines(w, t)
	}
	return CSV(w, t)
}

// CSV writes a line of the columns' names and the rows. Cells of numbers lose what is for
// the eye only, and cells without a value are empty. Texts that a spreadsheet would take
// for formulas are written as package spreadsheet does.
func CSV(w io.Writer, t omniscope.Table) error {
	out := csv.NewWriter(w)
	out.Write(spreadsheet.Cells(t.Columns)) // errors stay in the writer
	numbers := numberColumns(t)
	for _, row := range t.Rows {
		line := make([]string, len(row))
		for i, cell := range row {
			if line[i] = spreadsheet.Cell(cell); slices.Contains(numbers, i) {
				line[i] = plain(cell)
			}
		}
		out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// Parquet writes the table as a Parquet file, packed with Zstandard. Columns of the same
// name get a number behind it: a Parquet file cannot hold two.
func Parquet(w io.Writer, t omniscope.Table) error {
	numbers, names := numberColumns(t), distinct(t.Columns)
	group := Columns{Group: parquet.Group{}, Order: names}
	for i, name := range names {
		node := parquet.String()
		if slices.Contains(numbers, i) {
			node = parquet.Leaf(parquet.DoubleType)
		}
		group.Group[name] = parquet.Optional(node)
	}
	out := parquet.NewWriter(w, parquet.NewSchema("table", group), parquet.Compression(&parquet.Zstd))
	for _, row := range t.Rows {
		values := make(parquet.Row, len(names))
		for i := range names {
			values[i] = parquet.NullValue().Level(0, 0, i)
			if i >= len(row) {
				continue
			}
			if v, ok := value(row[i], slices.Contains(numbers, i)); ok {
				values[i] = v.Level(0, 1, i)
			}
		}
		if _, err := out.WriteRows([]parquet.Row{values}); err != nil {
			return err
		}
	}
	return out.Close()
}

// jsonLines writes each row as a JSON object that has all columns, in their order, named as in Parquet. An empty cell is null. A
// number has a point or an exponent, so that the kinds of columns can be told from their values.
func jsonLines(w io.Writer, t omniscope.Table) error {
	numbers, names := numberColumns(t), distinct(t.Columns)
	out := bufio.NewWriter(w)
	for _, row := range t.Rows {
		line := []byte{'{'}
		for i, name := range names {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(jsonfast.Append(line, name), ':')
			if i < len(row) {
				line = appendJSON(line, row[i], slices.Contains(numbers, i))
			} else {
				line = append(line, "null"...)
			}
		}
		out.Write(append(line, '}', '\n')) // errors stay in the writer
	}
	return out.Flush()
}

func appendJSON(line []byte, cell string, number bool) []byte {
	v, ok := value(cell, number)
	switch {
	case !ok:
		return append(line, "null"...)
	case !number:
		return jsonfast.Append(line, cell)
	}
	start := len(line)
	line = strconv.AppendFloat(line, v.Double(), 'g', -1, 64)
	if !bytes.ContainsAny(line[start:], ".e") {
		line = append(line, ".0"...)
	}
	return line
}

// Columns is a group whose fields stand in the order of a table: the library sorts
// them by name.
type Columns struct {
	parquet.Group
	Order []string
}

// Fields are those of the group, in order.
func (g Columns) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(g.Order, a.Name()) - slices.Index(g.Order, b.Name())
	})
	return fields
}

// value is a cell as Parquet has it; ok is false for an empty one.
func value(cell string, number bool) (v parquet.Value, ok bool) {
	if !number {
		return parquet.ByteArrayValue([]byte(cell)), cell != ""
	}
	f, err := strconv.ParseFloat(plain(cell), 64)
	return parquet.DoubleValue(f), err == nil
}

// numberColumns are the columns of numbers whose cells all are numbers or none.
func numberColumns(t omniscope.Table) (columns []int) {
	for _, i := range t.Numbers {
		isText := func(row []string) bool {
			if i >= len(row) || plain(row[i]) == "" {
				return false
			}
			_, err := strconv.ParseFloat(plain(row[i]), 64)
			return err != nil
		}
		if !slices.ContainsFunc(t.Rows, isText) {
			columns = append(columns, i)
		}
	}
	return columns
}

// plain is a number without what is for the eye, and "" for what stands where there is
// none.
func plain(cell string) string {
	cell = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(cell), "+"), ",", "")
	if cell == "–" || cell == "-" || cell == string(document.NoScore) {
		return ""
	}
	return cell
}

// distinct gives names that are there more than once a number.
func distinct(names []string) []string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		one := name
		for n := 2; slices.Contains(out, one); n++ {
			one = name + " " + strconv.Itoa(n)
		}
		out = append(out, one)
	}
	return out
}
