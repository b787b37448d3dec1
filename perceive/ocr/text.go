package ocr

import (
	"strings"
	"unicode"
)

// alikeMost is the least likeness of two readings of one line.
const alikeMost = 0.75

// folded keeps of a text what two readings of it should share: letters and
// digits, without regard to case.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// shape is a text with each number as one 0 and each mark as a point, "" if
// fewer than half of its letters and digits are digits: two such texts of one
// shape are two states of a counter. Marks are alike because a colon is easily
// taken for a semicolon.
func shape(s string) string {
	if n := letters(s); n == 0 || 2*digits(s) < n {
		return ""
	}
	var b strings.Builder
	var before rune
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			r = '0'
		case !unicode.IsLetter(r):
			r = '.'
		}
		if r != before || unicode.IsLetter(r) {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}
