package lexical

import (
	"slices"
	"sort"
	"strings"
	"unicode"
)

// determiners open a noun phrase.
var determiners = set(`a an the his her their another two three several`)

var prepositions = set(`of in on at to from with without into onto over under above below
	about against between through during before after near across along around behind
	beside beneath within toward upon`)

// describe writes for each subject how the caption refers to it: a noun phrase
// of the place, or of the sentence before it, that no other subject has. A
// phrase that shares a word with the subject's marker goes before others.
func (c *caption) describe(to, subjects []string, e *event, at span) {
	phrases := c.phrases(at, e)
	if len(phrases) == 0 && at.first > 0 {
		phrases = c.phrases(c.spanOf(at.first-1), e)
	}
	for i, s := range subjects {
		if len(phrases) == 0 {
			return
		}
		best, words := 0, contentOf(s)
		for k, p := range phrases {
			if common(words, contentOf(p)) > common(words, contentOf(phrases[best])) {
				best = k
			}
		}
		to[i] = phrases[best]
		phrases = slices.Delete(phrases, best, best+1)
	}
}

// spanOf is the span of word i.
func (c *caption) spanOf(i int) span {
	return c.spans[sort.Search(len(c.spans), func(s int) bool { return c.spans[s].last > i })]
}

// phrases lists the noun phrases of a place, those after a preposition last: a
// determiner or a capital letter, then content words up to a function word, the
// end of the clause or a word of the event.
func (c *caption) phrases(at span, e *event) []string {
	var list, after []string
	for i := at.first; i < at.last; i++ {
		if !c.opensPhrase(i) {
			continue
		}
		start := i
		if determiners[c.word(i)] {
			start++
		}
		end := start
		for end < at.last && c.continues(end, e) && c.text.tokens[end].clause == c.text.tokens[i].clause {
			end++
		}
		if end == start {
			continue
		}
		phrase := withoutPossessive(c.text.source[c.text.tokens[i].start:c.text.tokens[end-1].end])
		if i > at.first && prepositions[c.word(i-1)] {
			after = append(after, phrase)
		} else {
			list = append(list, phrase)
		}
		i = end - 1
	}
	return append(list, after...)
}

func withoutPossessive(s string) string {
	for _, mark := range []string{"'s", "’s"} {
		s = strings.TrimSuffix(s, mark)
	}
	return s
}

func (c *caption) word(i int) string { return c.text.tokens[i].form.text }

func (c *caption) opensPhrase(i int) bool {
	tok := &c.text.tokens[i]
	if tok.isBlank || determiners[tok.form.text] {
		return !tok.isBlank
	}
	r, _ := runeAt(c.text.source, tok.start)
	return isContent(tok) && unicode.IsUpper(r)
}

func (c *caption) continues(i int, e *event) bool {
	tok := &c.text.tokens[i]
	if !isContent(tok) {
		return false
	}
	_, inEvent := e.words[wordKey(tok.form)]
	return !inEvent
}

// contentOf is the set of content words of a phrase.
func contentOf(phrase string) map[string]bool {
	words := make(map[string]bool)
	t := newText(newLexicon(), strings.Trim(phrase, "<>"))
	for i := range t.tokens {
		if tok := &t.tokens[i]; isContent(tok) {
			words[wordKey(tok.form)] = true
		}
	}
	return words
}

func common(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}
