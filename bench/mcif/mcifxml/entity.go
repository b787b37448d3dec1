package mcifxml

import (
	"strings"
	"unicode/utf8"
)

// An entity is a name for a text that the document type declares.
type entity struct {
	value    text
	external bool // its text is in another file, which is not read
	notation bool // it is not a text
	open     bool // it is being replaced
}

// replace adds what a reference stands for.
func (d *document) replace(s text, p, end int) *fault {
	if s[p+1] == '#' {
		r, ok := numbered(s[p:end])
		if !ok {
			return &fault{badCharRef, p}
		}
		d.add(string(r))
		return nil
	}
	name := string(s[p+1 : end-1])
	if r, ok := predefined[name]; ok {
		d.add(r)
		return nil
	}
	e := d.entities[name]
	switch {
	case e == nil && d.skipsNames && !d.standalone || e != nil && e.external && !e.notation:
		// Python, which would have to look elsewhere, refuses.
		return &fault{undefinedEntity + " &" + name + ";", p}
	case e == nil:
		return &fault{undefinedEntity, p}
	case e.open:
		return &fault{recursiveEntity, p}
	case e.notation:
		return &fault{binaryEntity, p}
	}
	if !d.afford(e) {
		return &fault{tooMuchExpanded, p}
	}
	if f := d.enter(e); f != nil {
		return f
	}
	defer d.leave(e)
	if _, f := d.content(e.value, 0, true); f != nil {
		return &fault{f.what, p}
	}
	return nil
}

var predefined = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'"}

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

// numbered returns the character of a reference such as &#65; or &#x41;.
func numbered(ref text) (rune, bool) {
	digits, base := ref[2:len(ref)-1], rune(10)
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	r := rune(0)
	for i := range len(digits) {
		digit := rune(digits[i] - '0')
		if !isDigit(digits[i]) {
			digit = rune(digits[i]|0x20-'a') + 10
		}
		if r = r*base + digit; r > utf8.MaxRune {
			return 0, false
		}
	}
	return r, allowed(r)
}

// allowed reports whether XML can hold the character.
func allowed(r rune) bool {
	if r < ' ' {
		return r == '\t' || r == '\n' || r == '\r'
	}
	return utf8.ValidRune(r) && r != 0xfffe && r != 0xffff
}

// value returns the value of an attribute with its references replaced and its
// blanks made spaces.
func (d *document) value(s text) (string, *fault) {
	if !strings.ContainsAny(string(s), "&\n\t\r<") {
		return string(s), nil
	}
	var b strings.Builder
	f := d.appendValue(&b, s)
	return b.String(), f
}

func (d *document) appendValue(b *strings.Builder, s text) *fault {
	for p := 0; p < len(s); {
		switch c := s[p]; c {
		case '\n', '\t', '\r':
			b.WriteByte(' ')
			if c == '\r' && s.at(p+1, '\n') {
				p++
			}
			p++
		case '<':
			return invalid(p)
		case '&':
			end, f := s.reference(p + 1)
			if f != nil {
				return f
			}
			if f = d.replaceInValue(b, s, p, end); f != nil {
				return f
			}
			p = end
		default:
			b.WriteByte(c)
			p++
		}
	}
	return nil
}

func (d *document) replaceInValue(b *strings.Builder, s text, p, end int) *fault {
	if s[p+1] == '#' {
		r, ok := numbered(s[p:end])
		if !ok {
			return &fault{badCharRef, p}
		}
		b.WriteRune(r)
		return nil
	}
	name := string(s[p+1 : end-1])
	if r, ok := predefined[name]; ok {
		b.WriteString(r)
		return nil
	}
	e := d.entities[name]
	switch {
	case e == nil && d.skipsNames && !d.standalone:
		return nil
	case e == nil:
		return &fault{undefinedEntity, tokenStart}
	case e.open:
		return &fault{recursiveEntity, p}
	case e.notation:
		return &fault{binaryEntity, p}
	case e.external:
		return &fault{externalInAttr, p}
	case !d.afford(e):
		return &fault{tooMuchExpanded, tokenStart}
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
