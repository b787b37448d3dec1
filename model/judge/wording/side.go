package wording

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A side is an answer or an option as it is compared.
type side struct {
	lex     *lexicon
	level   level
	terms   []*form // without articles, numbers with their scales
	content []*form // terms without function words; all of them if there are only such
	joined  string
	ids     map[int32]bool // of terms
	starts  [256]bool      // first bytes of all words that may be the same as one of terms
}

func (lex *lexicon) side(terms []*form, l level) *side {
	terms = slices.DeleteFunc(slices.Clone(terms), func(f *form) bool { return isArticle(f.Text) })
	s := &side{lex: lex, level: l, terms: lex.withScales(terms), ids: make(map[int32]bool, len(terms))}
	s.content = make([]*form, 0, len(s.terms))
	var joined strings.Builder
	joined.Grow(8 * len(s.terms))
	for _, f := range s.terms {
		joined.WriteString(f.Text)
		s.ids[f.ids[l]] = true
		f.addStarts(&s.starts)
		if !f.Function || f.Number {
			s.content = append(s.content, f)
		}
	}
	s.joined = joined.String()
	if len(s.content) == 0 {
		s.content = s.terms
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

// withScales reads a number in digits with its scale as one number: 40 million.
func (lex *lexicon) withScales(terms []*form) []*form {
	out := make([]*form, 0, len(terms))
	for i, f := range terms {
		if i > 0 && out[len(out)-1].Number && (f.Text == "1000" || f.Text == "1000000" || f.Text == "1000000000") {
			scale, err1 := strconv.ParseFloat(f.Text, 64)
			n, err2 := strconv.ParseFloat(out[len(out)-1].Text, 64)
			if err1 == nil && err2 == nil {
				out[len(out)-1] = lex.form(strconv.FormatFloat(n*scale, 'f', -1, 64))
				continue
			}
		}
		out = append(out, f)
	}
	return out
}

// initials are the first letters of several words, as in NYC.
func initials(terms []*form) string {
	if len(terms) < 2 {
		return ""
	}
	var b strings.Builder
	for _, f := range terms {
		for _, r := range f.Text {
			b.WriteRune(r)
			break
		}
	}
	return b.String()
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
	if i < 1 || i >= len(terms) || !starts[terms[i-1].Text[0]] {
		return 0, false
	}
	return s.lex.form(terms[i-1].Text + terms[i].Text).ids[s.level], true
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
