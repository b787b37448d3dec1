package capricorn

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How much of a caption is shown, in characters. A longer one is cut between
// its edges, except around marked places.
const (
	mostShown  = 20_000
	edgeShown  = 5_000  // at either end
	aroundMark = 80     // on either side
	mostPlaces = 10_000 // of one description
)

// A mark is a place of a caption where a description stands, in bytes.
type mark struct {
	start, end int
	of         int // index of the description
	nth        int // index among the marks of this description
}

// findMarks finds descriptions in a caption as whole words. It ignores case,
// white space and the form of quotes. Of overlapping marks the longer stays.
// The marks come in order.
func findMarks(caption string, descriptions []string) []mark {
	text := fold(caption)
	var found []mark
	for i, d := range descriptions {
		found = appendPlaces(found, text, fold(d), i)
	}
	slices.SortStableFunc(found, func(a, b mark) int { return cmp.Compare(b.end-b.start, a.end-a.start) })
	taken := make([]bool, len(text))
	found = slices.DeleteFunc(found, func(m mark) bool {
		if taken[m.start] || taken[m.end-1] { // what stands there is at least as long, so it covers an end
			return true
		}
		for k := m.start; k < m.end; k++ {
			taken[k] = true
		}
		return false
	})
	slices.SortFunc(found, func(a, b mark) int { return cmp.Compare(a.start, b.start) })
	unfold(caption, found)
	seen := make([]int, len(descriptions))
	for i := range found {
		m := &found[i]
		m.nth = seen[m.of]
		seen[m.of]++
	}
	return found
}

// appendPlaces finds want in text, both folded.
func appendPlaces(found []mark, text, want string, of int) []mark {
	if want == "" {
		return found
	}
	for at, n := 0, 0; n < mostPlaces; {
		i := strings.Index(text[at:], want)
		if i < 0 {
			break
		}
		start := at + i
		end := start + len(want)
		if inWord(text, start) || inWord(text, end) {
			at = wordEnd(text, start)
			continue
		}
		found = append(found, mark{start: start, end: end, of: of})
		at = end
		n++
	}
	return found
}

// wordEnd returns the first place after at that is not inside a word.
func wordEnd(text string, at int) int {
	for {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
		if !inWord(text, at) {
			return at
		}
	}
}

// inWord reports whether at is between two characters of a word.
func inWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return isSpacedWordRune(before) && isSpacedWordRune(after)
}

// isSpacedWordRune reports whether r belongs to a word in a script that puts spaces
// between words.
func isSpacedWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' // it is folded
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// fold normalises case and quotes, replaces each run of white space by one space
// and trims the ends.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for at := 0; at < len(s); {
		r, size := foldAt(s, at)
		if r != ' ' || b.Len() > 0 && at+size < len(s) {
			b.WriteRune(r)
		}
		at += size
	}
	return b.String()
}

// foldAt returns the folded character at a byte of s, and how many bytes of s it
// replaces.
func foldAt(s string, at int) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s[at:])
	switch {
	case unicode.IsSpace(r):
		rest := strings.TrimLeftFunc(s[at:], unicode.IsSpace)
		return ' ', len(s) - at - len(rest)
	case r == '‘' || r == '’':
		return '\'', size
	case r == '“' || r == '”':
		return '"', size
	}
	return unicode.ToLower(unicode.ToUpper(r)), size
}

// unfold turns places in the folded text into places in s. The marks must be in
// order and must not overlap.
func unfold(s string, marks []mark) {
	folded, k, start := 0, 0, 0
	for at := 0; at < len(s) && k < len(marks); {
		r, size := foldAt(s, at)
		if r == ' ' && folded == 0 {
			at += size
			continue
		}
		if marks[k].start == folded {
			start = at
		}
		folded += utf8.RuneLen(r)
		at += size
		if marks[k].end == folded {
			marks[k].start, marks[k].end = start, at
			k++
		}
	}
}

// A stretch is a part of a text, in bytes.
type stretch struct{ start, end int }

// stretches returns the parts of a caption to show: all of it, or its edges, the
// first place of every description, and further places until mostShown is reached.
func stretches(caption string, marks []mark) []stretch {
	if utf8.RuneCountInString(caption) <= mostShown {
		return []stretch{{0, len(caption)}}
	}
	head, tail := ahead(caption, 0, edgeShown), back(caption, len(caption), edgeShown)
	out := []stretch{{0, head}, {tail, len(caption)}}
	room := mostShown - 2*edgeShown
	marks = slices.Clone(marks)
	slices.SortStableFunc(marks, func(a, b mark) int { return cmp.Compare(a.nth, b.nth) })
	for _, m := range marks {
		if m.end <= head || m.start >= tail {
			continue
		}
		if m.nth > 0 && room <= 0 {
			break
		}
		s := stretch{back(caption, m.start, aroundMark), ahead(caption, m.end, aroundMark)}
		room -= utf8.RuneCountInString(caption[s.start:s.end])
		out = append(out, s)
	}
	return joined(out)
}

// joined puts stretches in order and joins those with little between them.
func joined(list []stretch) []stretch {
	slices.SortFunc(list, func(a, b stretch) int { return cmp.Compare(a.start, b.start) })
	out := list[:1]
	for _, s := range list[1:] {
		if last := &out[len(out)-1]; s.start <= last.end+aroundMark {
			last.end = max(last.end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}

// ahead returns the place n characters after at, at most the end of s; back the
// place n characters before it.
func ahead(s string, at, n int) int {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

func back(s string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}

// A piece is a part of a shown caption: words, a description with its tags, or
// the number of characters left out.
type piece struct {
	text string
	tags []tag
	gap  int
}

// piecesOf cuts a caption at its marks. tags are those of each description.
func piecesOf(caption string, marks []mark, tags [][]tag) []piece {
	var out []piece
	at := 0
	words := func(end int) {
		if end > at {
			out = append(out, piece{text: caption[at:end]})
		}
		at = end
	}
	for _, s := range stretches(caption, marks) {
		if s.start > at {
			out = append(out, piece{gap: utf8.RuneCountInString(caption[at:s.start])})
			at = s.start
		}
		for len(marks) > 0 && marks[0].end <= s.end {
			m := marks[0]
			marks = marks[1:]
			if m.start < at {
				continue // it begins in what is left out
			}
			words(m.start)
			out = append(out, piece{text: caption[m.start:m.end], tags: tags[m.of]})
			at = m.end
		}
		words(s.end)
	}
	return out
}
