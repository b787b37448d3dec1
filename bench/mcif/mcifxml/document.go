package mcifxml

import "strings"

// A document is what is known of a file while it is read.
type document struct {
	tree
	*guard
	size  int // bytes
	names []string
	scope scope

	entities   map[string]*entity
	skipsNames bool // parts of the declarations are elsewhere: unknown names may be right
	standalone bool // the file says that they do not matter
	expanded   int  // bytes that came from entities
	nested     int  // entities that stand in each other
}

// parse reads a document. The fault's place is an offset in s.
func parse(g *guard, s text, at int, standalone bool) (*node, *fault) {
	d := &document{guard: g, size: len(s), standalone: standalone}
	p, f := d.prolog(s, at)
	if f == nil {
		p, f = d.content(s, p, false)
	}
	if f == nil {
		f = epilog(s, p)
	}
	if f != nil {
		return nil, f
	}
	return d.root, nil
}

// content reads elements and text from p: of a document up to the end of its
// root element, of an entity all, which has to hold whole elements.
func (d *document) content(s text, p int, inEntity bool) (int, *fault) {
	depth := len(d.open)
	for p < len(s) {
		end, f := 0, d.step()
		if f == nil {
			end, f = d.item(s, p, depth, inEntity)
		}
		if f != nil {
			if f.at == tokenStart {
				f.at = p
			}
			return 0, f
		}
		if f := d.guard.text(max(end-p, len(d.more)), p, s); f != nil {
			return 0, f
		}
		if p = end; !inEntity && len(d.open) == 0 {
			return p, nil
		}
	}
	switch {
	case !inEntity:
		return 0, &fault{noElement, p}
	case len(d.open) != depth:
		return 0, &fault{asyncEntity, p}
	}
	return p, nil
}

func (d *document) item(s text, p, depth int, inEntity bool) (int, *fault) {
	switch s[p] {
	case '<':
		return d.mark(s, p, depth, inEntity)
	case '&':
		end, f := s.reference(p + 1)
		if f == nil {
			f = d.replace(s, p, end)
		}
		return end, f
	case '\r':
		if p+1 == len(s) && !inEntity {
			return 0, &fault{noElement, p}
		}
		d.add("\n")
		if s.at(p+1, '\n') {
			p++
		}
		return p + 1, nil
	}
	end, f := s.runEnd(p)
	if f == nil {
		d.add(string(s[p:end]))
	}
	return end, f
}

// mark reads what starts with "<".
func (d *document) mark(s text, p, depth int, inEntity bool) (int, *fault) {
	if p+1 >= len(s) {
		return 0, unclosed()
	}
	switch s[p+1] {
	case '/':
		return d.closeTag(s, p, depth)
	case '?':
		end, declaration, f := s.instruction(p + 2)
		if f == nil && declaration {
			f = &fault{misplacedDecl, p}
		}
		return end, f
	case '!':
		if p+2 >= len(s) {
			return 0, unclosed()
		}
		switch s[p+2] {
		case '-':
			return s.comment(p + 3)
		case '[':
			return d.characterData(s, p)
		}
		return 0, invalid(p + 2)
	}
	t, f := s.startTag(p + 1)
	if f == nil {
		f = d.openTag(s, p, t, inEntity)
	}
	return t.end, f
}

func (d *document) closeTag(s text, p, depth int) (int, *fault) {
	name, end, f := s.endTag(p + 2)
	switch {
	case f != nil:
		return 0, f
	case len(d.open) == depth:
		return 0, &fault{asyncEntity, p}
	case d.names[len(d.names)-1] != name:
		return 0, &fault{mismatchedTag, p + 2}
	}
	d.pop()
	return end, nil
}

func (d *document) pop() {
	d.tree.end()
	d.names = d.names[:len(d.names)-1]
	d.scope.leave()
}

func (d *document) openTag(s text, p int, t tag, inEntity bool) *fault {
	if f := d.count(1+len(t.attrs), len(d.open)); f != nil {
		return f
	}
	d.scope.enter()
	n := &node{at: p}
	prefixed := false
	seen := make(map[string]bool, len(t.attrs))
	for _, raw := range t.attrs {
		name := string(s[raw.name:raw.nameEnd])
		if seen[name] {
			return &fault{duplicateAttr, blame(raw.name, p, inEntity)}
		}
		seen[name] = true
		value, f := d.value(s[raw.value:raw.valueEnd])
		if f != nil {
			if f.at != tokenStart {
				f.at = blame(raw.value+f.at, p, inEntity)
			}
			return f
		}
		prefix, local, found := strings.Cut(name, ":")
		switch {
		case name == "xmlns":
			f = d.scope.bind("", value)
		case found && prefix == "xmlns":
			f = d.scope.bind(local, value)
		default:
			n.attrs = append(n.attrs, attr{name, value})
			prefixed = prefixed || found
		}
		if f != nil {
			return f
		}
	}
	var f *fault
	if prefixed {
		f = d.expandAttrs(n)
	}
	if f != nil {
		return f
	}
	if n.tag, f = d.scope.expand(t.name, true); f != nil {
		return f
	}
	d.tree.start(n)
	d.names = append(d.names, t.name)
	if t.empty {
		d.pop()
	}
	return nil
}

// blame returns the place at fault within a tag: in an entity it is the tag's,
// which becomes the entity's.
func blame(at, start int, inEntity bool) int {
	if inEntity {
		return start
	}
	return at
}

// expandAttrs replaces the prefixes of attributes by what they stand for,
// which can make two of them the same.
func (d *document) expandAttrs(n *node) *fault {
	seen := map[string]bool{}
	for i, a := range n.attrs {
		if !strings.Contains(a.name, ":") {
			continue
		}
		name, f := d.scope.expand(a.name, false)
		if f != nil {
			return f
		}
		if seen[name] {
			return &fault{duplicateAttr, tokenStart}
		}
		seen[name] = true
		n.attrs[i].name = name
	}
	return nil
}

// characterData reads a CDATA section.
func (d *document) characterData(s text, p int) (int, *fault) {
	const opening = "<![CDATA["
	for i := 3; i < len(opening); i++ {
		if len(s)-p < len(opening) {
			return 0, unclosed()
		}
		if s[p+i] != opening[i] {
			return 0, invalid(p + i)
		}
	}
	start := p + len(opening)
	for p = start; p < len(s); {
		switch {
		case s[p] == '\r' && p+1 < len(s):
			d.add(string(s[start:p]) + "\n")
			if p++; s[p] == '\n' {
				p++
			}
			start = p
		case strings.HasPrefix(string(s[p:]), "]]>"):
			d.add(string(s[start:p]))
			return p + 3, nil
		case s[p] == ']' && (p+1 == len(s) || s[p+1] == ']' && p+2 == len(s)), s[p] == '\r':
			return 0, &fault{unclosedCDATA, p}
		default:
			size, f := s.char(p)
			if f != nil {
				f.at = p
				return 0, f
			}
			p += size
		}
	}
	return 0, &fault{unclosedCDATA, p}
}
