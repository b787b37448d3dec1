package mcifxml

import "slices"

// A node is an element with its text: the characters before its first child.
// Text after a child has no meaning in these files and is not kept.
type node struct {
	tag   string // {namespace}name, or the name
	attrs []attr
	text  string
	kids  []*node
	at    int // the offset of its start tag
}

type attr struct{ name, value string }

func (n *node) attr(name string) (string, bool) {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// each calls f with n and all below it that have the tag, in the order of
// their start tags, until f returns false.
func (n *node) each(tag string, f func(*node) bool) bool {
	if n.tag == tag && !f(n) {
		return false
	}
	for _, kid := range n.kids {
		if !kid.each(tag, f) {
			return false
		}
	}
	return true
}

// first returns the first of those that each would visit, or nil.
func (n *node) first(tag string) (found *node) {
	n.each(tag, func(m *node) bool {
		found = m
		return false
	})
	return found
}

// A tree is a document in the making.
type tree struct {
	root *node
	open []*node
	more []byte // the text of the innermost element once it is of several pieces
}

func (t *tree) top() *node { return t.open[len(t.open)-1] }

func (t *tree) start(n *node) {
	if len(t.open) == 0 {
		t.root = n
	} else {
		t.flush()
		t.top().kids = append(t.top().kids, n)
	}
	t.open = append(t.open, n)
}

func (t *tree) end() {
	t.flush()
	t.open = slices.Delete(t.open, len(t.open)-1, len(t.open))
}

// flush ends the text of the innermost element.
func (t *tree) flush() {
	if len(t.more) > 0 {
		t.top().text = string(t.more)
		t.more = t.more[:0]
	}
}

// add adds text to the innermost element. A text of one piece is not copied.
func (t *tree) add(piece string) {
	n := t.top()
	switch {
	case len(n.kids) > 0 || piece == "":
	case n.text == "":
		n.text = piece
	default:
		if len(t.more) == 0 {
			t.more = append(t.more, n.text...)
		}
		t.more = append(t.more, piece...)
	}
}
