package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// An added token is looked for in the text before anything else is done to it.
type added struct {
	content string // as it is looked for
	id      int32
	left    bool // takes the white space on its left along
	right   bool // takes the white space on its right along
	word    bool // counts only where no word goes on beside it
}

// A splitter finds added tokens.
type splitter struct {
	tokens []added
	first  string           // the bytes that tokens start with
	starts map[byte][]added // tokens by first byte, longest first
}

func newSplitter(tokens []added) *splitter {
	s := &splitter{starts: map[byte][]added{}}
	for _, t := range tokens {
		if t.content == "" {
			continue
		}
		s.tokens = append(s.tokens, t)
		b := t.content[0]
		if len(s.starts[b]) == 0 {
			s.first += t.content[:1]
		}
		same := append(s.starts[b], t)
		for i := len(same) - 1; i > 0 && len(same[i].content) > len(same[i-1].content); i-- {
			same[i], same[i-1] = same[i-1], same[i]
		}
		s.starts[b] = same
	}
	return s
}

// next finds the first token at or behind from, the longest of those that start
// there. A token of length 0 is none.
func (s *splitter) next(text string, from int) (t added, at int) {
	for at = from; at < len(text); at++ {
		skip := s.skip(text[at:])
		if skip < 0 {
			break
		}
		at += skip
		for _, t := range s.starts[text[at]] {
			if strings.HasPrefix(text[at:], t.content) {
				return t, at
			}
		}
	}
	return added{}, len(text)
}

// skip is how far it is to a byte that a token starts with, negative when there
// is none.
func (s *splitter) skip(text string) int {
	if len(s.first) == 1 {
		return strings.IndexByte(text, s.first[0])
	}
	for i := range len(text) {
		if strings.IndexByte(s.first, text[i]) >= 0 {
			return i
		}
	}
	return -1
}

// each calls see for every stretch of text that is not empty: id is that of an
// added token, or negative for text. It ends when see says false.
func (s *splitter) each(text string, see func(part string, id int32) bool) {
	done := 0
	for from := 0; from < len(text); {
		t, start := s.next(text, from)
		if t.content == "" {
			break
		}
		end := start + len(t.content)
		from = end
		if t.word && (endsWithWord(text[:start]) || startsWithWord(text[end:])) {
			continue
		}
		if t.left {
			start = max(done, len(strings.TrimRightFunc(text[:start], unicode.IsSpace)))
		}
		if t.right {
			end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		if done < start && !see(text[done:start], -1) || !see(t.content, t.id) {
			return
		}
		done = end
	}
	if done < len(text) {
		see(text[done:], -1)
	}
}

func endsWithWord(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	return n > 0 && isWord(r)
}

func startsWithWord(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n > 0 && isWord(r)
}

// isWord is \w as Unicode has it (UTS 18, annex C).
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}
