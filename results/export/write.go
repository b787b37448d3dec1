package export

import (
	"bufio"
	"context"
	"encoding/csv"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"omniscope/internal/jsonfast"
	"omniscope/internal/spreadsheet"
	"omniscope/results/tablefile"
)

// CSV writes the table with a line of names first. Texts that a spreadsheet would take
// for formulas are written as package spreadsheet does.
func (t *table) CSV(ctx context.Context, w io.Writer) error {
	out := csv.NewWriter(w)
	line := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		line[i] = c.Name
	}
	out.Write(line) // errors stay in the writer
	err := t.rows(ctx, func(row []cell) error {
		for i, c := range row {
			line[i] = c.text
			if t.Columns[i].Kind == text {
				line[i] = spreadsheet.Cell(c.text)
			}
		}
		return out.Write(line)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// JSONLines writes each row as a JSON object that has all columns, in their order. An
// empty cell is null. In a column of kind number each value has a point or an exponent,
// so that the kinds of columns can be told from their values.
func (t *table) JSONLines(ctx context.Context, w io.Writer) error {
	out := bufio.NewWriter(w)
	var line []byte
	err := t.rows(ctx, func(row []cell) error {
		line = append(line[:0], '{')
		for i, c := range row {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(jsonfast.Append(line, t.Columns[i].Name), ':')
			line = c.appendJSON(line, t.Columns[i].Kind)
		}
		_, err := out.Write(append(line, '}', '\n'))
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

func (c cell) appendJSON(b []byte, k columnKind) []byte {
	switch {
	case !c.there:
		return append(b, "null"...)
	case k == text || k == none:
		return jsonfast.Append(b, c.text)
	case k == number && !strings.ContainsAny(c.value.Raw, ".eE"):
		return append(append(b, c.value.Raw...), ".0"...)
	}
	return append(b, c.value.Raw...)
}

func (k columnKind) node() parquet.Node {
	switch k {
	case whole:
		return parquet.Int(64)
	case number:
		return parquet.Leaf(parquet.DoubleType)
	case truth:
		return parquet.Leaf(parquet.BooleanType)
	}
	return parquet.String()
}

// rowsOfGroup is how many rows are kept in memory before they are written.
const rowsOfGroup = 10_000

// Parquet writes the table as a Parquet file, packed with Zstandard.
func (t *table) Parquet(ctx context.Context, w io.Writer) error {
	group := tablefile.Columns{Group: parquet.Group{}}
	for _, c := range t.Columns {
		group.Group[c.Name] = parquet.Optional(c.Kind.node())
		group.Order = append(group.Order, c.Name)
	}
	out := parquet.NewWriter(w, parquet.NewSchema(t.Name, group), parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowsOfGroup))
	values := make(parquet.Row, len(t.Columns))
	err := t.rows(ctx, func(row []cell) error {
		for i, c := range row {
			if values[i] = parquet.NullValue().Level(0, 0, i); c.there {
				values[i] = c.parquet(t.Columns[i].Kind).Level(0, 1, i)
			}
		}
		_, err := out.WriteRows([]parquet.Row{values})
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

func (c cell) parquet(k columnKind) parquet.Value {
	switch k {
	case whole:
		return parquet.Int64Value(c.value.Int())
	case number:
		return parquet.DoubleValue(c.value.Float())
	case truth:
		return parquet.BooleanValue(c.value.Bool())
	}
	return parquet.ByteArrayValue([]byte(c.text))
}
