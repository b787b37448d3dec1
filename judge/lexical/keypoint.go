package lexical

// Status says how far a caption tells of an event.
type Status uint8

const (
	NotMentioned Status = iota
	Partly              // told in part, or with an error
	Fully
)

// Mention is what a caption says of an event.
type Mention struct {
	Status Status
	// Quote is the sentence of the caption the status rests on, or two
	// neighbouring ones, cut from it byte for byte; empty if NotMentioned.
	Quote string
	At    int // byte offset of Quote in the caption
	// Subjects has for each subject asked for the noun phrase or the name by
	// which the caption goes there ("a tall man in a grey coat"), never a
	// pronoun; empty where none was found, and throughout if NotMentioned.
	Subjects []string
	// Weight is the share of the event's content found at the best place, 0
	// to 1, whatever the status.
	Weight float64
}

// Caption is a caption read once, to be asked about many events. It is safe
// for concurrent use.
type Caption struct {
	text  *text
	keys  []wordKey        // of every word, by its exact id
	ids   map[string]int32 // of the strings that keys are made of
	spans []span
	byKin [][]int32 // spans that have a word of a kin, ascending
	seen  []casing  // how every word is written in the caption, by its exact id
}

// wordKey is a word at the levels at which events are compared.
type wordKey struct {
	sense int32 // the same word, inflection and plain synonyms apart
	deed  int32 // words that tell of an event equally well, see deeds
	kin   int32 // words that tell of a similar thing, see kin
}

// span is a sentence, or a part of one that is too long to be one place. Its
// words are first to last (exclusive).
type span struct{ first, last int32 }

const (
	// longSpan is the number of words after which a span ends with its
	// clause, maxSpan the number after which it ends anyway.
	longSpan = 32
	maxSpan  = 64
)

// The limits below were set on invented captions, see keypointCases and those
// after it in the tests, and lean towards Partly: a reader without understanding should
// rather miss a full mention than invent one.
const (
	// minFully and minPartly are the least shares of an event's content that
	// one place must tell.
	minFully  = 0.82
	minPartly = 0.52
	// pairShare is what a share is worth when two sentences tell it together.
	pairShare = 0.93
	// maxTried bounds the places that are looked at closely for one event.
	maxTried = 16
)

// NewCaption reads a caption, in time and memory proportional to its length.
func NewCaption(source string) *Caption {
	lex := newLexicon()
	c := &Caption{text: newText(lex, source), ids: make(map[string]int32)}
	c.text.bySense, c.text.byTopic = nil, nil // Find has an index of its own
	c.spans = cutSpans(c.text)
	c.seen = readCasing(c.text, lex.size())
	c.readKeys(lex.size())
	c.index()
	return c
}

// Find looks for an event, a sentence in which subjects stand as <...>. A
// marker such as <sbj_1> may be anybody; the words of a marker such as <the
// man in the blue coat> must not contradict the caption. subjects are markers
// of the event, with or without their brackets, in any order.
//
// Find compares words: it takes inflections, common synonyms, negations and
// opposites into account and understands nothing else. English only.
func (c *Caption) Find(event string, subjects []string) Mention {
	e := readEvent(event)
	m := Mention{Subjects: make([]string, len(subjects))}
	best := c.bestPlace(e)
	m.Weight = best.share
	if best.share < minPartly {
		return m
	}
	cast := c.castOf(e, best)
	m.Status = Partly
	if best.share >= minFully && best.has(e.verb) && !c.contradicts(e, best) && !c.isOtherCast(e, cast) {
		m.Status = Fully
	}
	m.At = c.text.tokens[best.first].start
	m.Quote = c.text.source[m.At:c.text.tokens[best.last-1].end]
	for i, s := range subjects {
		if k := e.role(s); k >= 0 && cast[k] != nil {
			m.Subjects[i] = c.description(cast[k])
		}
	}
	return m
}

func cutSpans(t *text) []span {
	var spans []span
	first := 0
	for i := 1; i <= len(t.tokens); i++ {
		if i < len(t.tokens) {
			last, next, n := &t.tokens[i-1], &t.tokens[i], i-first
			inSpan := next.sentence == last.sentence && n < maxSpan
			if inSpan && !(n >= longSpan && next.clause != last.clause) {
				continue
			}
		}
		spans = append(spans, span{int32(first), int32(i)})
		first = i
	}
	return spans
}

// readKeys finds the keys of every word of the caption once.
func (c *Caption) readKeys(size int) {
	c.keys = make([]wordKey, size)
	known := make([]bool, size)
	for i := range c.text.tokens {
		tok := &c.text.tokens[i]
		if id := tok.form.ids[exactLevel]; !tok.isBlank && !known[id] {
			known[id] = true
			n := namesOf(tok.form)
			c.keys[id] = wordKey{c.newID(n.sense), c.newID(n.deed), c.newID(n.kin)}
		}
	}
}

func (c *Caption) newID(key string) int32 {
	id, ok := c.ids[key]
	if !ok {
		id = int32(len(c.ids))
		c.ids[key] = id
	}
	return id
}

// id is the id of a key, -1 for one that the caption lacks.
func (c *Caption) id(key string) int32 {
	if id, ok := c.ids[key]; ok {
		return id
	}
	return -1
}

func (c *Caption) index() {
	c.byKin = make([][]int32, len(c.ids))
	for s, sp := range c.spans {
		for i := sp.first; i < sp.last; i++ {
			tok := &c.text.tokens[i]
			if tok.isBlank || tok.form.isFunction {
				continue
			}
			kin := c.keys[tok.form.ids[exactLevel]].kin
			if at := c.byKin[kin]; len(at) == 0 || at[len(at)-1] != int32(s) {
				c.byKin[kin] = append(at, int32(s))
			}
		}
	}
}

// key returns the keys of word i of the caption.
func (c *Caption) key(i int) wordKey { return c.keys[c.text.tokens[i].form.ids[exactLevel]] }
