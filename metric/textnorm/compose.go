package textnorm

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendNFKC appends the NFKC of a segment as Python has it. Package norm alone
// differs in two ways. It follows the Stream-Safe Text Format and puts a mark of
// its own, U+034F, after 30 characters that join; and its NFKC does not join the
// halfwidth vowels of Hangul, U+FFC2 and on.
func appendNFKC(dst, segment []byte) []byte {
	const safe = 8 // characters: one stands for at most three that join
	switch n := utf8.RuneCount(segment); {
	case n == 1:
		return norm.NFKC.Append(dst, segment...)
	case n <= safe:
		var room [128]byte
		return norm.NFC.Append(dst, norm.NFKD.Append(room[:0], segment...)...)
	}
	runes := decomposed(segment)
	OrderMarks(runes)
	for _, r := range Compose(runes) {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// Decomposition, canonical ordering and canonical composition follow the Unicode
// Standard, 3.11.

// decomposed takes the characters one by one, which are too short each for norm
// to add anything.
func decomposed(segment []byte) (runes []rune) {
	for _, r := range string(segment) {
		runes = append(runes, []rune(norm.NFKD.String(string(r)))...)
	}
	return runes
}

func combiningClass(r rune) int {
	return int(norm.NFKD.PropertiesString(string(r)).CCC())
}

// OrderMarks sorts each run of characters with a combining class by that class:
// Unicode's canonical ordering, of any number of marks.
func OrderMarks(runes []rune) {
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && combiningClass(runes[end]) != 0 {
			end++
		}
		slices.SortStableFunc(runes[i:end], func(a, b rune) int { return combiningClass(a) - combiningClass(b) })
		i = end + 1
	}
}

// Compose joins characters to the last starter, in place, unless another of the
// same or a higher class lies between: Unicode's canonical composition of
// characters that are taken apart and in order.
func Compose(runes []rune) []rune {
	const none = -1
	composed, starter, last := runes[:0], none, none
	for _, r := range runes {
		ccc := combiningClass(r)
		if starter != none && last < ccc {
			if both := []rune(norm.NFC.String(string([]rune{composed[starter], r}))); len(both) == 1 {
				composed[starter] = both[0]
				continue
			}
		}
		if last = ccc; ccc == 0 {
			starter, last = len(composed), none
		}
		composed = append(composed, r)
	}
	return composed
}
