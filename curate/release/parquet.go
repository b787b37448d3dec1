package release

import (
	"context"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/tidwall/gjson"
)

// rowsOfGroup is how many rows are kept in memory before they are written.
const rowsOfGroup = 1000

// writeParquet writes items as a Parquet file, packed with Zstandard: numbers, truth values, texts, lists and named fields
// as such, and what is of several kinds as JSON.
func (s *set) writeParquet(ctx context.Context, w io.Writer, items []*item) (err error) {
	columns := newColumns(s.shape)
	out := parquet.NewWriter(w, parquet.NewSchema("rows", columns.node), parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(rowsOfGroup), parquet.KeyValueMetadata(schemaKey, s.shape.schemaValue()))
	var line []byte
	for _, it := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		if line, err = s.rows.AppendTo(line[:0], it.row); err != nil {
			return err
		}
		if _, err := out.WriteRows([]parquet.Row{columns.row(gjson.ParseBytes(line))}); err != nil {
			return err
		}
	}
	return out.Close()
}

// columns cut rows into the leaves of a schema, as in Melnik and others, Dremel, VLDB 2010, section 4.1.
type columns struct {
	shape  *shape
	node   parquet.Node
	count  int               // of leaves
	values [][]parquet.Value // of the row at hand, by leaf
}

func newColumns(s *shape) *columns {
	c := &columns{shape: s, node: groupNode(s), count: leaves(s)}
	c.values = make([][]parquet.Value, c.count)
	return c
}

// inOrder is a group whose fields stand in the order of the rows: the library sorts them by name.
type inOrder struct {
	parquet.Group
	order map[string]int
}

func (g inOrder) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return g.order[a.Name()] - g.order[b.Name()] })
	return fields
}

func groupNode(s *shape) parquet.Node {
	g := inOrder{parquet.Group{}, make(map[string]int)}
	for i, name := range s.names {
		g.Group[name], g.order[name] = parquet.Optional(s.fields[name].node()), i
	}
	return g
}

func (s *shape) node() parquet.Node {
	switch s.kind {
	case whole:
		return parquet.Int(64)
	case number:
		return parquet.Leaf(parquet.DoubleType)
	case truth:
		return parquet.Leaf(parquet.BooleanType)
	case listing:
		return parquet.List(parquet.Optional(s.of.node()))
	case group:
		return groupNode(s)
	}
	return parquet.String()
}

func leaves(s *shape) (n int) {
	switch s.kind {
	case listing:
		return leaves(s.of)
	case group:
		for _, f := range s.fields {
			n += leaves(f)
		}
		return n
	}
	return 1
}

// row cuts a row. It is valid until the next call.
func (c *columns) row(v gjson.Result) parquet.Row {
	for i := range c.values {
		c.values[i] = c.values[i][:0]
	}
	c.cutGroup(c.shape, v, place{})
	return slices.Concat(c.values...)
}

// A place is where a value belongs: its first leaf, how often lists around it repeat, and how many optional parts
// around it are there.
type place struct {
	leaf, lists       int // lists = how many lists are around it
	repeated, defined int
}

func (c *columns) cutGroup(s *shape, v gjson.Result, at place) {
	values := make(map[string]gjson.Result, len(s.names))
	v.ForEach(func(key, inner gjson.Result) bool {
		values[key.Str] = inner
		return true
	})
	for _, name := range s.names {
		c.cut(s.fields[name], values[name], at)
		at.leaf += leaves(s.fields[name])
	}
}

// cut cuts a value that may be missing.
func (c *columns) cut(s *shape, v gjson.Result, at place) {
	if v.Type == gjson.Null {
		c.absent(s, at)
		return
	}
	at.defined++
	switch s.kind {
	case group:
		c.cutGroup(s, v, at)
	case listing:
		c.cutList(s, v, at)
	default:
		c.values[at.leaf] = append(c.values[at.leaf], s.value(v).Level(at.repeated, at.defined, at.leaf))
	}
}

func (c *columns) cutList(s *shape, v gjson.Result, at place) {
	empty := true
	inner := at
	inner.lists, inner.defined = at.lists+1, at.defined+1
	v.ForEach(func(_, element gjson.Result) bool {
		c.cut(s.of, element, inner)
		inner.repeated, empty = inner.lists, false
		return true
	})
	if empty {
		c.absent(s, at)
	}
}

// absent notes in all leaves of a shape that nothing is there.
func (c *columns) absent(s *shape, at place) {
	for i := range leaves(s) {
		c.values[at.leaf+i] = append(c.values[at.leaf+i], parquet.NullValue().Level(at.repeated, at.defined, at.leaf+i))
	}
}

func (s *shape) value(v gjson.Result) parquet.Value {
	switch s.kind {
	case whole:
		return parquet.Int64Value(v.Int())
	case number:
		return parquet.DoubleValue(v.Float())
	case truth:
		return parquet.BooleanValue(v.Bool())
	case mixed:
		return parquet.ByteArrayValue([]byte(v.Raw))
	}
	return parquet.ByteArrayValue([]byte(v.String()))
}
