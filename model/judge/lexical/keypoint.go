package lexical

import (
	"math/bits"
	"strconv"
	"strings"
)

// status says how much of an event a caption mentions.
type status uint8

const (
	notMentioned status = iota
	Partly              // in part, or with an error
	Fully
)

// optionMention is what a caption says of an event.
type optionMention struct {
	Status status
	// Quote is the sentence of the caption that the status rests on, or two
	// neighbouring ones, byte for byte; empty if notMentioned.
	Quote string
	At    int // byte offset of Quote in the caption
	// Subjects has for each subject asked for a noun phrase of the quote or of
	// the sentence before it ("a tall man"), never a pronoun; empty where there
	// is none, and throughout if notMentioned.
	Subjects []string
	// Weight is the share of the event's words found at the best place, 0 to 1,
	// whatever the status.
	Weight float64
}

// caption is a caption read once, to be asked about many events. It is safe
// for concurrent use.
type caption struct {
	text   *text
	spans  []span
	byWord map[string][]int32 // spans that have a content word, ascending
}

// span is a sentence, or a part of one that is longer than maxSpan words. Its
// words are first to last (exclusive).
type span struct{ first, last int }

const maxSpan = 64

// The limits below were set on invented captions other than those of the test.
const (
	// minFully and minPartly are the least shares of an event's words that one
	// place must have.
	minFully  = 2.0 / 3
	minPartly = 0.5
	// pairShare is what a share is worth when two sentences have it together.
	pairShare = 0.9
	// maxWords is how many words of an event count.
	maxWords = 64
)

// NewCaption reads a caption, in time and memory proportional to its length.
func NewCaption(source string) *caption {
	c := &caption{text: newText(newLexicon(), source), byWord: make(map[string][]int32)}
	c.spans = cutSpans(c.text)
	keys := make(map[*form]string)
	for s, sp := range c.spans {
		for i := sp.first; i < sp.last; i++ {
			tok := &c.text.tokens[i]
			if !isContent(tok) {
				continue
			}
			key, known := keys[tok.form]
			if !known {
				key = wordKey(tok.form)
				keys[tok.form] = key
			}
			if at := c.byWord[key]; len(at) == 0 || at[len(at)-1] != int32(s) {
				c.byWord[key] = append(at, int32(s))
			}
		}
	}
	return c
}

func cutSpans(t *text) []span {
	var spans []span
	first := 0
	for i := 1; i <= len(t.tokens); i++ {
		if i == len(t.tokens) || t.tokens[i].sentence != t.tokens[i-1].sentence || i-first == maxSpan {
			spans = append(spans, span{first, i})
			first = i
		}
	}
	return spans
}

func isContent(t *token) bool { return !t.isBlank && !t.form.isFunction }

// wordKey is equal for words that differ only in inflection, in spelling or as
// plain synonyms do.
func wordKey(f *form) string {
	if f.isNumber {
		return f.text
	}
	return synonymOf(stemOf(f.text))
}

// Find looks for an event, a sentence in which subjects stand as <...>.
// subjects are markers of the event, with or without their brackets.
//
// It finds the sentence, or two neighbouring ones, with most of the event's
// content words. A number of the event that is missing there, or a negation on
// one side only, makes the mention Partly. English only.
func (c *caption) Find(event string, subjects []string) optionMention {
	m := optionMention{Subjects: make([]string, len(subjects))}
	e := readEvent(event)
	at, found, share := c.bestPlace(e)
	m.Weight = share
	if share < minPartly {
		return m
	}
	m.Status = Partly
	if share >= minFully && e.numbers&^found == 0 && e.negated == c.negated(at, e) {
		m.Status = Fully
	}
	m.At = c.text.tokens[at.first].start
	m.Quote = c.text.source[m.At:c.text.tokens[at.last-1].end]
	c.describe(m.Subjects, subjects, e, at)
	return m
}

// event is a keypoint read into words.
type event struct {
	words   map[string]int // content words, numbered; bits of found
	numbers uint64         // which of them are numbers
	negated bool
}

func readEvent(source string) *event {
	e := &event{words: make(map[string]int)}
	t := newText(newLexicon(), withoutMarkers(source))
	for i := range t.tokens {
		tok := &t.tokens[i]
		e.negated = e.negated || tok.form.isNegation
		if !isContent(tok) || len(e.words) == maxWords {
			continue
		}
		key := wordKey(tok.form)
		if _, known := e.words[key]; known {
			continue
		}
		if tok.form.isNumber {
			e.numbers |= 1 << len(e.words)
		}
		e.words[key] = len(e.words)
	}
	return e
}

// withoutMarkers puts a placeholder in the place of each <...>.
func withoutMarkers(source string) string {
	var b strings.Builder
	for n := 0; ; n++ {
		before, rest, _ := strings.Cut(source, "<")
		b.WriteString(before)
		_, after, closed := strings.Cut(rest, ">")
		if !closed {
			b.WriteString(" " + rest)
			return b.String()
		}
		b.WriteString(" " + placeholderPrefix + strconv.Itoa(n) + "] ")
		source = after
	}
}

// bestPlace returns the first place with the greatest share of the event's
// words, and which words it has.
func (c *caption) bestPlace(e *event) (best span, found uint64, share float64) {
	if len(e.words) == 0 {
		return
	}
	has := make([]uint64, len(c.spans))
	for word, k := range e.words {
		for _, s := range c.byWord[word] {
			has[s] |= 1 << k
		}
	}
	try := func(at span, words uint64, worth float64) {
		if s := worth * float64(bits.OnesCount64(words)) / float64(len(e.words)); s > share {
			best, found, share = at, words, s
		}
	}
	for s, sp := range c.spans {
		try(sp, has[s], 1)
		if s > 0 && has[s] != 0 && has[s-1] != 0 {
			try(span{c.spans[s-1].first, sp.last}, has[s-1]|has[s], pairShare)
		}
	}
	return best, found, share
}

// negated reports whether a place denies a word of the event.
func (c *caption) negated(at span, e *event) bool {
	for i := at.first; i < at.last; i++ {
		if _, ok := e.words[wordKey(c.text.tokens[i].form)]; ok && c.text.negated(i, i+1) {
			return true
		}
	}
	return false
}
