package baseline

import (
	"math/bits"
	"regexp"

	"omniscope/model/judge/wording"
)

// status is how much of an event a caption mentions.
type status uint8

const (
	notMentioned status = iota
	Partly              // in part, or with an error
	Fully
)

// found is what a caption has of an event.
type found struct {
	Status status
	// Quote is the sentence of the caption that the status rests on, or two neighbouring ones; empty if notMentioned.
	Quote string
	// Subjects has for each requested subject a noun phrase of the quote or of the sentence before it ("a tall man"),
	// never a pronoun. It is empty for a subject without a phrase, and for all subjects if notMentioned.
	Subjects []string
}

// caption is a caption read once, to be asked about many events. It is safe for concurrent use.
type caption struct {
	*text
	sentences []int // first words, and the number of all words
}

// The limits were set on invented captions, not on the captions of the test.
const (
	// minFully and minPartly are the least shares of an event's words that one place must have.
	minFully  = 2.0 / 3
	minPartly = 0.5
	// pairShare is what a share is worth when two sentences have it together.
	pairShare = 0.9
	// maxWords is how many words of an event count.
	maxWords = 64
)

// NewCaption reads a caption, in time and memory proportional to its length.
func NewCaption(source string) *caption {
	c := &caption{text: readText(source)}
	for i, w := range c.words {
		if i == 0 || w.Sentence != c.words[i-1].Sentence {
			c.sentences = append(c.sentences, i)
		}
	}
	c.sentences = append(c.sentences, len(c.words))
	return c
}

// Find looks for an event, a sentence in which subjects are <...>, and describes so many subjects.
//
// It finds the sentence, or two neighbouring ones, with most of the event's content words. A number of the event that
// is missing there, or a negation on one side only, makes the mention Partly.
func (c *caption) Find(event string, subjects int) found {
	f := found{Subjects: make([]string, subjects)}
	e := readEvent(event)
	first, last, words, share := c.bestPlace(e)
	if share < minPartly {
		return f
	}
	f.Status = Partly
	if share >= minFully && e.numbers&^words == 0 && e.negated == c.denies(first, last, e) {
		f.Status = Fully
	}
	f.Quote = c.quote(first, last)
	list := c.phrases(first, last, e)
	if len(list) == 0 && first > 0 {
		list = c.phrases(c.sentences[c.words[first].Sentence-1], first, e)
	}
	copy(f.Subjects, list)
	return f
}

// event is a keypoint read into words.
type event struct {
	words   map[string]int // content words, numbered; bits of a place
	numbers uint64         // which of them are numbers
	negated bool
}

var marker = regexp.MustCompile(`<[^>]*>`)

func readEvent(source string) *event {
	e := &event{words: make(map[string]int)}
	for _, w := range wording.Words(marker.ReplaceAllString(source, " ")) {
		e.negated = e.negated || negations[w.Text]
		if _, known := e.words[w.Stem]; known || !isContent(w) || len(e.words) == maxWords {
			continue
		}
		if w.Number {
			e.numbers |= 1 << len(e.words)
		}
		e.words[w.Stem] = len(e.words)
	}
	return e
}

// bestPlace returns the first place, words first to last (exclusive), with the greatest share of the event's words,
// and which words it has.
func (c *caption) bestPlace(e *event) (first, last int, words uint64, share float64) {
	has := make([]uint64, len(c.sentences))
	for stem, k := range e.words {
		for _, i := range c.at[stem] {
			has[c.words[i].Sentence] |= 1 << k
		}
	}
	try := func(from, to int, w uint64, worth float64) {
		if s := worth * float64(bits.OnesCount64(w)) / float64(len(e.words)); s > share {
			first, last, words, share = c.sentences[from], c.sentences[to], w, s
		}
	}
	for s := range len(c.sentences) - 1 {
		try(s, s+1, has[s], 1)
		if s > 0 && has[s] != 0 && has[s-1] != 0 {
			try(s-1, s+1, has[s-1]|has[s], pairShare)
		}
	}
	return first, last, words, share
}

// denies reports whether a place has a negated word of the event.
func (c *caption) denies(first, last int, e *event) bool {
	for i := first; i < last; i++ {
		if _, ok := e.words[c.words[i].Stem]; ok && c.isNegated(i) {
			return true
		}
	}
	return false
}
