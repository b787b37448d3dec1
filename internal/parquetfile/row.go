package parquetfile

import (
	"errors"
	"fmt"
	"strings"

	"omniscope/internal/jsonfast"
)

func join(names []string) string { return strings.Join(names, ", ") }

// appendRow makes the next row of the values that the columns hold next (the record assembly of Dremel, VLDB 2010, section 4.3).
func (r *reader) appendRow(root *field) error {
	for _, c := range root.columns {
		l, ok, err := c.peek()
		if err != nil {
			return err
		}
		if !ok || l.rep != 0 {
			return fmt.Errorf("column %s ends before the row group does, or does not fit the others", c.name)
		}
	}
	return r.append(root)
}

// append appends a field, of which each column was peeked at.
func (r *reader) append(f *field) error {
	if r.values++; r.values > r.limits.Values {
		return errMany
	}
	if len(r.row) > r.limits.Row {
		return errLong
	}
	if f.kind == leafField {
		return r.appendLeaf(f)
	}
	switch def := f.columns[0].now.def; {
	case def < f.def:
		return r.appendNone(f, f.def, "null")
	case f.kind == listField && def < f.itemDef:
		return r.appendNone(f, f.itemDef, "[]")
	case f.kind == mapField && def < f.itemDef:
		return r.appendNone(f, f.itemDef, "{}")
	case f.kind == groupField:
		return r.appendGroup(f)
	}
	return r.appendItems(f)
}

func (r *reader) appendLeaf(f *field) error {
	c := f.columns[0]
	v, there, err := c.take()
	switch {
	case err != nil:
		return err
	case !there:
		r.row = append(r.row, "null"...)
		return nil
	case len(v) > r.limits.Row:
		return errLong
	}
	if r.row, err = appendValue(r.row, c.of, v); err != nil {
		return c.damaged(err)
	}
	return nil
}

// appendNone takes a value of each column of a field that has none.
func (r *reader) appendNone(f *field, def int, text string) error {
	for _, c := range f.columns {
		if c.now.def >= def {
			return errApart
		}
		if _, _, err := c.take(); err != nil {
			return err
		}
	}
	r.row = append(r.row, text...)
	return nil
}

var errApart = errors.New("the columns of a field do not fit together")

func (r *reader) appendGroup(f *field) error {
	r.row = append(r.row, '{')
	for i, child := range f.children {
		if i > 0 {
			r.row = append(r.row, ',')
		}
		r.row = append(r.row, child.key...)
		if err := r.append(child); err != nil {
			return err
		}
	}
	r.row = append(r.row, '}')
	return nil
}

func (r *reader) appendItems(f *field) error {
	open, end := byte('['), byte(']')
	if f.kind == mapField {
		open, end = '{', '}'
	}
	r.row = append(r.row, open)
	for first := true; ; first = false {
		if !first {
			r.row = append(r.row, ',')
		}
		if err := r.appendItem(f); err != nil {
			return err
		}
		more, err := f.more()
		if err != nil {
			return err
		}
		if !more {
			r.row = append(r.row, end)
			return nil
		}
	}
}

// appendItem appends an item of a list, or key and value of a map. Keys are text in JSON.
func (r *reader) appendItem(f *field) error {
	if f.kind == listField {
		return r.append(f.children[0])
	}
	start := len(r.row)
	if err := r.append(f.children[0]); err != nil {
		return err
	}
	if key := r.row[start:]; len(key) > 0 && key[0] != '"' {
		r.row = jsonfast.Append(r.row[:start], string(key))
	}
	r.row = append(r.row, ':')
	return r.append(f.children[1])
}

// more reports whether a further item follows, in which all columns have to agree.
func (f *field) more() (bool, error) {
	rep := 0
	for i, c := range f.columns {
		l, ok, err := c.peek()
		if err != nil {
			return false, err
		}
		if !ok {
			l.rep = 0
		}
		if i > 0 && l.rep != rep {
			return false, errApart
		}
		rep = l.rep
	}
	if rep > f.rep {
		return false, errApart
	}
	return rep == f.rep, nil
}
