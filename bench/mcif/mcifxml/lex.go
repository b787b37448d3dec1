package mcifxml

import (
	"encoding/xml"
	"errors"
	"strings"
	"unicode/utf8"
)

// A fault is why a document is refused and where: an offset, tokenStart or
// notAPlace.
type fault struct {
	what string
	at   int
}

const (
	tokenStart = -1 // the start of the token that is read
	notAPlace  = -2
)

// expat's reasons, which the published program prints.
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

func invalid(at int) *fault { return &fault{notWellFormed, at} }

// A lexer reads the marks of a text ("<" to ">") with encoding/xml, and refuses
// what that package takes although XML forbids it.
type lexer struct {
	s string
	r *strings.Reader
	d *xml.Decoder
}

func newLexer(s string) *lexer { return &lexer{s: s, r: strings.NewReader("")} }

// A tag is a start tag. The values of its attributes are as written.
type tag struct {
	name  string
	attrs []rawAttr
	empty bool // it is the end tag as well
}

// A rawAttr is the name of an attribute and the offsets of its value.
type rawAttr struct {
	name     string
	from, to int
}

// mark reads the mark at p and returns the offset after it. Its token is a tag,
// or an EndElement, CharData (of a CDATA section), Comment, ProcInst or
// Directive of encoding/xml.
func (l *lexer) mark(p int) (t xml.Token, end int, f *fault) {
	if b := l.at(p + 1); b == 0 {
		return nil, 0, &fault{unclosedToken, tokenStart}
	} else if b != '/' && b != '!' && b != '?' {
		return l.startTag(p)
	}
	if rest := l.s[p:]; strings.HasPrefix(rest, "<?xml") && strings.Contains(rest, "?>") && (isSpace(rest[5]) || rest[5] == '?') {
		return nil, 0, &fault{misplacedDecl, p}
	}
	t, size, f := l.decode(l.s[p:])
	if f != nil {
		if f.at >= 0 {
			f.at += p
		}
		return nil, 0, f
	}
	end = p + size
	switch t := t.(type) {
	case xml.ProcInst:
		f = l.instruction(p, t.Target)
	case xml.EndElement:
		if strings.HasPrefix(t.Name.Local, ":") {
			f = invalid(p + len("</"))
		}
	}
	return t, end, f
}

// at returns the byte at p, or 0 at the end. No text has a 0.
func (l *lexer) at(p int) byte {
	if p < len(l.s) {
		return l.s[p]
	}
	return 0
}

// decode reads one token of s, and returns how many bytes it has. The decoder
// reads no byte ahead of a mark.
func (l *lexer) decode(s string) (xml.Token, int, *fault) {
	if l.d == nil {
		l.d = xml.NewDecoder(l.r)
	}
	l.r.Reset(s)
	t, err := l.d.RawToken()
	read := len(s) - l.r.Len()
	if err == nil {
		return t, read, nil
	}
	l.d = nil // it repeats its error
	var bad *xml.SyntaxError
	switch {
	case !errors.As(err, &bad) || !strings.HasPrefix(bad.Msg, "unexpected EOF"):
		return nil, 0, invalid(max(read-1, 0))
	case strings.HasPrefix(s, "<![CDATA["):
		return nil, 0, &fault{unclosedCDATA, len(s)}
	}
	return nil, 0, &fault{unclosedToken, tokenStart}
}

// instruction refuses targets that are not a name or run into what follows.
func (l *lexer) instruction(p int, target string) *fault {
	after := p + len("<?") + len(target)
	switch {
	case !isSpace(l.s[after]) && !strings.HasPrefix(l.s[after:], "?>"), strings.Contains(target, ":"):
		return invalid(after)
	case strings.EqualFold(target, "xml"):
		return invalid(after)
	}
	return nil
}

// startTag reads a start tag. encoding/xml sees it without its values, which
// have to keep the blanks and references that it would replace.
func (l *lexer) startTag(p int) (tag, int, *fault) {
	var t tag
	if b := l.at(p + 1); b < utf8.RuneSelf && !isLetter(b) {
		return t, 0, invalid(p + 1)
	}
	bare, glued, end := l.bare(p, &t)
	if len(t.attrs) > manyAttrs {
		return t, 0, &fault{tooManyAttrs, p + 1}
	}
	token, _, f := l.decode(bare)
	if t.empty = strings.HasSuffix(bare, "/>"); t.empty && f == nil {
		_, _ = l.d.RawToken() // the end tag that encoding/xml adds
	}
	t.place(f, p)
	if glued > 0 {
		f = earlier(f, invalid(glued))
	}
	for _, a := range t.attrs {
		f = earlier(f, l.references(a.from, a.to))
	}
	start, ok := token.(xml.StartElement)
	switch {
	case f != nil:
		return t, 0, f
	case !ok || len(start.Attr) != len(t.attrs) || !isName(start.Name):
		return t, 0, invalid(p + 1)
	}
	t.name = written(start.Name)
	for i, a := range start.Attr {
		raw := &t.attrs[i]
		raw.name = written(a.Name)
		if !isName(a.Name) {
			return t, 0, invalid(raw.from)
		}
	}
	return t, end, nil
}

