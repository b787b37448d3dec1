package letters

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// A search is a pattern that is looked for in long texts. It gives the matches of the pattern, but runs it only on the stretches of
// a text that have one of some words: on the whole text a large pattern takes a microsecond for each byte.
type search struct {
	pattern func() *regexp.Regexp
	apart   string   // characters of ASCII that a match has at most as its first; none belongs to a word
	words   []string // each match has one of them; ASCII in small letters, others as they are found in either case
}

// pattern compiles a pattern when it is used first: most commands use no search, and all of them take 6 ms and 3 MB.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// A folded text is a text with what searches need of it.
type folded struct {
	text, small string
	ok          bool // small is the text in small letters; see smallLetters
	ascii       bool
}

func fold(text string) *folded {
	small, ok := smallLetters(text)
	return &folded{text, small, ok, isASCII(text)}
}

// all are the matches, as FindAllStringSubmatchIndex gives them.
func (s *search) all(f *folded) (found [][]int) {
	s.each(f, func(at int, stretch string) bool {
		for _, m := range s.pattern().FindAllStringSubmatchIndex(stretch, -1) {
			for i := range m {
				if m[i] >= 0 {
					m[i] += at
				}
			}
			found = append(found, m)
		}
		return true
	})
	return found
}

// in reports whether the pattern matches anywhere.
func (s *search) in(f *folded) (found bool) {
	s.each(f, func(_ int, stretch string) bool {
		found = s.pattern().MatchString(stretch)
		return !found
	})
	return found
}

// each calls do for the stretches that may have matches, until it returns false. A stretch begins with a character that stands
// apart, and ends before the next one, so that no match lies in two of them.
func (s *search) each(f *folded, do func(at int, stretch string) bool) {
	switch {
	case !f.ok:
		do(0, f.text)
		return
	case !s.hasWord(f.small, f.ascii):
		return
	}
	text := f.text
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexAny(text[start+1:], s.apart); i >= 0 {
			end = start + 1 + i
		}
		if s.hasWord(f.small[start:end], f.ascii) && !do(start, text[start:end]) {
			return
		}
		start = end
	}
}

// hasWord reports whether a text in small letters has one of the words. ascii says that it has no other characters.
func (s *search) hasWord(small string, ascii bool) bool {
	for _, word := range s.words {
		if (!ascii || word[0] < utf8.RuneSelf) && strings.Contains(small, word) {
			return true
		}
	}
	return false
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// smallLetters is a text with small letters in place of ASCII's capitals, of the same length. ok is false where the text has one of
// the two characters beyond ASCII that patterns take for an s or a k.
func smallLetters(text string) (small string, ok bool) {
	if strings.Contains(text, "ſ") || strings.Contains(text, "\u212a") {
		return "", false
	}
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b), true
}
