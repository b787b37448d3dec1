package textnorm

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// additionalLetters are letters that NFKD does not take apart, and what is
// written for them. Capitals occur: NFKD makes "Æ" of U+1D2D.
var additionalLetters = map[rune]string{
	'œ': "oe", 'Œ': "OE", 'ø': "o", 'Ø': "O", 'æ': "ae", 'Æ': "AE", 'ß': "ss", 'ẞ': "SS",
	'đ': "d", 'Đ': "D", 'ð': "d", 'Ð': "D", 'þ': "th", 'Þ': "th", 'ł': "l", 'Ł': "L",
}

// isSign reports whether r is one of the symbols that numbers need.
func isSign(r rune) bool {
	switch r {
	case '.', '%', '$', '¢', '€', '£':
		return true
	}
	return false
}

// joinThousands removes the comma between two digits. A digit belongs to one
// comma: "1,2,3" becomes "12,3".
func joinThousands(dst, src []byte) []byte {
	copied, free := 0, 0 // free: where the digits that no comma has begin
	for i := 0; ; i++ {
		n := bytes.IndexByte(src[i:], ',')
		if n < 0 {
			return append(dst, src[copied:]...)
		}
		i += n
		before, size := classBefore(src, i)
		after, next := classAt(src, i+1)
		if before&after&isDigit != 0 && i-size >= free {
			dst = append(dst, src[copied:i]...)
			copied, free = i+1, i+1+next
		}
	}
}

// asciiStripped is what stripEnglish writes for a character of ASCII.
var asciiStripped = func() (t [utf8.RuneSelf]byte) {
	for r, c := range ascii {
		t[r] = byte(r)
		if c&isSymbol != 0 && !isSign(rune(r)) {
			t[r] = ' '
		}
	}
	return t
}()

// stripEnglish takes away accents and replaces symbols by blanks, apart from
// signs, and periods that no digit of ASCII follows. Of two periods in a row the
// first is replaced and the second stays, for the character after a replaced
// period is not looked at again.
//
// NFKD also puts marks in order. That can be left out: all marks are dropped or
// become blanks, in any order.
func stripEnglish(dst, src []byte) []byte {
	passed := -1 // the place that a period before it has looked at
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '.' && i != passed && (i+1 == len(src) || !isASCIIDigit(src[i+1])):
			dst = append(dst, ' ')
			i++
			passed = i
		case c < utf8.RuneSelf:
			dst = append(dst, asciiStripped[c])
			i++
		default:
			r, size := utf8.DecodeRune(src[i:])
			dst = appendSpelled(dst, r, src[i:i+size])
			i += size
		}
	}
	return dst
}

// appendSpelled appends r, whose bytes are char, without accents and symbols.
func appendSpelled(dst []byte, r rune, char []byte) []byte {
	switch c := classOf(r); {
	case isSign(r):
		return append(dst, char...)
	case c&isSpelled != 0:
		return appendDecomposed(dst, char)
	case c&isAccent != 0:
		return dst
	case c&isSymbol != 0:
		return append(dst, ' ')
	}
	return append(dst, char...)
}

func appendDecomposed(dst, char []byte) []byte {
	var room [64]byte
	parts := norm.NFKD.Append(room[:0], char...)
	for i := 0; i < len(parts); {
		r, size := utf8.DecodeRune(parts[i:])
		part := parts[i : i+size]
		switch letters, additional := additionalLetters[r]; {
		case additional:
			dst = append(dst, letters...)
		case isSign(r):
			dst = append(dst, part...)
		case classOf(r)&isAccent != 0:
		case classOf(r)&isSymbol != 0:
			dst = append(dst, ' ')
		default:
			dst = append(dst, part...)
		}
		i += size
	}
	return dst
}

// dropLooseSigns takes away the signs that belong to no digit of ASCII: periods
// and currencies without one after them, percent signs without one before them.
// Then one blank is left of each run; other whitespace is gone by now.
func (t *text) dropLooseSigns() {
	if nextLeadingSign(t.now, 0) < len(t.now) {
		t.through(dropLeadingSigns)
	}
	if bytes.IndexByte(t.now, '%') >= 0 {
		t.through(dropTrailingPercents)
	}
	if bytes.Contains(t.now, []byte("  ")) {
		t.through(collapseBlanks)
	}
}

// nextLeadingSign returns where the next sign that precedes digits begins, or
// the length of src.
func nextLeadingSign(src []byte, i int) int {
	for ; i < len(src); i++ {
		switch src[i] {
		case '.', '$':
			return i
		case "¢"[0], "€"[0]: // of "£" as well
			if r, _ := utf8.DecodeRune(src[i:]); isSign(r) {
				return i
			}
		}
	}
	return i
}

// dropLeadingSigns passes over the character after a sign that goes, so that of
// "$$" the second stays.
func dropLeadingSigns(dst, src []byte) []byte {
	copied := 0
	for i := nextLeadingSign(src, 0); i < len(src); i = nextLeadingSign(src, i) {
		_, sign := classAt(src, i)
		next := i + sign
		_, size := classAt(src, next)
		if size > 0 && !isASCIIDigit(src[next]) {
			dst = append(append(dst, src[copied:i]...), ' ')
			copied, next = next, next+size
		}
		i = next
	}
	return append(dst, src[copied:]...)
}

// dropTrailingPercents likewise: each sign needs a character before it that no
// other sign has had.
func dropTrailingPercents(dst, src []byte) []byte {
	copied, free := 0, 0 // free: where the characters that no sign has had begin
	for i := 0; ; i++ {
		n := bytes.IndexByte(src[i:], '%')
		if n < 0 {
			return append(dst, src[copied:]...)
		}
		i += n
		if i > free && !isASCIIDigit(src[i-1]) {
			dst = append(append(dst, src[copied:i]...), ' ')
			copied, free = i+1, i+1
		}
	}
}

func collapseBlanks(dst, src []byte) []byte {
	for i, c := range src {
		if c != ' ' || i == 0 || src[i-1] != ' ' {
			dst = append(dst, c)
		}
	}
	return dst
}
