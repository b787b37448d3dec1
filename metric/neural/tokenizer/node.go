package tokenizer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// A document is a JSON file that is being read. It keeps the first thing that is
// wrong, so that one look at the end is enough.
type document struct {
	file string
	err  error

	// What metaspace's "first" depends on: which step blurs where a text starts,
	// and whether "first" is asked for.
	blurs string
	first bool
}

// A node is a value of a document, and the way to it. It may not exist.
type node struct {
	doc   *document
	path  string
	value gjson.Result
}

// refuse says that the node's value cannot be.
func (n node) refuse(format string, args ...any) {
	if n.doc.err != nil {
		return
	}
	path := n.path
	if path == "" {
		path = "the file"
	}
	n.doc.err = invalid(n.doc.file, "%s: %s", path, fmt.Sprintf(format, args...))
}

// refuseValue quotes the value and says what was wanted.
func (n node) refuseValue(want string) {
	if !n.value.Exists() {
		n.refuse("it is missing; want %s", want)
		return
	}
	const long = 60
	raw := n.value.Raw
	if len(raw) > long {
		raw = fmt.Sprintf("%.*s...", long, raw)
	}
	n.refuse("it is %s; want %s", raw, want)
}

// A record is an object whose keys are all known.
type record struct {
	node
	members map[string]gjson.Result
}

// record reads an object and refuses keys other than these, and repeats.
func (n node) record(known ...string) record {
	r := record{n, map[string]gjson.Result{}}
	n.eachMember(func(key string, value node) {
		if _, twice := r.members[key]; twice {
			value.refuse("it is there twice")
		}
		if !slices.Contains(known, key) {
			value.refuseValue("no such key, for it is not known what it does")
		}
		r.members[key] = value.value
	})
	return r
}

func (r record) at(key string) node { return r.node.child(key, r.members[key]) }

// has reports whether a key is there and not null.
func (r record) has(key string) bool {
	v := r.members[key]
	return v.Exists() && v.Type != gjson.Null
}

func (n node) child(key string, value gjson.Result) node {
	if n.path != "" {
		key = n.path + "." + key
	}
	return node{n.doc, key, value}
}

// eachMember goes through an object in its order.
func (n node) eachMember(see func(key string, value node)) {
	if !n.value.IsObject() {
		n.refuseValue("an object")
		return
	}
	n.value.ForEach(func(key, value gjson.Result) bool {
		see(key.Str, n.child(key.Str, value))
		return n.doc.err == nil
	})
}

// eachItem goes through a list in its order.
func (n node) eachItem(see func(i int, item node)) {
	if !n.value.IsArray() {
		n.refuseValue("a list")
		return
	}
	i := 0
	n.value.ForEach(func(_, value gjson.Result) bool {
		see(i, node{n.doc, n.path + "[" + strconv.Itoa(i) + "]", value})
		i++
		return n.doc.err == nil
	})
}

// text reads a string. It is a copy, which does not keep the file in memory.
func (n node) text() string {
	if n.value.Type != gjson.String {
		n.refuseValue("a text")
	}
	return strings.Clone(n.value.Str)
}

// oneOf reads one of some strings.
func (n node) oneOf(want ...string) string {
	if i := slices.Index(want, n.value.Str); i >= 0 && n.value.Type == gjson.String {
		return want[i]
	}
	n.refuseValue(oneOf(want))
	return ""
}

func oneOf(names []string) string {
	list := ""
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			list += " or "
		default:
			list += ", "
		}
		list += strconv.Quote(name)
	}
	return list
}

// flag reads true or false.
func (n node) flag() bool {
	if n.value.Type != gjson.True && n.value.Type != gjson.False {
		n.refuseValue("true or false")
	}
	return n.value.Type == gjson.True
}

// maxID bounds ids: tables of embeddings with more rows do not exist.
const maxID = 1<<28 - 1

// id reads the id of a token.
func (n node) id() int32 {
	id, err := strconv.ParseUint(n.value.Raw, 10, 32)
	if err != nil || id > maxID {
		n.refuseValue("the id of a token, a whole number")
		return 0
	}
	return int32(id)
}