// place moves a fault of the tag at p without its values to its place in the text.
func (t *tag) place(f *fault, p int) {
	if f == nil || f.at < 0 {
		return
	}
	f.at += p
	for _, a := range t.attrs {
		if a.to > 0 && f.at >= a.from {
			f.at += a.to - a.from
		}
	}
}

// earlier returns the fault that comes first in the text.
func earlier(a, b *fault) *fault {
	if a == nil || b != nil && (a.at < 0 || b.at >= 0 && b.at < a.at) {
		return b
	}
	return a
}

// bare returns the tag at p without its values, where two attributes have no
// blank between them (0: nowhere), and its end. A tag that does not end is
// returned up to the byte that it cannot have.
func (l *lexer) bare(p int, t *tag) (bare string, glued, end int) {
	var b strings.Builder
	from, quote := p, byte(0)
	for end = p + 1; end < len(l.s); end++ {
		switch c := l.s[end]; {
		case c == '<' || quote == 0 && c == '>':
			return b.String() + l.s[from:end+1], glued, end + 1
		case quote == 0 && (c == '"' || c == '\''):
			b.WriteString(l.s[from : end+1])
			quote, from = c, end+1
			if t.attrs = append(t.attrs, rawAttr{from: end + 1}); len(t.attrs) > manyAttrs {
				return "", 0, 0
			}
		case quote != 0 && c == quote:
			quote, from = 0, end
			t.attrs[len(t.attrs)-1].to = end
			if after := l.at(end + 1); glued == 0 && after != 0 && after != '/' && after != '>' && !isSpace(after) {
				glued = end + 1
			}
		}
	}
	return b.String() + l.s[from:], glued, end
}

// references refuses an ampersand that starts no reference.
func (l *lexer) references(from, to int) *fault {
	for {
		i := strings.IndexByte(l.s[from:max(from, to)], '&')
		if i < 0 {
			return nil
		}
		end, f := referenceEnd(l.s, from+i)
		if f != nil {
			return f
		}
		from = end
	}
}

// isName refuses the colons that encoding/xml lets a name start or end with,
// and what a name after a prefix cannot start with.
func isName(n xml.Name) bool {
	switch b := n.Local[0]; {
	case strings.Contains(n.Local, ":"):
		return false
	case n.Space == "" || isLetter(b):
		return true
	case b < utf8.RuneSelf:
		return false
	}
	_, _, f := newLexer("").decode("<" + n.Local + ">")
	return f == nil
}

func written(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b == '_' }

func skipSpace(s string, p int) int {
	for p < len(s) && isSpace(s[p]) {
		p++
	}
	return p
}

// runEnd returns the end of the run of ordinary characters at p: neither marks
// nor references nor ends of lines that need care.
func runEnd(s string, p int) (int, *fault) {
	end := p
	for end < len(s) && s[end] != '<' && s[end] != '&' && s[end] != '\r' {
		end++
	}
	if i := strings.Index(s[p:end], "]]>"); i >= 0 {
		return p + i, invalid(p + i + len("]]"))
	}
	return end, nil
}

// illegalChar finds the first character from p that XML does not allow anywhere.
func illegalChar(s string, p int) (at int, f *fault) {
	for p < len(s) {
		if b := s[p]; b >= ' ' && b < utf8.RuneSelf || isSpace(b) {
			p++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[p:])
		switch {
		case len(s)-p < lengthBy(s[p]):
			return p, &fault{partialCharacter, p}
		case r == utf8.RuneError && size == 1, !allowed(r):
			return p, invalid(p)
		}
		p += size
	}
	return p, nil
}

// lengthBy returns how many bytes a character has by its first, or 0.
func lengthBy(first byte) int {
	switch {
	case first >= 0xf0 && first <= 0xf4:
		return 4
	case first >= 0xe0 && first <= 0xef:
		return 3
	case first >= 0xc0 && first <= 0xdf:
		return 2
	}
	return 0
}
