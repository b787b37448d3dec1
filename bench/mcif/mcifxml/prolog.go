package mcifxml

import "strings"

// A token is what may stand outside the root element.
type token uint8

const (
	spaceToken token = iota
	commentToken
	instructionToken
	declarationToken // the XML declaration
	openToken        // "<!" and a name
	elementToken     // "<" of a start tag
	literalToken
	nameToken
	percentToken
	parameterToken // %name;
	markToken      // a single character that has a meaning in a document type
	otherToken     // well-formed, and of no use here
)

// outside reads a token outside the root element.
func (s text) outside(p int) (t token, end int, f *fault) {
	switch b := s[p]; b {
	case '<':
		return s.outsideMark(p)
	case ' ', '\t', '\r', '\n':
		return spaceToken, s.skipSpace(p), nil
	case '"', '\'':
		end, f = s.literal(p)
		return literalToken, end, f
	case '%':
		return s.percent(p + 1)
	case '[', '>', '(', '|', ',':
		return markToken, p + 1, nil
	case ']':
		if s.at(p+1, ']') && p+2 >= len(s) {
			return 0, 0, unclosed()
		}
		if strings.HasPrefix(string(s[p:]), "]]>") {
			return otherToken, p + 3, nil
		}
		return markToken, p + 1, nil
	case ')':
		if end = p + 1; end < len(s) {
			end, f = s.followed(end, " \t\r\n>,|)", "*+?")
		}
		return otherToken, end, f
	case '#':
		if p, f = s.nameStart(p + 1); f == nil {
			p, f = s.nameRest(p)
		}
		if f == nil && p < len(s) {
			p, f = s.followed(p, " \t\r\n)>%|", "")
		}
		return otherToken, p, f
	}
	return s.outsideName(p)
}

func (s text) outsideMark(p int) (t token, end int, f *fault) {
	switch {
	case p+1 >= len(s):
		return 0, 0, unclosed()
	case s[p+1] == '?':
		end, declaration, f := s.instruction(p + 2)
		if declaration {
			return declarationToken, end, f
		}
		return instructionToken, end, f
	case s[p+1] != '!':
		if b := s[p+1]; !isLetter(b) && b != '_' && (b < 0xc0 || b > 0xf4) {
			return 0, 0, invalid(p + 1)
		}
		return elementToken, p, nil
	case p+2 >= len(s):
		return 0, 0, unclosed()
	case s[p+2] == '-':
		end, f = s.comment(p + 3)
		return commentToken, end, f
	case s[p+2] == '[':
		return otherToken, p + 3, nil
	}
	for p += 2; p < len(s) && isLetter(s[p]) || s.at(p, '_'); p++ {
	}
	switch {
	case p >= len(s):
		return 0, 0, unclosed()
	case isSpace(s[p]) && s[p-1] != '!':
		return openToken, p, nil
	case s[p] == '%' && s[p-1] != '!':
		if p+1 >= len(s) {
			return 0, 0, unclosed()
		}
		if !isSpace(s[p+1]) && s[p+1] != '%' {
			return openToken, p, nil
		}
	}
	return 0, 0, invalid(p)
}

// literal reads a text in quotes, which nothing but an end may follow.
func (s text) literal(p int) (int, *fault) {
	quote := s[p]
	for p++; p < len(s); {
		if s[p] == quote {
			if p+1 == len(s) {
				return p + 1, nil
			}
			return s.followed(p+1, " \t\r\n>%[", "")
		}
		size, f := s.char(p)
		if f != nil {
			return 0, f
		}
		p += size
	}
	return 0, unclosed()
}

// followed finds one of the bytes before, where the token ends, or one of the
// bytes with, which belongs to it.
func (s text) followed(p int, before, with string) (int, *fault) {
	switch {
	case p >= len(s):
		return 0, unclosed()
	case strings.IndexByte(before, s[p]) >= 0:
		return p, nil
	case strings.IndexByte(with, s[p]) >= 0:
		return p + 1, nil
	}
	return 0, invalid(p)
}

func (s text) percent(p int) (t token, end int, f *fault) {
	if p < len(s) && (isSpace(s[p]) || s[p] == '%') {
		return percentToken, p, nil
	}
	if p, f = s.name(p); f != nil {
		return 0, 0, f
	}
	if s[p] != ';' {
		return 0, 0, invalid(p)
	}
	return parameterToken, p + 1, nil
}

// outsideName reads a name, or what is nearly one.
func (s text) outsideName(p int) (t token, end int, f *fault) {
	t = nameToken
	if end, f = s.nameStart(p); f != nil {
		if f.what == partialCharacter {
			return 0, 0, f
		}
		if t = otherToken; s[p] == ':' {
			end, f = p+1, nil
		} else if end, f = s.nameRest(p); f != nil {
			return 0, 0, f
		} else if end == p {
			return 0, 0, invalid(p)
		}
	}
	for colons := 0; ; colons++ {
		if end, f = s.nameRest(end); f != nil {
			return 0, 0, f
		}
		if !s.at(end, ':') {
			break
		}
		if end++; t == nameToken && colons == 0 && end >= len(s) {
			return 0, 0, unclosed()
		}
		after, f := s.nameRest(end)
		if f != nil {
			return 0, 0, f
		}
		if colons > 0 || after == end {
			t = otherToken
		}
	}
	if end >= len(s) {
		return t, end, nil
	}
	if t == nameToken && strings.IndexByte("*+?", s[end]) >= 0 {
		return otherToken, end + 1, nil
	}
	end, f = s.followed(end, " \t\r\n>),|[%", "")
	return t, end, f
}

// prolog reads what comes before the root element, whose offset it returns.
func (d *document) prolog(s text, p int) (int, *fault) {
	typed := false
	for p < len(s) {
		t, end, f := s.outside(p)
		if f != nil {
			if f.at == tokenStart {
				f.at = p
			}
			return 0, f
		}
		switch {
		case t == spaceToken, t == commentToken, t == instructionToken:
			p = end
		case t == elementToken:
			return p, nil
		case t == openToken && string(s[p+2:end]) == "DOCTYPE" && !typed:
			typed = true
			if p, f = d.docType(s, end); f != nil {
				return 0, f
			}
		default:
			return 0, misplaced(t, p)
		}
	}
	return 0, &fault{noElement, len(s)}
}

// misplaced is what expat says of a token that may not be where it is.
func misplaced(t token, p int) *fault {
	switch {
	case t == parameterToken:
		return &fault{parameterEntity, p}
	case t == declarationToken:
		return &fault{misplacedDecl, p}
	}
	return &fault{syntaxError, p}
}

// epilog reads what follows the root element: nothing of weight.
func epilog(s text, p int) *fault {
	for p < len(s) {
		t, end, f := s.outside(p)
		if f != nil {
			if f.at == tokenStart {
				f.at = p
			}
			return f
		}
		switch t {
		case spaceToken, commentToken, instructionToken:
			p = end
		default:
			return &fault{junkAfter, p}
		}
	}
	return nil
}
