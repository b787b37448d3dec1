package textnorm

import "unicode/utf8"

// Basic normalises a text of any language but English as BasicTextNormalizer of
// whisper_normalizer 0.0.10 does with its defaults: lower case; without what
// stands in brackets; NFKC; every mark, symbol and punctuation becomes a blank;
// lower case again; every run of whitespace becomes one blank. A blank at either
// end stays.
func Basic(s string) string {
	t := take(s)
	defer t.give()
	t.removeBrackets()
	b := basicStripper{dst: t.spare[:0]}
	b.strip(t.now)
	t.now, t.spare = b.dst, t.now
	if b.capitals {
		t.now, t.spare = appendLower(t.spare[:0], string(t.now)), t.now
	}
	return string(t.now)
}

// A basicStripper brings a text into NFKC, replaces symbols by blanks, and
// leaves one blank of each run of whitespace.
type basicStripper struct {
	dst []byte

	// NFKC brought in something to lower again, as from U+2121, "TEL". That comes
	// last here: how many blanks stand in a row is all one to it.
	capitals bool
}

// strip appends the normalised src.
//
// NFKC changes nothing but segments: a character, and those after it that may
// join it. Nearly all are one character that NFKC leaves alone.
func (b *basicStripper) strip(src []byte) {
	for i := 0; i < len(src); {
		if n := plainEnd(src, i); n > i {
			b.dst = append(b.dst, src[i:n]...)
			i = n
			continue
		}
		c, size := classAt(src, i)
		end := i + size
		if end < len(src) && src[end] >= utf8.RuneSelf {
			end = runEnd(src, end, isJoiner)
		}
		switch {
		case end > i+size || c&(isCompat|isBlank) == isCompat:
			b.segment(src[i:end])
		case c&(isSymbol|isSpace|isBlank) != 0:
			b.blank()
		default:
			b.dst = append(b.dst, src[i:end]...)
		}
		i = end
	}
}

// plainEnd returns where the characters of ASCII at src[i] that stay as they are
// end. The one before a character beyond ASCII is not among them.
func plainEnd(src []byte, i int) int {
	for ; i < len(src) && src[i] < utf8.RuneSelf; i++ {
		if ascii[src[i]]&(isSymbol|isSpace) != 0 {
			return i
		}
	}
	if i < len(src) && i > 0 {
		return i - 1
	}
	return i
}

func (b *basicStripper) blank() {
	if n := len(b.dst); n == 0 || b.dst[n-1] != ' ' {
		b.dst = append(b.dst, ' ')
	}
}

// segment appends a segment that NFKC may change.
func (b *basicStripper) segment(segment []byte) {
	var room [64]byte
	composed := appendNFKC(room[:0], segment)
	for i := 0; i < len(composed); {
		c, size := classAt(composed, i)
		if c&(isSymbol|isSpace) != 0 {
			b.blank()
		} else {
			b.dst = append(b.dst, composed[i:i+size]...)
		}
		b.capitals = b.capitals || c&isCapital != 0
		i += size
	}
}
