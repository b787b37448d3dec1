package parquetfile

import (
	"errors"
	"fmt"
	"strings"

	"omniscope/internal/jsonfast"
)

// Kinds of fields of a row.
const (
	leafField = iota
	groupField
	listField
	mapField
)

// A field is what becomes a value of JSON.
type field struct {
	key      []byte // its name and a colon; nil = it has none
	kind     int
	def      int      // from which definition level on it is there, and not null
	itemDef  int      // of lists and maps: from which on there is an item
	rep      int      // of lists and maps: the repetition level of a further item
	children []*field // of a group its fields, of a list its item, of a map key and value
	columns  []*column
}

// mostLevels is how deep fields may nest.
const mostLevels = 100

// A builder makes fields of the stored elements, which stand one behind the other, each before its children.
type builder struct {
	r        *reader
	elements []element
	at       int
	leaves   int
	columns  []*column // those that are read
	leftOut  []string  // paths of columns that hold bytes
}

// schema returns the row as a field.
func (b *builder) schema() (*field, error) {
	if len(b.elements) == 0 || b.elements[0].children <= 0 {
		return nil, errors.New("it has no columns")
	}
	root := &field{kind: groupField}
	b.at = 1
	if err := b.into(root, b.elements[0].children, nil, 0, 0); err != nil {
		return nil, err
	}
	if b.at != len(b.elements) {
		return nil, errors.New("its schema does not fit together: it is damaged")
	}
	return root, nil
}

// into adds n fields to a group.
func (b *builder) into(group *field, n int, path []string, def, rep int) error {
	names := make(map[string]bool)
	for range n {
		if b.at >= len(b.elements) {
			return errors.New("its schema breaks off: it is damaged")
		}
		name := b.elements[b.at].name
		if names[name] {
			return fmt.Errorf("it has the field %q twice", strings.Join(append(path, name), "."))
		}
		names[name] = true
		f, err := b.field(path, def, rep, true)
		if err != nil {
			return err
		}
		if f != nil {
			f.key = append(jsonfast.Append(nil, name), ':')
			group.add(f)
		}
	}
	return nil
}

func (f *field) add(child *field) {
	f.children = append(f.children, child)
	f.columns = append(f.columns, child.columns...)
}

// field makes a field of the next element; nil says that nothing of it is read. A repeated element is a list, unless the list
// around it is made already.
func (b *builder) field(path []string, def, rep int, lists bool) (*field, error) {
	e := b.elements[b.at]
	if path = append(path[:len(path):len(path)], e.name); len(path) > mostLevels {
		return nil, fmt.Errorf("its fields nest more than %d deep", mostLevels)
	}
	if e.repetition == repeated && lists {
		item, err := b.field(path[:len(path)-1], def+1, rep+1, false)
		if item == nil {
			return nil, err
		}
		return &field{kind: listField, def: def, itemDef: def + 1, rep: rep + 1, children: []*field{item}, columns: item.columns}, err
	}
	if e.repetition == optional {
		def++
	}
	b.at++
	if e.children <= 0 {
		return b.leaf(e, path, def, rep), nil
	}
	if inner, ok := b.repeatedChild(e); ok {
		switch e.logical.kind {
		case logicalList:
			return b.list(e, inner, path, def, rep)
		case logicalMap:
			if inner.children == 1 { // keys without values are a set
				return b.list(e, inner, path, def, rep)
			}
			return b.mapOf(inner, path, def, rep)
		}
	}
	f := &field{kind: groupField, def: def}
	if err := b.into(f, e.children, path, def, rep); err != nil || len(f.columns) == 0 {
		return nil, err
	}
	return f, nil
}

// repeatedChild is the only child of a group, if it is repeated.
func (b *builder) repeatedChild(e element) (element, bool) {
	if e.children != 1 || b.at >= len(b.elements) || b.elements[b.at].repetition != repeated {
		return element{}, false
	}
	return b.elements[b.at], true
}

// list makes a list. Writers wrap the item in a group of one field; older ones do not (LogicalTypes.md of parquet-format, "Lists").
func (b *builder) list(e, inner element, path []string, def, rep int) (*field, error) {
	wrapped := inner.children == 1 && inner.name != "array" && inner.name != e.name+"_tuple"
	var item *field
	var err error
	if wrapped {
		b.at++
		item, err = b.field(append(path, inner.name), def+1, rep+1, true)
	} else {
		item, err = b.field(path, def+1, rep+1, false)
	}
	if item == nil {
		return nil, err
	}
	return &field{kind: listField, def: def, itemDef: def + 1, rep: rep + 1, children: []*field{item}, columns: item.columns}, nil
}

// mapOf makes an object of a repeated group of keys and values.
func (b *builder) mapOf(inner element, path []string, def, rep int) (*field, error) {
	if b.at++; inner.children != 2 {
		return nil, fmt.Errorf("the map %s has no keys and values", strings.Join(path, "."))
	}
	m := &field{kind: mapField, def: def, itemDef: def + 1, rep: rep + 1}
	for range 2 {
		if b.at >= len(b.elements) {
			return nil, errors.New("its schema breaks off: it is damaged")
		}
		f, err := b.field(append(path, inner.name), def+1, rep+1, true)
		if err != nil {
			return nil, err
		}
		if f != nil {
			m.add(f)
		}
	}
	if len(m.children) < 2 || m.children[0].kind != leafField {
		return nil, nil // its keys or its values are bytes
	}
	return m, nil
}

// leaf makes a column, and leaves it out if it holds bytes.
func (b *builder) leaf(e element, path []string, def, rep int) *field {
	c := &column{name: strings.Join(path, "."), index: b.leaves, of: e, maxDef: def, maxRep: rep, r: b.r}
	b.leaves++
	if !isText(e) {
		b.leftOut = append(b.leftOut, c.name)
		return nil
	}
	b.columns = append(b.columns, c)
	return &field{kind: leafField, def: def, columns: []*column{c}}
}
