package mcifxml

import (
	"encoding/xml"
	"strings"
	"unicode/utf8"
)

// The scanner goes through a document in expat's steps, because expat's reason
// and place for refusing a file are part of what is reproduced: what a token
// is, which of its characters is to blame, what is looked at first. Each
// function takes the offset to look at and returns the one after what it read.

// A fault is why a document is refused and where. at < 0 stands for the start
// of the token.
type fault struct {
	what string
	at   int
}

// What expat says.
const (
	notWellFormed     = "not well-formed (invalid token)"
	unclosedToken     = "unclosed token"
	partialCharacter  = "partial character"
	noElement         = "no element found"
	syntaxError       = "syntax error"
	mismatchedTag     = "mismatched tag"
	duplicateAttr     = "duplicate attribute"
	junkAfter         = "junk after document element"
	parameterEntity   = "illegal parameter entity reference"
	undefinedEntity   = "undefined entity"
	recursiveEntity   = "recursive entity reference"
	asyncEntity       = "asynchronous entity"
	badCharRef        = "reference to invalid character number"
	binaryEntity      = "reference to binary entity"
	externalInAttr    = "reference to external entity in attribute"
	misplacedDecl     = "XML or text declaration not at start of entity"
	incorrectEncoding = "encoding specified in XML declaration is incorrect"
	unclosedCDATA     = "unclosed CDATA section"
	unboundPrefix     = "unbound prefix"
	undeclaredPrefix  = "must not undeclare prefix"
	badDeclaration    = "XML declaration not well-formed"
	reservedXML       = "reserved prefix (xml) must not be undeclared or bound to another namespace name"
	reservedXMLNS     = "reserved prefix (xmlns) must not be declared or undeclared"
	reservedURI       = "prefix must not be bound to one of the reserved namespace names"
	tooMuchExpanded   = "limit on input amplification factor (from DTD and entities) breached"
)

// tooManyAttrs is ours: expat takes any number.
const tooManyAttrs = "more attributes than any tag has"

const tokenStart = -1

func invalid(at int) *fault { return &fault{notWellFormed, at} }

func unclosed() *fault { return &fault{unclosedToken, tokenStart} }

// A text is a document, or the replacement of an entity, in UTF-8.
type text string

