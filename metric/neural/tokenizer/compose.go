package tokenizer

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"omniscope/metric/textnorm"
)

// A normalForm is one of the four normalization forms of Unicode.
type normalForm struct {
	apart norm.Form // the form that takes characters apart
	join  bool      // joins them again
}

var (
	canonical       = normalForm{norm.NFD, true}
	canonicalApart  = normalForm{norm.NFD, false}
	compatible      = normalForm{norm.NFKD, true}
	compatibleApart = normalForm{norm.NFKD, false}
)

// append appends src in the form. Package norm does the same, save that it
// follows the Stream-Safe Text Format and puts a mark of its own, U+034F, behind
// 30 characters that join; a text that has so many is done step by step, as the
// Unicode Standard describes it in 3.11.
func (f normalForm) append(dst, src []byte) []byte {
	if f.join && f.apart == norm.NFD && norm.NFC.IsNormal(src) {
		return append(dst, src...)
	}
	if !manyMarks(src) {
		apart := f.apart.Bytes(src)
		if f.join {
			return norm.NFC.Append(dst, apart...)
		}
		return append(dst, apart...)
	}
	var runes []rune
	for _, r := range string(src) {
		runes = append(runes, []rune(f.apart.String(string(r)))...)
	}
	textnorm.OrderMarks(runes)
	if f.join {
		runes = textnorm.Compose(runes)
	}
	for _, r := range runes {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// manyMarks reports whether so many characters that join follow each other that
// norm could put something in: one character stands for at most three of them.
func manyMarks(src []byte) bool {
	const safe = 8
	run := 0
	for len(src) > 0 {
		n := 1
		if src[0] < utf8.RuneSelf {
			run = 0
		} else {
			p := norm.NFKD.Properties(src)
			if n = p.Size(); n == 0 {
				n = 1
			}
			if run++; p.BoundaryBefore() {
				run = 1
			}
			if run > safe {
				return true
			}
		}
		src = src[n:]
	}
	return false
}
