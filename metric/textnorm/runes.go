package textnorm

import (
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A class is all that the passes ask about a character.
type class uint16

const (
	isWord    class = 1 << iota // \w: a letter, a number or "_"
	isSpace                     // \s, str.isspace, str.split
	isDigit                     // \d: a decimal digit of any script
	isSymbol                    // a mark, symbol or punctuation
	isAccent                    // a mark without width, category Mn
	isCapital                   // str.lower() changes it
	isCompat                    // NFKC changes it, even alone
	isJoiner                    // NFKC may join it to what stands before
	isBlank                     // NFKC changes it into symbols and spaces alone
	isSpelled                   // the English pass over symbols writes it differently: NFKD, or a table
)

// Classes are worked out a page of 256 characters at a time, when the first of
// them is met: a text needs few pages, and a table of all would take a
// noticeable while at every start.
type page [256]class

var pages [(unicode.MaxRune + 1) / 256]atomic.Pointer[page]

func classOf(r rune) class {
	p := pages[r>>8].Load()
	if p == nil {
		p = newPage(r &^ 0xff)
		pages[r>>8].Store(p)
	}
	return p[r&0xff]
}

func newPage(first rune) *page {
	var p page
	for i := range p {
		p[i] = workOutClass(first + rune(i))
	}
	return &p
}

func workOutClass(r rune) (c class) {
	s := string(r)
	_, additional := additionalLetters[r]
	composed, decomposed := norm.NFKC.String(s), norm.NFKD.String(s)
	for _, flag := range []struct {
		c  class
		on bool
	}{
		{isWord, r == '_' || unicode.In(r, unicode.L, unicode.N)},
		{isSpace, IsSpace(r)},
		{isDigit, unicode.Is(unicode.Nd, r)},
		{isSymbol, unicode.In(r, unicode.M, unicode.S, unicode.P)},
		{isAccent, unicode.Is(unicode.Mn, r)},
		{isCapital, unicode.ToLower(r) != r},
		{isCompat, composed != s},
		{isBlank, composed != s && strings.TrimFunc(composed, isSymbolOrSpace) == ""},
		{isJoiner, !norm.NFKC.PropertiesString(decomposed).BoundaryBefore()},
		{isSpelled, additional || decomposed != s},
	} {
		if flag.on {
			c |= flag.c
		}
	}
	return c
}

func isSymbolOrSpace(r rune) bool {
	return IsSpace(r) || unicode.In(r, unicode.M, unicode.S, unicode.P)
}

// ascii holds the classes of the ASCII characters, which most texts are made
// of.
var ascii = func() (t [utf8.RuneSelf]class) {
	for r := range rune(utf8.RuneSelf) {
		t[r] = workOutClass(r)
	}
	return t
}()

// classAt returns the class of the character at b[i] and its length in bytes.
// At the end there is none, and the length is 0.
func classAt(b []byte, i int) (class, int) {
	if i >= len(b) {
		return 0, 0
	}
	if c := b[i]; c < utf8.RuneSelf {
		return ascii[c], 1
	}
	r, size := utf8.DecodeRune(b[i:])
	return classOf(r), size
}

// classBefore returns the class of the character that ends at b[i] and its
// length in bytes; at the start, 0.
func classBefore(b []byte, i int) (class, int) {
	if i == 0 {
		return 0, 0
	}
	r, size := utf8.DecodeLastRune(b[:i])
	return classOf(r), size
}

// runEnd returns where the run of characters of class c that starts at b[i]
// ends.
func runEnd(b []byte, i int, c class) int {
	for {
		for i < len(b) && b[i] < utf8.RuneSelf && ascii[b[i]]&c != 0 {
			i++
		}
		if i == len(b) || b[i] < utf8.RuneSelf {
			return i
		}
		at, size := classAt(b, i)
		if at&c == 0 {
			return i
		}
		i += size
	}
}

// endsWord reports whether a word that ends before b[i] ends there for Python's
// \b.
func endsWord(b []byte, i int) bool {
	c, _ := classAt(b, i)
	return c&isWord == 0
}

// beginsWord is endsWord for the other end.
func beginsWord(b []byte, i int) bool {
	c, _ := classBefore(b, i)
	return c&isWord == 0
}

func isASCIIDigit(c byte) bool { return '0' <= c && c <= '9' }
func isASCIILower(c byte) bool { return 'a' <= c && c <= 'z' }
