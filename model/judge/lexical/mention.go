package lexical

import (
	"slices"
	"sort"
)

// mention is a place of a text that may name an option.
type mention struct {
	option      int
	first, last int     // words of the text, last exclusive
	certainty   float64 // 1 for the option's own words in order, less for a part of them
}

// maxMentions bounds the work for an option that a long caption repeats.
const maxMentions = 1000

// findMentions returns the mentions of all options.
func findMentions(lex *lexicon, t *text, options []option, l level) []mention {
	var found []mention
	for i := range options {
		o := &options[i]
		if len(o.terms) == 0 {
			continue
		}
		from := len(found)
		found = findContiguous(t, o, l, found)
		found = findJoined(lex, t, o, found)
		found = findPartial(t, options, i, l, found)
		for k := from; k < len(found); k++ {
			found[k].option = i
		}
	}
	return found
}

// findContiguous appends the places where the terms follow each other.
func findContiguous(t *text, o *option, l level, found []mention) []mention {
	if len(o.terms) == 0 {
		return found
	}
	n := 0
	for _, p := range places(t.bySense, o.terms[0].ids[senseLevel]) {
		if first := int(p); n < maxMentions && t.matches(first, o.terms, l) {
			found = append(found, mention{first: first, last: first + len(o.terms), certainty: 1})
			n++
		}
	}
	return found
}

func (t *text) matches(first int, terms []*form, l level) bool {
	if first < 0 || first+len(terms) > len(t.tokens) {
		return false
	}
	for k, f := range terms {
		if !t.is(first+k, f, l) {
			return false
		}
	}
	return true
}

func (t *text) is(i int, f *form, l level) bool {
	tok := &t.tokens[i]
	return !tok.isBlank && tok.form.ids[l] == f.ids[l]
}

// minJoined is the least length in bytes of a compound.
const minJoined = 5

// findJoined appends the places where a compound is written as one word in
// the text and as two in the option, or the other way round.
func findJoined(lex *lexicon, t *text, o *option, found []mention) []mention {
	switch len(o.terms) {
	case 1:
		return findSplit(lex, t, o.terms[0].text, found)
	case 2:
		joined := o.terms[0].text + o.terms[1].text
		if o.terms[0].isNumber || len(joined) < minJoined {
			return found
		}
		whole := lex.form(joined)
		for _, p := range places(t.bySense, whole.ids[senseLevel]) {
			if t.is(int(p), whole, stemLevel) {
				found = append(found, mention{first: int(p), last: int(p) + 1, certainty: 1})
			}
		}
	}
	return found
}

// findSplit appends the places where word stands in two parts.
func findSplit(lex *lexicon, t *text, word string, found []mention) []mention {
	if len(word) < minJoined || isDigit(word[0]) {
		return found
	}
	for at := 1; at < len(word); at++ {
		left, ok := lex.forms[word[:at]]
		if !ok {
			continue
		}
		right := lex.form(word[at:])
		for _, p := range places(t.bySense, left.ids[senseLevel]) {
			first := int(p)
			if t.is(first, left, exactLevel) && first+1 < len(t.tokens) && t.is(first+1, right, stemLevel) {
				found = append(found, mention{first: first, last: first + 2, certainty: 1})
			}
		}
	}
	return found
}

// dropCovered removes mentions that lie inside a better one: a longer one of
// whole certainty, such as "fade-out" over "fade".
func dropCovered(all []mention) []mention {
	sort.SliceStable(all, func(a, b int) bool {
		x, y := all[a], all[b]
		if x.first != y.first {
			return x.first < y.first
		}
		return x.last > y.last
	})
	// With the starts ascending, the whole mention that reaches farthest
	// covers whatever any earlier whole mention covers.
	kept := all[:0]
	var cover mention
	for _, m := range all {
		inside := cover.certainty == 1 && m.first >= cover.first && m.last <= cover.last
		if inside && (m.certainty < 1 || m.last-m.first < cover.last-cover.first) {
			continue
		}
		if m.certainty == 1 && m.last > cover.last {
			cover = m
		}
		kept = append(kept, m)
	}
	return slices.Clip(kept)
}
