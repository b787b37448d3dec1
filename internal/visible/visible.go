// Package visible makes text that came from outside (file names, captions,
// replies, messages of servers) fit for a terminal: what would act rather than
// be read is shown as its code, such as \u001b. Letters of every script, marks
// and emoji stay as they are. It does not escape for Markdown, HTML or a shell;
// documents for programs keep their text as it is.
package visible

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text makes text of several lines fit: line feeds and tabs stay.
func Text(s string) string {
	if plain(s) {
		return s
	}
	return shown(strings.ReplaceAll(s, "\r\n", "\n"), func(r rune) bool { return r == '\n' || r == '\t' }, code)
}

// Line makes text fit for one line: line breaks and tabs become blanks.
func Line(s string) string {
	if plain(s) && strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\t') < 0 {
		return s
	}
	return shown(strings.ReplaceAll(s, "\r\n", "\n"), nil, func(r rune) string {
		if isBreak(r) {
			return " "
		}
		return code(r)
	})
}

// Blank makes text fit for one line and puts a blank for each character that
// acts: for words from outside that the reader will not look up.
func Blank(s string) string {
	if plain(s) && strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\t') < 0 {
		return s
	}
	return shown(s, nil, func(rune) string { return " " })
}

// Acts reports whether a character acts rather than being shown. Joiners do,
// too, but not between letters or parts of an emoji: they are not counted.
func Acts(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case isJoiner(r):
		return false
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return true
	case r == '\u00ad', r == '\u180e', r >= 0x13430 && r <= 0x1345f: // soft hyphens; parts of Mongolian and Egyptian writing
		return false
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isJoiner is of the two joiners, without which Persian, Indic scripts and many
// emoji are misread.
func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

func isBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\t' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// plain reports whether s is printable ASCII, line feeds and tabs, which most
// text is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// shown replaces the characters that act, but those that are kept. Bytes that
// are no UTF-8 become U+FFFD.
func shown(s string, kept func(rune) bool, replace func(rune) string) string {
	var out strings.Builder
	out.Grow(len(s))
	before := utf8.RuneError
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		after, _ := utf8.DecodeRuneInString(s[i+size:])
		switch {
		case kept != nil && kept(r):
			out.WriteRune(r)
		case Acts(r), isJoiner(r) && !joins(before, after):
			out.WriteString(replace(r))
		default:
			out.WriteRune(r)
		}
		before = r
		i += size
	}
	return out.String()
}

// joins reports whether a joiner between two characters has something to join.
// After a mark, such as a virama, it may stand at the end of a word.
func joins(before, after rune) bool {
	if unicode.IsMark(before) {
		return true
	}
	return isJoined(before) && isJoined(after)
}

func isJoined(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r))
}

// code is how a character is shown that acts: as JSON writes it, so that a
// document for programs that comes this way still says the same.
func code(r rune) string {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return code(high) + code(low)
	}
	const digits = "0123456789abcdef"
	return string([]byte{'\\', 'u', digits[r>>12&0xf], digits[r>>8&0xf], digits[r>>4&0xf], digits[r&0xf]})
}

// First is the first n characters of s as they stand in a line, with … where there
// are more.
func First(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > n {
		s = string(runes[:n]) + "…"
	}
	return Line(s)
}
