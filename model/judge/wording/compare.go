package wording

import (
	"slices"
	"strings"

	"omniscope/metric/textnorm"
)

// A Likeness is how far the words of an answer agree with an option.
type Likeness uint8

// The degrees, the least first.
const (
	Unlike  Likeness = iota // no content word in common
	Foreign                 // written in another script, and so not comparable
	alike                   // some content words in common
	Within                  // one has all content words of the other, as after a fair shortening
	Same                    // equal but for articles, case, marks, spacing, inflection and the form of numbers
)

const maxOptions = 4

// Compare returns how far the words of an answer agree with each of at most four options. Synonyms and
// inflections count as equal where they do not make two options equal.
func Compare(answer string, options []string) []Likeness {
	lex := lexicons.Get().(*lexicon)
	defer lex.putBack()
	options = options[:min(len(options), maxOptions)]
	read := make([][]*form, len(options))
	for i := range options {
		read[i] = lex.terms(spacedOut(options[i]))
	}
	l := loosest(read)
	words := lex.side(lex.terms(spacedOut(answer)), l)
	out := make([]Likeness, len(options))
	for i := range out {
		out[i] = words.likeness(lex.side(read[i], l))
		if out[i] == Unlike && !sharesScript(answer, options[i]) {
			out[i] = Foreign
		}
	}
	return out
}

// spacedOut separates the characters of scripts that have no spaces between words.
func spacedOut(text string) string {
	if !textnorm.HasSpaceless(text) {
		return text
	}
	return strings.Join(textnorm.SplitWords(text), " ")
}

// terms are the words of a text, without an article at its beginning.
func (lex *lexicon) terms(text string) []*form {
	words := lex.split(text)
	if len(words) > 1 && isArticle(words[0].text) {
		words = words[1:]
	}
	terms := make([]*form, 0, len(words))
	for _, w := range words {
		if w.kind != gapWord {
			terms = append(terms, lex.form(w.text))
		}
	}
	return terms
}

func isArticle(word string) bool { return word == "a" || word == "an" || word == "the" }

// loosest returns the loosest level at which all options differ: if both "bathroom" and "restroom" are options,
// synonyms do not count.
func loosest(options [][]*form) level {
	l := senseLevel
	for l > exactLevel && !areDistinct(options, l) {
		l--
	}
	return l
}

func areDistinct(options [][]*form, l level) bool {
	for i, o := range options {
		if slices.ContainsFunc(options[:i], func(p []*form) bool { return sameTerms(o, p, l) }) {
			return false
		}
	}
	return true
}

func sameTerms(a, b []*form, l level) bool {
	return len(a) > 0 && slices.EqualFunc(a, b, func(f, g *form) bool { return f.ids[l] == g.ids[l] })
}
