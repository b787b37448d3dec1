package lexical

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

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

// Compare returns how far the words of an answer agree with each of at most four options. Synonyms and
// inflections count as equal where they do not make two options equal.
func Compare(answer string, options []string) []Likeness {
	lex := lexicons.Get().(*lexicon)
	defer func() {
		if len(lex.forms) <= mostForms {
			lexicons.Put(lex)
		}
	}()
	spaced := make([]string, min(len(options), maxOptions))
	for i := range spaced {
		spaced[i] = spacedOut(options[i])
	}
	read, l := readOptions(lex, spaced)
	words := lex.side(readTerms(lex, spacedOut(answer)), l)
	out := make([]Likeness, len(spaced))
	for i := range out {
		out[i] = words.likeness(lex.side(read[i].terms, l))
		if out[i] == Unlike && !sharesScript(answer, options[i]) {
			out[i] = Foreign
		}
	}
	return out
}

// lexicons are kept for the next answers: most of their words are the same.
var lexicons = sync.Pool{New: func() any { return newLexicon() }}

// mostForms bounds the words of a lexicon that is kept, 2 MB.
const mostForms = 8192

// spacedOut separates the characters of scripts that have no spaces between words.
func spacedOut(text string) string {
	if !textnorm.HasSpaceless(text) {
		return text
	}
	return strings.Join(textnorm.SplitWords(text), " ")
}

// A side is an answer or an option as it is compared.
type side struct {
	lex     *lexicon
	level   level
	terms   []*form // without articles, numbers with their scales
	content []*form // terms without function words
	joined  string
	ids     map[int32]bool // of terms
	starts  [256]bool      // first bytes of all words that may be the same as one of terms
}

func (lex *lexicon) side(terms []*form, l level) *side {
	s := &side{lex: lex, level: l, terms: lex.withScales(withoutArticles(terms))}
	s.content, s.joined, s.ids = contentTerms(s.terms), joinedText(s.terms), make(map[int32]bool, len(s.terms))
	for _, f := range s.terms {
		s.ids[f.ids[l]] = true
		f.addStarts(&s.starts)
	}
	return s
}

// likeness returns how far an answer agrees with an option.
func (s *side) likeness(option *side) Likeness {
	if len(s.terms) == 0 || len(option.terms) == 0 {
		return Unlike
	}
	if s.joined == option.joined || sameTerms(s.terms, option.terms, s.level) {
		return Same
	}
	const leastPrefix = 3 // letters of an option that was cut off
	if len(s.joined) >= leastPrefix && strings.HasPrefix(option.joined, s.joined) || len(s.terms) == 1 && s.joined == initials(option.terms) {
		return Within
	}
	switch covered := s.coveredBy(option); {
	case covered == len(s.content) || option.coveredBy(s) == len(option.content):
		return Within
	case covered > 0:
		return alike
	}
	return Unlike
}

func withoutArticles(terms []*form) []*form {
	return slices.DeleteFunc(slices.Clone(terms), func(f *form) bool { return f.text == "a" || f.text == "an" || f.text == "the" })
}

// withScales reads a number in digits with its scale as one number: 40 million.
func (lex *lexicon) withScales(terms []*form) []*form {
	out := make([]*form, 0, len(terms))
	for i, f := range terms {
		if i > 0 && out[len(out)-1].isNumber && (f.text == "1000" || f.text == "1000000" || f.text == "1000000000") {
			scale, err1 := strconv.ParseFloat(f.text, 64)
			n, err2 := strconv.ParseFloat(out[len(out)-1].text, 64)
			if err1 == nil && err2 == nil {
				out[len(out)-1] = lex.form(strconv.FormatFloat(n*scale, 'f', -1, 64))
				continue
			}
		}
		out = append(out, f)
	}
	return out
}

func joinedText(terms []*form) string {
	size := 0
	for _, f := range terms {
		size += len(f.text)
	}
	var b strings.Builder
	b.Grow(size)
	for _, f := range terms {
		b.WriteString(f.text)
	}
	return b.String()
}

// initials are the first letters of several words, as in NYC.
func initials(terms []*form) string {
	if len(terms) < 2 {
		return ""
	}
	var b strings.Builder
	for _, f := range terms {
		for _, r := range f.text {
			b.WriteRune(r)
			break
		}
	}
	return b.String()
}

// contentTerms are the terms without function words; all of them if there are only such.
func contentTerms(terms []*form) []*form {
	content := slices.DeleteFunc(slices.Clone(terms), func(f *form) bool { return f.isFunction && !f.isNumber })
	if len(content) == 0 {
		return terms
	}
	return content
}

// coveredBy counts the content terms that another side has, also where one writes two words as one: hardhat, hard hat.
func (s *side) coveredBy(all *side) (n int) {
	pairs := make(map[int32]bool)
	for i := range all.terms {
		if id, ok := s.pairIn(all.terms, i, &s.starts); ok {
			pairs[id] = true
		}
	}
	isTerm := func(i int) bool { // the pair of content i-1 and i
		id, ok := s.pairIn(s.content, i, &all.starts)
		return ok && all.ids[id]
	}
	for i, f := range s.content {
		if id := f.ids[s.level]; all.ids[id] || pairs[id] || isTerm(i) || isTerm(i+1) {
			n++
		}
	}
	return n
}

// pairIn returns the id of terms i-1 and i written as one word. ok is false where there are not two terms, or no word
// to compare with begins like them: to read each pair of a long answer would take most of the time.
func (s *side) pairIn(terms []*form, i int, starts *[256]bool) (id int32, ok bool) {
	if i < 1 || i >= len(terms) || !starts[terms[i-1].text[0]] {
		return 0, false
	}
	return s.lex.form(terms[i-1].text + terms[i].text).ids[s.level], true
}

// scripts are the usual ones of captions. The scripts of Chinese and Japanese count as one.
var scripts = [][]*unicode.RangeTable{
	{unicode.Latin, unicode.Nd}, {unicode.Han, unicode.Hiragana, unicode.Katakana}, {unicode.Hangul}, {unicode.Cyrillic}, {unicode.Arabic},
	{unicode.Devanagari}, {unicode.Thai}, {unicode.Greek}, {unicode.Hebrew},
}

// sharesScript reports whether two texts have letters of one script; digits count as Latin letters.
func sharesScript(a, b string) bool {
	return slices.ContainsFunc(scripts, func(tables []*unicode.RangeTable) bool {
		in := func(r rune) bool { return unicode.IsOneOf(tables, r) }
		return strings.ContainsFunc(a, in) && strings.ContainsFunc(b, in)
	})
}
