package tokenizer

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// words are the parts that a text is split into, one behind the other.
type words struct {
	text []byte
	ends []int
}

func (w *words) reset() { w.text, w.ends = w.text[:0], w.ends[:0] }

// end ends a word; nothing is none.
func (w *words) end() {
	if len(w.text) > w.last() {
		w.ends = append(w.ends, len(w.text))
	}
}

// last is where the last word ends.
func (w *words) last() int {
	if len(w.ends) == 0 {
		return 0
	}
	return w.ends[len(w.ends)-1]
}

// each calls see for every word until it says false.
func (w *words) each(see func(word []byte) bool) {
	start := 0
	for _, end := range w.ends {
		if !see(w.text[start:end]) {
			return
		}
		start = end
	}
}

// A preTokenizer splits a word into words. first says that the word starts where
// the whole text does.
type preTokenizer func(to *words, word []byte, first bool)

// splitSpace splits at white space and drops it.
func splitSpace(to *words, word []byte, _ bool) {
	for len(word) > 0 {
		r, n := rune(word[0]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(word)
		}
		if unicode.IsSpace(r) {
			to.end()
		} else {
			to.text = append(to.text, word[:n]...)
		}
		word = word[n:]
	}
	to.end()
}

// When metaspace puts its mark in front of a word that does not start with it.
const (
	always = "always"
	first  = "first" // of the text
	never  = "never"
)

// metaspace writes spaces as a mark, and splits in front of marks.
func metaspace(mark, prepend string, split bool) preTokenizer {
	return func(to *words, word []byte, atStart bool) {
		marked := bytes.HasPrefix(word, []byte(mark)) || word[0] == ' '
		if !marked && (prepend == always || prepend == first && atStart) {
			to.text = append(to.text, mark...)
		}
		for start := true; len(word) > 0; start = false {
			switch {
			case word[0] == ' ', bytes.HasPrefix(word, []byte(mark)):
				if split && !start {
					to.end()
				}
				n := len(mark)
				if word[0] == ' ' {
					n = 1
				}
				to.text = append(to.text, mark...)
				word = word[n:]
			default:
				to.text = append(to.text, word[0])
				word = word[1:]
			}
		}
		to.end()
	}
}
