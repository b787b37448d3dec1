package captions

import (
	"slices"
	"strings"
)

// endOfTurn is a mark of some captioners. A caption with it is taken to have ended by itself.
const endOfTurn = "<|im_end|>"

// prepared is a caption as it is shown to the judge: without the mark of its end, or, where
// it has none, with its repetitions collapsed.
func prepared(caption string) string {
	if strings.Contains(caption, endOfTurn) {
		return strings.ReplaceAll(caption, endOfTurn, "")
	}
	return collapse(caption)
}

// collapse puts one copy in place of a unit that stands many times in a row, as captioners
// end that cannot stop: units of 1 to 49 characters at least 5 times, of 50 to 99 at least 4
// times, 201 copies at most to a match. Units are tried from the shortest on, each from left
// to right over the whole text, and have no line break.
func collapse(caption string) string {
	text := []rune(caption)
	for size := 1; size < 100; size++ {
		least := 5
		if size >= 50 {
			least = 4
		}
		text = collapseUnits(text, size, least)
	}
	return string(text)
}

func collapseUnits(text []rune, size, least int) []rune {
	if len(text) < size*least {
		return text
	}
	const most = 201
	var out []rune
	copied := 0 // text before it is in out
	for at := 0; at+size*least <= len(text); {
		n := copies(text[at:], size, most)
		if n < least || slices.Contains(text[at:at+size], '\n') {
			at++
			continue
		}
		out = append(out, text[copied:at+size]...)
		at += n * size
		copied = at
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

// copies is how often the first size characters of text stand in a row, at most most times.
func copies(text []rune, size, most int) int {
	same := size
	for same < len(text) && same < size*most && text[same] == text[same-size] {
		same++
	}
	return same / size
}
