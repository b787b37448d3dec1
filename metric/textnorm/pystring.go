package textnorm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsSpace reports whether r is whitespace to Python: str.isspace() of one
// character, which is also what str.split(), str.strip() and \s go by. Unlike
// unicode.IsSpace it holds the four separators U+001C to U+001F.
func IsSpace(r rune) bool {
	return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f
}

// Fields is Python's str.split(): the runs of s without whitespace.
func Fields(s string) []string { return strings.FieldsFunc(s, IsSpace) }

// Strip is Python's str.strip(): s without whitespace at its ends.
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }

// Words returns the words that jiwer 3.0.5 compares by default: every run of
// two or more whitespace characters becomes one blank, both ends are stripped,
// and the rest is cut at blanks, U+0020, alone. A single tab or line break
// between two words therefore does not part them.
func Words(s string) []string {
	s = Strip(s)
	var words []string
	start := 0
	for i := 0; i < len(s); {
		end, n := i, 0 // of the run of whitespace at i
		for end < len(s) {
			r, size := utf8.DecodeRuneInString(s[end:])
			if !IsSpace(r) {
				break
			}
			end, n = end+size, n+1
		}
		switch {
		case n >= 2 || n == 1 && s[i] == ' ':
			words = append(words, s[start:i])
			start = end
		case n == 0:
			_, size := utf8.DecodeRuneInString(s[i:])
			end = i + size
		}
		i = end
	}
	if start < len(s) {
		words = append(words, s[start:])
	}
	return words
}

// Lower is Python's str.lower(): full case mapping, with the two exceptions of
// Unicode's SpecialCasing that need no language. "İ" becomes "i" and a dot
// above, and "Σ" at the end of a word becomes "ς".
func Lower(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return string(appendLower(nil, s))
		}
	}
	return s
}

var asciiLower = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	return t
}()

// appendLower appends the lower case of s, in valid UTF-8.
func appendLower(dst []byte, s string) []byte {
	copied := 0 // of s, apart from capitals of ASCII
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError || classOf(r)&isCapital != 0 {
			dst = appendLowerASCII(dst, s[copied:i])
			dst = appendLowerRune(dst, s, i, r)
			copied = i + size
		}
		i += size
	}
	return appendLowerASCII(dst, s[copied:])
}

func appendLowerASCII(dst []byte, s string) []byte {
	start := len(dst)
	dst = append(dst, s...)
	for i, c := range dst[start:] {
		dst[start+i] = asciiLower[c]
	}
	return dst
}

// appendLowerRune appends the lower case of r, which stands at s[i].
func appendLowerRune(dst []byte, s string, i int, r rune) []byte {
	const capitalSigma, capitalDottedI = 'Σ', 'İ'
	switch {
	case r == capitalDottedI:
		return append(dst, "i\u0307"...)
	case r == capitalSigma && endsCasedWord(s[:i], s[i+len("Σ"):]):
		return append(dst, "ς"...)
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// endsCasedWord is the condition Final_Sigma of the Unicode Standard, 3.13: a
// cased letter stands before and none after, whatever ignorable characters lie
// between.
func endsCasedWord(before, after string) bool {
	before = strings.TrimRightFunc(before, isCaseIgnorable)
	after = strings.TrimLeftFunc(after, isCaseIgnorable)
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return isCased(last) && !isCased(next)
}

// isCased is the property Cased.
func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isCaseIgnorable is the property Case_Ignorable: marks, modifiers, formats, and
// the punctuation that Word_Break lets stand in the middle of a word.
func isCaseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:·\u0387\u055f\u05f4‘’\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a", r)
}
