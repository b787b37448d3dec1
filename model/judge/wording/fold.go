package wording

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// cut folds the word source[start:end] and splits what is written together:
// "18.6mph" is a number and a unit, "isn't" is "is" and "not". It appends the words to others.
func cut(words []word, source string, start, end int) []word {
	text := fold(source[start:end])
	if text == "" {
		return words
	}
	if isDigit(text[0]) {
		return append(words, cutNumber(text, start, end)...)
	}
	if full, ok := contractions[text]; ok {
		text = full
	} else if base, ok := strings.CutSuffix(text, "n't"); ok && base != "" {
		text = base + " not"
	} else if i := strings.IndexByte(text, '\''); i > 0 {
		// A possessive or a short verb: 's, 're, 'll, 've, 'd, 'm.
		text = text[:i]
	}
	text = strings.ReplaceAll(text, "'", "")
	if text == "" {
		return words
	}
	if base, not := strings.CutSuffix(text, " not"); not {
		return append(words, word{start: start, end: end, text: base}, word{start: start, end: end, text: "not"})
	}
	return append(words, word{start: start, end: end, text: text})
}

// fold lowers the case, drops accents and the points of initials, and writes
// every apostrophe the same way.
func fold(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case isApostrophe(r):
			b.WriteByte('\'')
		case unicode.IsMark(r) || r == utf8.RuneError:
		case r == '.' && !endsInDigit(b.String()):
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && !isDigit(c) {
			return false
		}
	}
	return true
}

func endsInDigit(s string) bool { return s != "" && isDigit(s[len(s)-1]) }

// cutNumber reads digits with what follows them: an ordinal suffix, a plural
// s, or a unit.
func cutNumber(text string, start, end int) []word {
	n := 0
	for n < len(text) && (isDigit(text[n]) || text[n] == '.' || text[n] == ',') {
		n++
	}
	number := word{start: start, end: end, text: canonicalNumber(text[:n]), kind: numberWord}
	switch rest := strings.Trim(text[n:], "'"); rest {
	case "", "s":
		return []word{number}
	case "st", "nd", "rd", "th":
		number.text += ordinalMark
		return []word{number}
	default:
		unit := word{start: start, end: end, text: rest}
		if full, ok := units[rest]; ok {
			unit.text = full
		}
		return []word{number, unit}
	}
}

// canonicalNumber drops thousands separators and a fraction of zeros.
func canonicalNumber(s string) string {
	s = strings.ReplaceAll(s, ",", "")
	if strings.Count(s, ".") == 1 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "" {
		return "0"
	}
	return s
}
