package export

import (
	"context"
	"encoding/csv"
	"io"

	"github.com/parquet-go/parquet-go"

	"omniscope/internal/spreadsheet"
	"omniscope/internal/tablefile"
)

// CSV writes the table with a line of names first. Texts that a spreadsheet would take
// for formulas are written as package spreadsheet does.
func (t *Table) CSV(ctx context.Context, w io.Writer) error {
	out := csv.NewWriter(w)
	line := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		line[i] = c.Name
	}
	out.Write(line) // errors stay in the writer
	err := t.rows(ctx, func(row []cell) error {
		for i, c := range row {
			line[i] = c.text
			if t.Columns[i].Kind == Text {
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

func (k Kind) node() parquet.Node {
	switch k {
	case Whole:
		return parquet.Int(64)
	case Number:
		return parquet.Leaf(parquet.DoubleType)
	case Truth:
		return parquet.Leaf(parquet.BooleanType)
	}
	return parquet.String()
}

// rowsOfGroup is how many rows are kept in memory before they are written.
const rowsOfGroup = 10_000

// Parquet writes the table as a Parquet file, packed with Zstandard.
func (t *Table) Parquet(ctx context.Context, w io.Writer) error {
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

func (c cell) parquet(k Kind) parquet.Value {
	switch k {
	case Whole:
		return parquet.Int64Value(c.value.Int())
	case Number:
		return parquet.DoubleValue(c.value.Float())
	case Truth:
		return parquet.BooleanValue(c.value.Bool())
	}
	return parquet.ByteArrayValue([]byte(c.text))
}
