package lexical

import (
	"slices"
	"strconv"
	"strings"
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
	lex := newLexicon()
	spaced := make([]string, min(len(options), maxOptions))
	for i := range spaced {
		spaced[i] = spacedOut(options[i])
	}
	read, l := readOptions(lex, spaced)
	words := readOption(lex, spacedOut(answer)).terms
	out := make([]Likeness, len(spaced))
	for i := range out {
		out[i] = likeness(lex, words, read[i].terms, l)
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

func likeness(lex *lexicon, answer, option []*form, l level) Likeness {
	answer, option = lex.withScales(withoutArticles(answer)), lex.withScales(withoutArticles(option))
	if len(answer) == 0 || len(option) == 0 {
		return Unlike
	}
	joined, whole := joinedText(answer), joinedText(option)
	if joined == whole || sameTerms(answer, option, l) {
		return Same
	}
	const leastPrefix = 3 // letters of an option that was cut off
	if len(joined) >= leastPrefix && strings.HasPrefix(whole, joined) || len(answer) == 1 && joined == initials(option) {
		return Within
	}
	a, o := contentTerms(answer), contentTerms(option)
	switch covered := lex.covered(a, option, l); {
	case covered == len(a) || lex.covered(o, answer, l) == len(o):
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
func (lex *lexicon) withScales(terms []*form) (out []*form) {
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
	var b strings.Builder
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

// covered counts the terms of part that all has, also where one writes two words as one: hardhat, hard hat.
func (lex *lexicon) covered(part, all []*form, l level) (n int) {
	ids, pairs := make(map[int32]bool), make(map[int32]bool)
	for i, f := range all {
		ids[f.ids[l]] = true
		if i > 0 {
			pairs[lex.form(all[i-1].text + f.text).ids[l]] = true
		}
	}
	for i, f := range part {
		before := i > 0 && ids[lex.form(part[i-1].text + f.text).ids[l]]
		after := i+1 < len(part) && ids[lex.form(f.text + part[i+1].text).ids[l]]
		if ids[f.ids[l]] || pairs[f.ids[l]] || before || after {
			n++
		}
	}
	return n
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
