package mcifxml

import (
	"slices"
	"strings"
)

// The document type is read for its entities. What it says of elements and
// attributes is passed over, so that values it gives to attributes are not
// known, and nothing that is elsewhere is ever opened.

// A cursor reads the tokens of a document type and skips blanks.
type cursor struct {
	s  text
	p  int // the offset after the last token
	t  token
	at int // the offset of the last token
}

// next reads a token.
func (c *cursor) next() *fault {
	for c.p < len(c.s) {
		t, end, f := c.s.outside(c.p)
		if f != nil {
			if f.at == tokenStart {
				f.at = c.p
			}
			return f
		}
		c.t, c.at, c.p = t, c.p, end
		if t != spaceToken {
			return nil
		}
	}
	return &fault{noElement, len(c.s)}
}

func (c *cursor) word() string { return string(c.s[c.at:c.p]) }

func (c *cursor) misplaced() *fault { return misplaced(c.t, c.at) }

// want reads a token of a kind.
func (c *cursor) want(t token) *fault {
	if f := c.next(); f != nil {
		return f
	}
	if c.t != t {
		return c.misplaced()
	}
	return nil
}

// external reads the rest of SYSTEM "a" or PUBLIC "a" "b", if it is one of
// these, and the token after it.
func (c *cursor) external() (found bool, f *fault) {
	literals := 0
	if c.t == nameToken {
		switch c.word() {
		case "SYSTEM":
			literals = 1
		case "PUBLIC":
			literals = 2
		}
	}
	if literals == 0 {
		return false, nil
	}
	for range literals {
		if f = c.want(literalToken); f != nil {
			return true, f
		}
	}
	return true, c.next()
}

// docType reads what follows "<!DOCTYPE".
func (d *document) docType(s text, p int) (int, *fault) {
	c := &cursor{s: s, p: p}
	f := c.want(nameToken)
	if f == nil {
		f = c.next()
	}
	if f == nil {
		d.skipsNames, f = c.external()
	}
	if f == nil && c.t == markToken && c.word() == "[" {
		if f = d.declarations(c); f == nil {
			f = c.next()
		}
	}
	if f == nil && (c.t != markToken || c.word() != ">") {
		f = c.misplaced()
	}
	return c.p, f
}

// declarations reads up to the bracket that ends them.
func (d *document) declarations(c *cursor) *fault {
	elsewhere := false // a part that is not read may have declared anything
	for {
		f := c.next()
		switch {
		case f != nil:
			return f
		case c.t == commentToken, c.t == instructionToken:
		case c.t == parameterToken:
			d.skipsNames = true
			elsewhere = !d.standalone
		case c.t == markToken && c.word() == "]":
			return nil
		case c.t != openToken:
			return c.misplaced()
		case c.word() == "<!ENTITY":
			f = d.declare(c, elsewhere)
		case slices.Contains([]string{"<!ELEMENT", "<!ATTLIST", "<!NOTATION"}, c.word()):
			f = c.skip()
		default:
			return c.misplaced()
		}
		if f != nil {
			return f
		}
	}
}

// skip reads up to the end of a declaration.
func (c *cursor) skip() *fault {
	for {
		f := c.next()
		switch {
		case f != nil:
			return f
		case c.t == markToken && c.word() == ">":
			return nil
		case c.t == openToken, c.t == elementToken, c.t == declarationToken, c.t == parameterToken:
			return c.misplaced()
		}
	}
}

// declare reads what follows "<!ENTITY". The first declaration of a name
// counts.
func (d *document) declare(c *cursor, elsewhere bool) *fault {
	f := c.next()
	parameter := f == nil && c.t == percentToken
	if parameter {
		c.p++
		f = c.next()
	}
	if f != nil {
		return f
	}
	name := c.word()
	if c.t != nameToken || strings.Contains(name, ":") {
		return c.misplaced()
	}
	if f = c.next(); f != nil {
		return f
	}
	e := &entity{}
	if c.t == literalToken {
		if e.value, f = replacement(c.s[c.at+1:c.p-1], c.at+1); f == nil {
			f = c.next()
		}
	} else if e.external, f = c.external(); f == nil && !e.external {
		return c.misplaced()
	}
	if f == nil && e.external && !parameter && c.t == nameToken && c.word() == "NDATA" {
		e.notation = true
		if f = c.want(nameToken); f == nil {
			f = c.next()
		}
	}
	switch {
	case f != nil:
		return f
	case c.t != markToken || c.word() != ">":
		return c.misplaced()
	case !parameter && !elsewhere && d.entities[name] == nil:
		if d.entities == nil {
			d.entities = map[string]*entity{}
		}
		d.entities[name] = e
		return d.count(1, 0)
	}
	return nil
}

// replacement is the text of an entity as it will be read: with its numbered
// characters in place, and its references to entities untouched. start is its
// offset in the document.
func replacement(s text, start int) (text, *fault) {
	var b strings.Builder
	for p := 0; p < len(s); {
		switch c := s[p]; c {
		case '%':
			_, end, f := s.percent(p + 1)
			if f == nil {
				end, f = p, &fault{parameterEntity, p}
			}
			if f.at == tokenStart {
				f.at = end
			}
			return "", &fault{f.what, start + f.at}
		case '\r':
			b.WriteByte('\n')
			if s.at(p+1, '\n') {
				p++
			}
			p++
		case '&':
			end, f := s.reference(p + 1)
			if f != nil {
				return "", &fault{notWellFormed, start + max(f.at, p)}
			}
			if s[p+1] != '#' {
				b.WriteString(string(s[p:end]))
			} else if r, ok := numbered(s[p:end]); ok {
				b.WriteRune(r)
			} else {
				return "", &fault{badCharRef, start + p}
			}
			p = end
		default:
			b.WriteByte(c)
			p++
		}
	}
	return text(b.String()), nil
}