// char returns the size of the character at p, if XML allows it.
func (s text) char(p int) (int, *fault) {
	b := s[p]
	if b < utf8.RuneSelf {
		if b < ' ' && !isSpace(b) {
			return 0, invalid(p)
		}
		return 1, nil
	}
	size := 0
	switch {
	case b >= 0xf0 && b <= 0xf4:
		size = 4
	case b >= 0xe0 && b <= 0xef:
		size = 3
	case b >= 0xc0 && b <= 0xdf:
		size = 2
	default:
		return 0, invalid(p)
	}
	if len(s)-p < size {
		return 0, &fault{partialCharacter, tokenStart}
	}
	r, n := utf8.DecodeRuneInString(string(s[p:]))
	if n != size || r == 0xfffe || r == 0xffff {
		return 0, invalid(p)
	}
	return size, nil
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

func (s text) at(p int, b byte) bool { return p < len(s) && s[p] == b }

func (s text) skipSpace(p int) int {
	for p < len(s) && isSpace(s[p]) {
		p++
	}
	return p
}

// runEnd returns the end of the run of ordinary characters that starts at p:
// neither marks, nor ends of lines that need care, nor what XML forbids.
func (s text) runEnd(p int) (int, *fault) {
	for p < len(s) {
		switch b := s[p]; {
		case b == '<' || b == '&' || b == '\r':
			return p, nil
		case b == ']' && strings.HasPrefix(string(s[p:]), "]]>"):
			return p, invalid(p + 2)
		case b >= ' ' && b < utf8.RuneSelf || b == '\n' || b == '\t':
			p++
		default:
			size, f := s.char(p)
			if f != nil {
				f.at = p
				return p, f
			}
			p += size
		}
	}
	return p, nil
}

// nameStart returns the offset after the character at p, with which a name may
// start.
func (s text) nameStart(p int) (int, *fault) {
	if p >= len(s) {
		return 0, unclosed()
	}
	if b := s[p]; b < utf8.RuneSelf {
		if isLetter(b) || b == '_' {
			return p + 1, nil
		}
		return 0, invalid(p)
	}
	size, f := s.char(p)
	if f != nil {
		return 0, f
	}
	if !inName("", string(s[p:p+size])) {
		return 0, invalid(p)
	}
	return p + size, nil
}

// nameRest returns the first offset from p that is not within a name. A colon
// is not.
func (s text) nameRest(p int) (int, *fault) {
	for p < len(s) {
		b := s[p]
		if b < utf8.RuneSelf {
			if !isLetter(b) && b != '_' && b != '-' && b != '.' && !isDigit(b) {
				return p, nil
			}
			p++
			continue
		}
		size, f := s.char(p)
		if f != nil {
			return 0, f
		}
		if !inName("a", string(s[p:p+size])) {
			return 0, invalid(p)
		}
		p += size
	}
	return p, nil
}

// name reads a name without a colon, and finds something after it.
func (s text) name(p int) (int, *fault) {
	p, f := s.nameStart(p)
	if f == nil {
		p, f = s.nameRest(p)
	}
	if f == nil && p >= len(s) {
		f = unclosed()
	}
	return p, f
}

// qualified reads a name that may have a prefix, and finds something after it.
func (s text) qualified(p int) (int, *fault) {
	p, f := s.name(p)
	if f != nil || s[p] != ':' {
		return p, f
	}
	if p, f = s.name(p + 1); f == nil && s[p] == ':' {
		return 0, invalid(p)
	}
	return p, f
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// inName reports whether a character beyond ASCII may follow before in a name.
// encoding/xml has the tables of the fourth edition of XML 1.0, as expat does,
// and does not show them.
func inName(before, char string) bool {
	_, err := xml.NewDecoder(strings.NewReader("<" + before + char + "/>")).RawToken()
	return err == nil
}

// reference reads what follows an ampersand: a name or a number, and a
// semicolon.
func (s text) reference(p int) (int, *fault) {
	if !s.at(p, '#') {
		p, f := s.name(p)
		if f == nil && s[p] != ';' {
			f = invalid(p)
		}
		return p + 1, f
	}
	p++
	digit := isDigit
	if s.at(p, 'x') {
		p++
		digit = isHex
	}
	for start := p; p < len(s); p++ {
		if s[p] == ';' && p > start {
			return p + 1, nil
		}
		if !digit(s[p]) {
			return 0, invalid(p)
		}
	}
	return 0, unclosed()
}

func isHex(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

// comment reads what follows "<!-".
func (s text) comment(p int) (int, *fault) {
	if p >= len(s) {
		return 0, unclosed()
	}
	if s[p] != '-' {
		return 0, invalid(p)
	}
	for p++; p < len(s); {
		if s[p] != '-' {
			size, f := s.char(p)
			if f != nil {
				return 0, f
			}
			p += size
			continue
		}
		if p++; !s.at(p, '-') {
			continue
		}
		if p++; p >= len(s) {
			break
		}
		if s[p] != '>' {
			return 0, invalid(p)
		}
		return p + 1, nil
	}
	return 0, unclosed()
}

// instruction reads what follows "<?". declaration tells the XML declaration
// from other processing instructions.
func (s text) instruction(p int) (end int, declaration bool, f *fault) {
	start := p
	if p, f = s.name(p); f != nil {
		return 0, false, f
	}
	target := string(s[start:p])
	if !isSpace(s[p]) && s[p] != '?' || target != "xml" && strings.EqualFold(target, "xml") {
		return 0, false, invalid(p)
	}
	if s[p] == '?' {
		if p++; p >= len(s) {
			return 0, false, unclosed()
		}
		if s[p] != '>' {
			return 0, false, invalid(p)
		}
		return p + 1, target == "xml", nil
	}
	for p++; p < len(s); {
		if s[p] == '?' && s.at(p+1, '>') {
			return p + 2, target == "xml", nil
		}
		size, f := s.char(p)
		if f != nil {
			return 0, false, f
		}
		p += size
	}
	return 0, false, unclosed()
}
