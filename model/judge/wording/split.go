package wording

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// boundary is what separates a word from the word before it.
type boundary uint8

const (
	noBoundary boundary = iota
	clauseEnd
	sentenceEnd
)

type wordKind uint8

const (
	plainWord wordKind = iota
	numberWord
	gapWord
)

// A Word is a word of a text with its Text, Stem, Function and Number, or a gap [BLANK_n] of a passage, which has an empty Text.
type Word struct {
	*form
	Start, End int // bytes of the text
	Sentence   int // from 0; one of more than 64 words counts as several
	Gap        int // n of a gap
}

// Words cuts a text into words. The memory is proportional to the text.
func Words(text string) []Word {
	lex := lexicons.Get().(*lexicon)
	defer lex.putBack()
	words := make([]Word, 0, len(text)/6)
	const longest = 64 // words of a sentence
	sentence, first := 0, 0
	for i, w := range lex.split(text) {
		if i > 0 && w.boundary == sentenceEnd || i-first == longest {
			sentence++
			first = i
		}
		f := &gap
		if w.kind != gapWord {
			f = lex.form(w.text)
		}
		words = append(words, Word{f, w.start, w.end, sentence, w.number})
	}
	return words
}

var gap form

// split cuts a text into words with numbers in digits. They are valid until the next call.
func (lex *lexicon) split(text string) []word {
	lex.words = split(lex.words[:0], text)
	return joinNumbers(lex.words)
}

// word is one word as written, folded to lower case without accents.
type word struct {
	start, end int // bytes of the source
	text       string
	kind       wordKind
	number     int // of a placeholder
	boundary   boundary
}

// split cuts a source into words, placeholders and boundaries, and appends them to words.
func split(words []word, source string) []word {
	words = slices.Grow(words, len(source)/6)
	first := len(words)
	var pending boundary
	for i := 0; i < len(source); {
		from := len(words)
		r, width := utf8.DecodeRuneInString(source[i:])
		if number, end, ok := placeholder(source, i); ok {
			words = append(words, word{start: i, end: end, kind: gapWord, number: number})
			width = end - i
		} else if isWordRune(r) {
			width = wordEnd(source, i) - i
			words = cut(words, source, i, i+width)
		} else {
			if name, ok := symbols[r]; ok {
				words = append(words, word{start: i, end: i + width, text: name})
				words[from].boundary, pending = pending, noBoundary
				from++
			}
			pending = max(pending, boundaryOf(source, i, width, r, words[first:]))
		}
		for ; from < len(words); from++ {
			words[from].boundary, pending = pending, noBoundary
		}
		i += width
	}
	return words
}

const placeholderPrefix = "[BLANK_"

// placeholder reads [BLANK_n] at i.
func placeholder(source string, i int) (number, end int, ok bool) {
	rest, found := strings.CutPrefix(source[i:], placeholderPrefix)
	if !found {
		return 0, 0, false
	}
	digits := strings.IndexByte(rest, ']')
	if digits < 1 || digits > 9 {
		return 0, 0, false
	}
	number, err := strconv.Atoi(rest[:digits])
	return number, i + len(placeholderPrefix) + digits + 1, err == nil
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' || r == '‘' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// wordEnd finds the end of the word that starts at i. Apostrophes inside
// words, points and commas inside numbers, and the points of initials such
// as L.A. belong to the word.
func wordEnd(s string, i int) int {
	if end := initialsEnd(s, i); end > 0 {
		return end
	}
	for i < len(s) {
		r, width := utf8.DecodeRuneInString(s[i:])
		next, _ := runeAt(s, i+width)
		switch {
		case isWordRune(r):
		case isApostrophe(r) && unicode.IsLetter(next):
		case r == '.' && isDigit(s[i-1]) && next < utf8.RuneSelf && isDigit(byte(next)):
		case r == ',' && isDigit(s[i-1]) && isThousands(s[i+1:]):
		default:
			return i
		}
		i += width
	}
	return i
}

// isThousands reports whether s starts with exactly three digits.
func isThousands(s string) bool {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n == 3
}

// initialsEnd returns the end of at least two letters each followed by a
// point, or 0 if there are fewer.
func initialsEnd(s string, i int) int {
	letters := 0
	for {
		r, width := runeAt(s, i)
		if !unicode.IsLetter(r) || i+width >= len(s) || s[i+width] != '.' {
			break
		}
		letters++
		i += width + 1
	}
	if after, _ := runeAt(s, i); letters < 2 || isWordRune(after) {
		return 0
	}
	return i
}

// boundaryOf returns what the mark r at i ends.
func boundaryOf(s string, i, width int, r rune, before []word) boundary {
	next, _ := runeAt(s, i+width)
	switch r {
	case '!', '?', '\n', '…', '。':
		return sentenceEnd
	case '.':
		if isWordRune(next) || (len(before) > 0 && abbreviations[before[len(before)-1].text]) {
			return noBoundary
		}
		return sentenceEnd
	case ',', ';', ':', '(', ')', '[', ']', '—':
		return clauseEnd
	case '-', '–':
		// Between spaces it is a dash, inside a word a hyphen.
		if i > 0 && s[i-1] == ' ' && next == ' ' {
			return clauseEnd
		}
	}
	return noBoundary
}

// runeAt decodes the rune at i; width is 0 at the end of the text.
func runeAt(s string, i int) (r rune, width int) {
	if i >= len(s) {
		return 0, 0
	}
	return utf8.DecodeRuneInString(s[i:])
}
