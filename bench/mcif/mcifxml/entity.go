package mcifxml

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An entity is a name for a text that the document type declares.
type entity struct {
	value    string
	external bool // its text is in another file, which is not read
	notation bool // it is not a text
	open     bool // it is being replaced
}

var predefined = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'"}

// referenceEnd returns the offset after the reference at p: "&", a name or "#"
// and digits, ";".
func referenceEnd(s string, p int) (int, *fault) {
	i := p + 1
	if strings.HasPrefix(s[i:], "#") {
		i++
	}
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	switch {
	case i == len(s):
		return 0, &fault{unclosedToken, tokenStart}
	case s[i] != ';' || i == p+1 || s[p+1] < utf8.RuneSelf && !isLetter(s[p+1]) && s[p+1] != '#':
		return 0, invalid(i)
	case s[p+1] == '#':
		if _, f := numbered(s[p : i+1]); f != nil && f.what == notWellFormed {
			return 0, invalid(i)
		}
	case strings.ContainsFunc(s[p:i], func(r rune) bool { return r >= utf8.RuneSelf }):
		if _, _, f := newLexer("").decode("<" + s[p+1:i] + ">"); f != nil {
			return 0, invalid(i)
		}
	}
	return i + 1, nil
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// isNameByte reports whether a name may have the byte, except for colons.
func isNameByte(b byte) bool {
	return b >= utf8.RuneSelf || isLetter(b) || isDigit(b) || b == '-' || b == '.'
}

// numbered returns the character of a reference such as &#65; or &#x41;.
func numbered(ref string) (string, *fault) {
	digits, base := ref[len("&#"):len(ref)-1], 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 31)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return "", &fault{notWellFormed, tokenStart}
	case err != nil || !allowed(rune(n)):
		return "", &fault{badCharRef, tokenStart}
	}
	return string(rune(n)), nil
}

// allowed reports whether XML can hold the character.
func allowed(r rune) bool {
	if r < ' ' {
		return r == '\t' || r == '\n' || r == '\r'
	}
	return utf8.ValidRune(r) && r != 0xfffe && r != 0xffff
}

// reference adds the text of the reference at p.
func (d *document) reference(s string, p int) (int, *fault) {
	end, f := referenceEnd(s, p)
	if f != nil {
		return 0, f
	}
	text, e, f := d.lookUp(s[p:end])
	switch {
	case f != nil && f.what == undefinedEntity && (d.skipsNames && !d.standalone || e != nil):
		// Python, which would have to look elsewhere, refuses.
		return 0, &fault{undefinedEntity + " " + s[p:end], p}
	case f != nil:
		return 0, f
	case e == nil:
		d.add(text)
		return end, nil
	}
	if f := d.enter(e); f != nil {
		return 0, f
	}
	defer d.leave(e)
	if _, f := d.content(newLexer(e.value), 0, true); f != nil {
		return 0, &fault{f.what, p}
	}
	return end, nil
}

// lookUp returns the character of a reference, or else its entity. The entity
// of an error is one that is in another file.
func (d *document) lookUp(ref string) (string, *entity, *fault) {
	if ref[1] == '#' {
		text, f := numbered(ref)
		return text, nil, f
	}
	name := ref[1 : len(ref)-1]
	if text, ok := predefined[name]; ok {
		return text, nil, nil
	}
	e := d.entities[name]
	switch {
	case e == nil:
		return "", nil, &fault{undefinedEntity, tokenStart}
	case e.open:
		return "", nil, &fault{recursiveEntity, tokenStart}
	case e.notation:
		return "", nil, &fault{binaryEntity, tokenStart}
	case e.external:
		return "", e, &fault{undefinedEntity, tokenStart}
	case !d.afford(e):
		return "", nil, &fault{tooMuchExpanded, tokenStart}
	}
	return "", e, nil
}

// afford refuses a few bytes that unfold to millions, by expat's limits.
func (d *document) afford(e *entity) bool {
	const (
		harmless = 8 << 20
		factor   = 100
	)
	d.expanded += len(e.value)
	return d.expanded < harmless || d.expanded/max(d.size, 1) < factor
}

// enter begins to replace an entity.
func (d *document) enter(e *entity) *fault {
	e.open = true
	d.nested++
	return d.expand(d.expanded, d.nested)
}

func (d *document) leave(e *entity) {
	e.open = false
	d.nested--
}

// value returns the value of an attribute with its references replaced and its
// blanks made spaces.
func (d *document) value(s string) (string, *fault) {
	if !strings.ContainsAny(s, "&\n\t\r<") {
		return s, nil
	}
	var b strings.Builder
	f := d.appendValue(&b, s)
	return b.String(), f
}

func (d *document) appendValue(b *strings.Builder, s string) *fault {
	for p := 0; p < len(s); p++ {
		switch c := s[p]; {
		case c == '\r' && strings.HasPrefix(s[p:], "\r\n"):
		case isSpace(c):
			b.WriteByte(' ')
		case c == '<':
			return invalid(p)
		case c == '&':
			end, f := referenceEnd(s, p)
			if f == nil {
				f = d.replaceInValue(b, s[p:end])
			}
			if f != nil {
				return f
			}
			p = end - 1
		default:
			b.WriteByte(c)
		}
	}
	return nil
}

func (d *document) replaceInValue(b *strings.Builder, ref string) *fault {
	text, e, f := d.lookUp(ref)
	switch {
	case f != nil && f.what == undefinedEntity && e != nil:
		return &fault{externalInAttr, tokenStart}
	case f != nil && f.what == undefinedEntity && d.skipsNames && !d.standalone:
		return nil
	case f != nil:
		return f
	case e == nil:
		b.WriteString(text)
		return nil
	}
	if f := d.enter(e); f != nil {
		return f
	}
	defer d.leave(e)
	if f := d.appendValue(b, e.value); f != nil {
		return &fault{f.what, tokenStart}
	}
	return nil
}
