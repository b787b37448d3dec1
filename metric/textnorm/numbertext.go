package textnorm

import "bytes"

// What is done to the text before and after numbers are read.

// writeHalves writes "point five" for "and a half" after a number word, and
// leaves it elsewhere. What stands between two of them, or before the first, and
// is blank, goes with the phrase after it.
func writeHalves(dst, src []byte) []byte {
	for {
		start, end := findHalf(src)
		before := src[:start]
		if len(bytes.TrimFunc(before, IsSpace)) > 0 {
			dst = append(appendBlank(dst), before...)
			if start < len(src) {
				dst = append(appendBlank(dst), halfAfter(before)...)
			}
		}
		if start == len(src) {
			return dst
		}
		src = src[end:]
	}
}

func appendBlank(dst []byte) []byte {
	if len(dst) == 0 {
		return dst
	}
	return append(dst, ' ')
}

// findHalf returns where the first "and a half" of src starts and ends, or its
// length twice.
func findHalf(src []byte) (start, end int) {
	for from := 0; ; {
		n := bytes.Index(src[from:], []byte("and"))
		if n < 0 {
			return len(src), len(src)
		}
		start, from = from+n, from+n+len("and")
		if end, ok := skipWord(src, from, "a"); ok && beginsWord(src, start) {
			if end, ok := skipWord(src, end, "half"); ok && endsWord(src, end) {
				return start, end
			}
		}
	}
}

// skipWord passes over whitespace and the word.
func skipWord(src []byte, i int, word string) (end int, ok bool) {
	start := runEnd(src, i, isSpace)
	return start + len(word), start > i && bytes.HasPrefix(src[start:], []byte(word))
}

// halfAfter returns what to write for the phrase after a text, which is not
// blank.
func halfAfter(before []byte) string {
	words := bytes.FieldsFunc(before, IsSpace)
	switch numberWordOf(words[len(words)-1]).role {
	case zero, ones, tens, power:
		return "point five"
	}
	return "and a half"
}

// partDigits puts a blank between a letter and a digit of ASCII. Between a digit
// and an ordinal or plural suffix, though, it takes whitespace away.
func partDigits(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		c := src[i]
		dst = append(dst, c)
		i++
		if i == len(src) {
			break
		}
		switch {
		case isASCIILower(c) && isASCIIDigit(src[i]):
			dst = append(dst, ' ')
		case isASCIIDigit(c):
			start := runEnd(src, i, isSpace)
			switch end, ok := suffixEnd(src, start); {
			case ok:
				dst = append(dst, src[start:end-1]...)
				i = end - 1 // its last letter may have a digit behind it
			case isASCIILower(src[i]):
				dst = append(dst, ' ')
			}
		}
	}
	return dst
}

// suffixEnd returns where a suffix at src[i] ends, if one is there. A digit ends
// it, since there will be a blank between.
func suffixEnd(src []byte, i int) (end int, ok bool) {
	for _, suffix := range []string{"st", "nd", "rd", "th", "s"} {
		if end := i + len(suffix); bytes.HasPrefix(src[i:], []byte(suffix)) {
			if endsWord(src, end) || isASCIIDigit(src[end]) {
				return end, true
			}
		}
	}
	return 0, false
}

// joinCents mends amounts of money, then writes "one" for a lone 1.
func (t *text) joinCents() {
	if nextCurrency(t.now, 0) < len(t.now) {
		t.through(addCents)
		t.through(extractCents)
	}
	if bytes.IndexByte(t.now, '1') >= 0 {
		t.through(writeOne)
	}
}

// nextCurrency returns where the next currency other than cents begins, or the
// length of src.
func nextCurrency(src []byte, i int) int {
	for ; i < len(src); i++ {
		if c := src[i]; c == '$' || (c == "£"[0] || c == "€"[0]) && currencySize(src[i:]) > 0 {
			break
		}
	}
	return i
}

// currencySize returns the length of the currency that b begins with, other
// than cents, or 0.
func currencySize(b []byte) int {
	for _, sign := range []string{"$", "£", "€"} {
		if bytes.HasPrefix(b, []byte(sign)) {
			return len(sign)
		}
	}
	return 0
}

// addCents writes "$2.07" for "$2 and ¢7" and "$2 ¢7".
func addCents(dst, src []byte) []byte {
	copied := 0
	for i := nextCurrency(src, 0); i < len(src); i = nextCurrency(src, i+1) {
		start := i + currencySize(src[i:])
		whole := digitsEnd(src, start, len(src))
		if whole == start || whole == len(src) || src[whole] != ' ' {
			continue
		}
		rest := bytes.TrimPrefix(src[whole+1:], []byte("and "))
		cents, found := bytes.CutPrefix(rest, []byte("¢"))
		n := digitsEnd(cents, 0, 2)
		if !found || n == 0 || !endsWord(cents, n) {
			continue
		}
		dst = append(append(dst, src[copied:whole]...), '.')
		if n == 1 {
			dst = append(dst, '0')
		}
		dst = append(dst, cents[:n]...)
		copied = len(src) - len(cents) + n
	}
	return append(dst, src[copied:]...)
}

// extractCents writes "¢75" for "$0.75"; the original takes any character for
// the period.
func extractCents(dst, src []byte) []byte {
	copied := 0
	for i := nextCurrency(src, 0); i < len(src); i = nextCurrency(src, max(i+1, copied)) {
		zero := i + currencySize(src[i:])
		if zero == len(src) || src[zero] != '0' {
			continue
		}
		_, size := classAt(src, zero+1)
		cents := zero + 1 + size
		end := digitsEnd(src, cents, 2)
		if end == cents || !endsWord(src, end) {
			continue
		}
		dst = append(append(dst, src[copied:i]...), "¢"...)
		if src[cents] == '0' && end-cents == 2 {
			cents++
		}
		dst = append(dst, src[cents:end]...)
		copied = end
	}
	return append(dst, src[copied:]...)
}

// digitsEnd returns where the digits of ASCII at b[i], at most so many, end.
func digitsEnd(b []byte, i, most int) int {
	end := i
	for end < len(b) && end-i < most && isASCIIDigit(b[end]) {
		end++
	}
	return end
}

// writeOne writes "one" for the word "1" and "ones" for "1s".
func writeOne(dst, src []byte) []byte {
	copied := 0
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '1')
		if n < 0 {
			return append(dst, src[copied:]...)
		}
		i += n
		end := i + 1
		if end < len(src) && src[end] == 's' {
			end++
		}
		if beginsWord(src, i) && endsWord(src, end) {
			dst = append(append(dst, src[copied:i]...), "one"...)
			copied = i + 1
		}
		i++
	}
}
