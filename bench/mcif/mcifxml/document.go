package mcifxml

import (
	"encoding/xml"
	"slices"
	"strings"
	"unicode/utf8"
)

// A document is what is known of a file while it is read.
type document struct {
	tree
	*guard
	dtd
	size   int // bytes
	frames []frame

	expanded int // bytes that came from entities
	nested   int // entities that are being replaced, each within the one before
}

// A frame is what an open element keeps: its name as written, and its namespaces.
type frame struct {
	name  string
	scope *scope
}

// parse reads a document. The fault's place is an offset in s.
func parse(g *guard, s string, at int, standalone bool) (*node, *fault) {
	bad, illegal := illegalChar(s, at)
	d := &document{guard: g, size: len(s)}
	d.standalone = standalone
	f := d.parse(newLexer(s[:bad]), at)
	if illegal != nil && (f == nil || f.what == noElement || f.what == unclosedToken || f.what == unclosedCDATA) {
		f = illegal // nothing before it is wrong
	}
	if f != nil {
		return nil, f
	}
	return d.root, nil
}

func (d *document) parse(l *lexer, p int) *fault {
	p, f := d.outside(l, p, true)
	if f == nil {
		p, f = d.content(l, p, false)
	}
	if f == nil {
		_, f = d.outside(l, p, false)
	}
	return f
}

// outside reads the prolog, and returns the offset of the root element, or reads
// what follows that element.
func (d *document) outside(l *lexer, p int, before bool) (int, *fault) {
	misplaced := junkAfter
	if before {
		misplaced = syntaxError
	}
	for typed := false; ; {
		if p = skipSpace(l.s, p); p == len(l.s) {
			if before {
				return 0, &fault{noElement, p}
			}
			return p, nil
		}
		next := l.at(p + 1)
		if l.s[p] != '<' {
			return 0, l.words(p, misplaced)
		}
		if !before && next != '!' && next != '?' && next != '/' {
			return 0, &fault{misplaced, p}
		}
		if next >= utf8.RuneSelf || isLetter(next) {
			return p, nil
		}
		if before && !typed && strings.HasPrefix(l.s[p:], "<!DOCTYPE") {
			var f *fault
			if p, f = d.declare(l.s, p); f != nil {
				return 0, f
			}
			typed = true
			continue
		}
		t, end, f := l.mark(p)
		if f == nil {
			f = mayBeOutside(t, p, misplaced)
		}
		if f = placed(f, p); f != nil {
			return 0, f
		}
		p = end
	}
}

func mayBeOutside(t xml.Token, p int, misplaced string) *fault {
	switch t.(type) {
	case xml.Comment, xml.ProcInst:
		return nil
	case xml.EndElement:
		return invalid(p + 1)
	}
	return &fault{misplaced, p}
}

// words refuses text outside the root element. expat has one reason for a word,
// and another for text that starts no word, such as JSON.
func (l *lexer) words(p int, misplaced string) *fault {
	if b := l.s[p]; (b == '"' || b == '\'') && strings.IndexByte(l.s[p+1:], b) < 0 {
		return &fault{unclosedToken, p}
	}
	i := p
	for b := l.at(i); isLetter(b) || isDigit(b) || b == '.' || b == '-' || b == ':' || b >= utf8.RuneSelf; b = l.at(i) {
		i++
	}
	if b := l.at(i); i > p && b != 0 && strings.IndexByte(" \t\r\n>),|[%", b) < 0 || i == p && strings.IndexByte("\"'%[](>|,)#", b) < 0 {
		return invalid(i)
	}
	return &fault{misplaced, p}
}

// placed gives a fault of a token its place.
func placed(f *fault, p int) *fault {
	if f != nil && f.at == tokenStart {
		f.at = p
	}
	return f
}

// content reads elements and text from p: of a document up to the end of its
// root element, of an entity all, which has to hold entire elements.
func (d *document) content(l *lexer, p int, inEntity bool) (int, *fault) {
	depth := len(d.open)
	for p < len(l.s) {
		end, f := 0, d.step()
		if f == nil {
			end, f = d.item(l, p, depth, inEntity)
		}
		if f = placed(f, p); f != nil {
			return 0, f
		}
		if f := d.guard.text(max(end-p, len(d.more)), p, l.s); f != nil {
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

func (d *document) item(l *lexer, p, depth int, inEntity bool) (int, *fault) {
	switch l.s[p] {
	case '<':
		return d.mark(l, p, depth)
	case '&':
		return d.reference(l.s, p)
	case '\r':
		if p+1 == len(l.s) && !inEntity {
			return 0, &fault{noElement, p}
		}
		d.add("\n")
		if l.at(p+1) == '\n' {
			p++
		}
		return p + 1, nil
	}
	end, f := runEnd(l.s, p)
	if f == nil {
		d.add(l.s[p:end])
	}
	return end, f
}

// mark reads what starts with "<".
func (d *document) mark(l *lexer, p, depth int) (int, *fault) {
	t, end, f := l.mark(p)
	if f != nil {
		return 0, f
	}
	switch t := t.(type) {
	case tag:
		f = d.openTag(l.s, p, t)
	case xml.EndElement:
		switch {
		case len(d.open) == depth:
			return 0, &fault{asyncEntity, p}
		case d.frames[len(d.frames)-1].name != written(t.Name):
			return 0, &fault{mismatchedTag, p + len("</")}
		}
		d.pop()
	case xml.CharData:
		d.add(string(t))
	case xml.Directive:
		f = invalid(p + len("<!"))
	}
	return end, f
}

func (d *document) pop() {
	d.tree.end()
	d.frames = d.frames[:len(d.frames)-1]
}

// repeated is the index of the first attribute that repeats the name of an earlier one; -1 = no such attribute.
func (t *tag) repeated() int {
	if len(t.attrs) < 2 {
		return -1
	}
	seen := make(map[string]bool, len(t.attrs))
	return slices.IndexFunc(t.attrs, func(a rawAttr) bool {
		twice := seen[a.name]
		seen[a.name] = true
		return twice
	})
}

func (d *document) openTag(s string, p int, t tag) *fault {
	if f := d.count(1+len(t.attrs), len(d.open)); f != nil {
		return f
	}
	n, here := &node{at: p}, (*scope)(nil)
	if len(d.frames) > 0 {
		here = d.frames[len(d.frames)-1].scope
	}
	twice := t.repeated()
	for i, raw := range t.attrs {
		if i == twice {
			return &fault{duplicateAttr, strings.LastIndex(s[:raw.from], raw.name)}
		}
		value, f := d.value(s[raw.from:raw.to])
		if f != nil {
			if f.at != tokenStart {
				f.at += raw.from
			}
			return f
		}
		prefix, local, found := strings.Cut(raw.name, ":")
		switch {
		case raw.name == "xmlns":
			here, f = here.bind("", value)
		case found && prefix == "xmlns":
			here, f = here.bind(local, value)
		default:
			n.attrs = append(n.attrs, attr{raw.name, value})
		}
		if f != nil {
			return f
		}
	}
	f := here.expandAttrs(n)
	if f == nil {
		n.tag, f = here.expand(t.name, true)
	}
	if f != nil {
		return f
	}
	d.tree.start(n)
	d.frames = append(d.frames, frame{t.name, here})
	if t.empty {
		d.pop()
	}
	return nil
}
