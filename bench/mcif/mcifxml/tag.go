package mcifxml

// A tag is a start tag as written.
type tag struct {
	name  string
	attrs []rawAttr
	empty bool // it is the end tag as well
	end   int  // the offset after it
}

// A rawAttr is an attribute as written: the offsets of its name and value.
type rawAttr struct {
	name, nameEnd   int
	value, valueEnd int
}

// startTag reads what follows "<".
func (s text) startTag(p int) (t tag, f *fault) {
	start := p
	if p, f = s.qualified(p); f != nil {
		return t, f
	}
	t.name = string(s[start:p])
	for {
		after := s.skipSpace(p)
		if after >= len(s) {
			return t, unclosed()
		}
		switch s[after] {
		case '>':
			t.end = after + 1
			return t, nil
		case '/':
			if after+1 >= len(s) {
				return t, unclosed()
			}
			if s[after+1] != '>' {
				return t, invalid(after + 1)
			}
			t.empty, t.end = true, after+2
			return t, nil
		}
		if after == p {
			return t, invalid(p)
		}
		var a rawAttr
		if a, p, f = s.attribute(after); f != nil {
			return t, f
		}
		if t.attrs = append(t.attrs, a); len(t.attrs) > manyAttrs {
			return t, &fault{tooManyAttrs, start}
		}
	}
}

// attribute reads a name, an equals sign and a value in quotes.
func (s text) attribute(p int) (a rawAttr, end int, f *fault) {
	a.name = p
	if p, f = s.qualified(p); f != nil {
		return a, 0, f
	}
	a.nameEnd = p
	if p, f = s.expect(p, "="); f != nil {
		return a, 0, f
	}
	if p, f = s.expect(p+1, `"'`); f != nil {
		return a, 0, f
	}
	quote := s[p]
	a.value = p + 1
	for p++; p < len(s) && s[p] != quote; {
		size := 0
		switch s[p] {
		case '&':
			p, f = s.reference(p + 1)
		case '<':
			f = invalid(p)
		default:
			size, f = s.char(p)
		}
		if f != nil {
			return a, 0, f
		}
		p += size
	}
	if p+1 >= len(s) {
		return a, 0, unclosed()
	}
	a.valueEnd = p
	return a, p + 1, nil
}

// expect finds one of the bytes after any blanks.
func (s text) expect(p int, bytes string) (int, *fault) {
	p = s.skipSpace(p)
	if p >= len(s) {
		return 0, unclosed()
	}
	for i := range len(bytes) {
		if s[p] == bytes[i] {
			return p, nil
		}
	}
	return 0, invalid(p)
}

// endTag reads what follows "</". A colon may be anywhere but at the start.
func (s text) endTag(p int) (name string, end int, f *fault) {
	start := p
	if p, f = s.nameStart(p); f != nil {
		return "", 0, f
	}
	for {
		if p, f = s.nameRest(p); f != nil {
			return "", 0, f
		}
		if !s.at(p, ':') {
			break
		}
		p++
	}
	name = string(s[start:p])
	p, f = s.expect(p, ">")
	return name, p + 1, f
}
