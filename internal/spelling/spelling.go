package spelling

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostOffered bounds what is offered for one word.
const mostOffered = 3

// Near returns the names that word may be meant for, at most three and all
// equally near; none where no name is near enough to be meant.
//
// A name is near that differs in capitals, marks and blanks alone, has the same
// words in another order, a slip or two of the fingers (the longer, the more), a
// common beginning, or all the words of the other. Numbers are never taken for
// slips: clip-3 is not meant for clip-4, though demo-1 is for demo-01.
func Near(word string, names []string) []string {
	var best []string
	least := far
	typed := newForm(word)
	for _, name := range names {
		switch n := typed.nearness(newForm(name)); {
		case n < least:
			best, least = []string{name}, n
		case n == least && n < far && len(best) < mostOffered && !slices.Contains(best, name):
			best = append(best, name)
		}
	}
	return best
}

// Nearest returns the name that written is most probably a misspelling of, and
// false if none is. Unlike Near it takes no part of a name for the whole, and of
// several that are equally near it returns the first.
func Nearest(written string, names []string) (string, bool) {
	best, least := "", prefix
	typed := newForm(written)
	for _, name := range names {
		if n := typed.nearness(newForm(name)); n < least {
			best, least = name, n
		}
	}
	return best, best != ""
}

// Hint is what to add to an error about a word: a question that offers the
// names that are near, or "".
func Hint(word string, names []string) string { return Offer(Near(word, names)) }

// Offer is the question that offers names, "" if there are none.
func Offer(names []string) string {
	if len(names) == 0 {
		return ""
	}
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = name
		if quoted := fmt.Sprintf("%q", name); strings.ContainsFunc(name, unicode.IsSpace) || quoted != `"`+name+`"` {
			shown[i] = quoted
		}
	}
	last := len(shown) - 1
	if last == 0 {
		return "; did you mean " + shown[0] + "?"
	}
	return "; did you mean " + strings.Join(shown[:last], ", ") + " or " + shown[last] + "?"
}

// How near two spellings are, the nearer the lower.
const (
	same      = 0 // but for capitals and marks
	reordered = 1
	slips     = 1 // and one for each slip
	prefix    = 5 // of the other
	partly    = 6 // the words of one are among those of the other
	far       = 100
)

// longest bounds the texts that are compared, in characters.
const longest = 200

// A form is a spelling taken apart.
type form struct {
	words  []string // in lower case, numbers without leading zeros
	folded []rune   // all of them in one
}

func newForm(s string) form {
	var f form
	var word []rune
	end := func() {
		if len(word) > 0 {
			text := string(word)
			if isNumber(text) {
				text = strings.TrimLeft(text[:len(text)-1], "0") + text[len(text)-1:]
			}
			f.words, f.folded, word = append(f.words, text), append(f.folded, []rune(text)...), nil
		}
	}
	if utf8.RuneCountInString(s) > longest {
		s = string([]rune(s)[:longest])
	}
	for _, r := range s {
		known := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if !known || len(word) > 0 && unicode.IsDigit(r) != unicode.IsDigit(word[len(word)-1]) {
			end()
		}
		if known {
			word = append(word, unicode.ToLower(r))
		}
	}
	end()
	return f
}

func isNumber(word string) bool { return word[0] >= '0' && word[0] <= '9' }

func (f form) numbers() (list []string) {
	for _, w := range f.words {
		if isNumber(w) {
			list = append(list, w)
		}
	}
	return list
}

func (f form) nearness(name form) int {
	a, b := f.folded, name.folded
	switch {
	case len(a) == 0 || len(b) == 0:
		return far
	case slices.Equal(a, b):
		return same
	case slices.Equal(slices.Sorted(slices.Values(f.words)), slices.Sorted(slices.Values(name.words))):
		return reordered
	}
	long, short := max(len(a), len(b)), min(len(a), len(b))
	if long-short <= allowed(long) && slices.Equal(f.numbers(), name.numbers()) && f.wordByWord(name) {
		if n := typos(a, b); n <= allowed(long) {
			return slips + n
		}
	}
	switch {
	case short >= 3 && hasPrefix(a, b):
		return prefix
	case within(f.words, name.words) || within(name.words, f.words):
		return partly
	}
	return far
}

// wordByWord reports whether no word is another word altogether, as in
// bert_score/de and bert_score/fr, where both have as many.
func (f form) wordByWord(name form) bool {
	if len(f.words) != len(name.words) {
		return true
	}
	for i, word := range f.words {
		a, b := []rune(word), []rune(name.words[i])
		if typos(a, b) > allowed(max(len(a), len(b))) {
			return false
		}
	}
	return true
}

// allowed is how many slips a name of so many characters may have.
func allowed(length int) int {
	switch {
	case length < 3:
		return 0
	case length < 5:
		return 1
	case length < 9:
		return 2
	}
	return 3
}

// hasPrefix reports whether one of two spellings begins with the other.
func hasPrefix(a, b []rune) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

// within reports whether all words are among others, and one of them is long
// enough to tell something.
func within(words, others []string) bool {
	long := false
	for _, w := range words {
		if !slices.Contains(others, w) {
			return false
		}
		long = long || utf8.RuneCountInString(w) >= 4 && !isNumber(w)
	}
	return long
}

// Among offers what a word may be meant for, before the list of all names.
func Among(word string, names []string) string {
	if hint := Hint(word, names); hint != "" {
		return hint + " There are"
	}
	return "; there are"
}

// Twice is a name that a list has twice; "" = there is none.
func Twice(names []string) string {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return name
		}
	}
	return ""
}
