package release

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"omniscope"
)

// A kind is what a column, or a field inside of one, holds. Any value may be missing.
type kind int

const (
	none   kind = iota // nothing but null
	whole              // 64-bit integers
	number             // 64-bit floating point
	truth
	textual
	listing // of values of one shape
	group   // named fields
	mixed   // values of several kinds: their JSON
)

// A shape is what the values of a column have in common.
type shape struct {
	kind   kind
	large  bool // whole numbers that floating point does not hold
	names  []string
	fields map[string]*shape // of a group
	of     *shape            // of a listing
}

// Objects with more names hold data in the names, and stay JSON; so does what is deeper.
const (
	mostFields  = 200
	mostColumns = 1000
	deepest     = 8
)

// add makes the shape hold one more value. A name that is there twice could mean either value, and is refused.
func (s *shape) add(v gjson.Result, depth int) error {
	k := kindOf(v)
	if depth > deepest && (k == listing || k == group) {
		k = mixed
	}
	switch {
	case k == none:
		return nil
	case s.kind == none:
		s.kind = k
	case s.kind != k:
		s.kind = bothKinds(s.kind, k)
	}
	if k == whole && math.Abs(v.Num) > 1<<53 {
		s.large = true
	}
	switch k {
	case listing:
		return s.addList(v, depth)
	case group:
		return s.addGroup(v, depth)
	}
	return nil
}

func bothKinds(a, b kind) kind {
	if a <= number && b <= number {
		return number
	}
	return mixed
}

func kindOf(v gjson.Result) kind {
	switch {
	case v.IsObject():
		return group
	case v.IsArray():
		return listing
	case v.Type == gjson.String:
		return textual
	case v.Type == gjson.True || v.Type == gjson.False:
		return truth
	case v.Type != gjson.Number:
		return none
	}
	if _, err := strconv.ParseInt(v.Raw, 10, 64); err == nil {
		return whole
	}
	if _, err := strconv.ParseFloat(v.Raw, 64); err != nil { // too large
		return mixed
	}
	return number
}

func (s *shape) addList(v gjson.Result, depth int) (err error) {
	if s.of == nil {
		s.of = &shape{}
	}
	v.ForEach(func(_, inner gjson.Result) bool {
		err = s.of.add(inner, depth+1)
		return err == nil
	})
	return err
}

func (s *shape) addGroup(v gjson.Result, depth int) (err error) {
	if s.fields == nil {
		s.fields = make(map[string]*shape)
	}
	seen := make(map[string]bool)
	v.ForEach(func(key, inner gjson.Result) bool {
		if seen[key.Str] {
			err = fmt.Errorf("the field %q is there twice", key.Str)
			return false
		}
		seen[key.Str] = true
		f := s.fields[key.Str]
		if f == nil {
			f = &shape{}
			s.fields[key.Str] = f
			s.names = append(s.names, key.Str)
		}
		if len(s.names) <= mostColumns { // beyond, nothing is kept but their number
			err = f.add(inner, depth+1)
		}
		return err == nil
	})
	return err
}

// finish makes of every shape one that Parquet has.
func (s *shape) finish() {
	switch {
	case s.kind == none:
		s.kind = textual
	case s.kind == number && s.large:
		s.kind = mixed
	case s.kind == listing:
		s.of.finish()
	}
	if s.kind == group && (len(s.names) == 0 || len(s.names) > mostFields || slices.Contains(s.names, "")) {
		s.kind = mixed
	}
	if s.kind == group {
		for _, f := range s.fields {
			f.finish()
		}
	}
}

// finishRow is finish for a whole row, whose fields are columns.
func (s *shape) finishRow() error {
	if n := len(s.names); n > mostColumns {
		return omniscope.Invalidf("the rows have more than %d different fields: a table cannot hold them", mostColumns)
	}
	if slices.Contains(s.names, "") {
		return omniscope.Invalidf("the rows have a field without a name: a table cannot hold it")
	}
	for _, f := range s.fields {
		f.finish()
	}
	return nil
}

// jsonColumns are the columns that hold JSON, or have fields that do.
func (s *shape) jsonColumns() (names []string) {
	for _, name := range s.names {
		if s.fields[name].holdsJSON() {
			names = append(names, name)
		}
	}
	return names
}

func (s *shape) holdsJSON() bool {
	switch s.kind {
	case mixed:
		return true
	case listing:
		return s.of.holdsJSON()
	case group:
		return slices.ContainsFunc(s.names, func(name string) bool { return s.fields[name].holdsJSON() })
	}
	return false
}
