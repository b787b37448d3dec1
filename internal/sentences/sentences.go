// Package sentences cuts a text into sentences by rules: marks that end one, line ends, and
// abbreviations that do not. It knows no language and guesses nothing; what a sentence says is its
// users' business.
package sentences

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sentence is one of a text.
type sentence struct {
	Text   string
	Before string // the white space before it
}

// Cut cuts a text into sentences. The sentences and the white space before them are the text,
// but for white space at its end.
func Cut(text string) (sentences []sentence) {
	start := 0
	add := func(end int) {
		trimmed := strings.TrimLeftFunc(text[start:end], unicode.IsSpace)
		if body := strings.TrimRightFunc(trimmed, unicode.IsSpace); body != "" {
			from := end - len(trimmed)
			sentences = append(sentences, sentence{Text: body, Before: text[start:from]})
			start = from + len(body)
		}
	}
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch {
		case r == '\n':
			add(end)
		case strings.ContainsRune("。！？", r):
			add(end)
		case strings.ContainsRune(".!?…", r):
			if end = pastClosing(text, end); endsSentence(text, i, end) {
				add(end)
			}
		}
	}
	add(len(text))
	return sentences
}

// pastClosing moves a place behind closing quotes and brackets.
func pastClosing(text string, at int) int {
	for {
		r, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 || !strings.ContainsRune("\"'”’»)]", r) {
			return at
		}
		at += size
	}
}

// abbreviations end with a dot that ends no sentence.
var abbreviations = strings.Fields("Mr Mrs Ms Dr Prof St vs etc No Jr Sr approx")

// endsSentence reports whether the mark at a place ends a sentence: white space follows and then no
// small letter, and the word before it is no abbreviation and no initial.
func endsSentence(text string, mark, end int) bool {
	after := strings.TrimLeftFunc(text[end:], unicode.IsSpace)
	if after == "" {
		return true
	}
	next, _ := utf8.DecodeRuneInString(after)
	if len(after) == len(text[end:]) || unicode.IsLower(next) {
		return false
	}
	if text[mark] != '.' {
		return true
	}
	word := text[strings.LastIndexFunc(text[:mark], unicode.IsSpace)+1 : mark]
	word = strings.TrimLeft(word, "\"'“‘(")
	initial := utf8.RuneCountInString(word) == 1 && unicode.IsUpper([]rune(word)[0])
	return !initial && !strings.Contains(word, ".") && !slices.Contains(abbreviations, word)
}
