package lexical

import (
	"math"
	"sort"
)

// cue is a word near a blank by which to find the same place in a caption.
type cue struct {
	topic    int32
	weight   float64
	distance float64 // from the blank, in steps
	isLeft   bool
	inClause bool // in the clause of the blank
}

// context is the surroundings of a blank, or of fixed words, in the passage.
type context struct {
	cues    []cue // heaviest first
	negated bool
	counts  bool // what stands in the blank may count the next word
}

const (
	// contextReach is how far a cue may be from its blank, in steps.
	contextReach = 10.0
	// nearness is the distance over which the weight of a cue falls to 1/e.
	nearness = 2.5
	// lackingShare is what a cue the caption lacks keeps of its weight.
	lackingShare = 0.7
	// sideCredit is what a cue on the other side than in the passage keeps.
	sideCredit = 0.85
)

func newContext(t *text, w weights, first, last int) context {
	var c context
	seen := make(map[int32]int)
	add := func(i int, distance float64, isLeft bool) {
		tok := &t.tokens[i]
		if tok.isBlank {
			return
		}
		topic := tok.form.ids[topicLevel]
		q := cue{
			topic:    topic,
			weight:   w[topic] * math.Exp(-(distance-contentStep)/nearness),
			distance: distance,
			isLeft:   isLeft,
			inClause: tok.clause == t.tokens[first].clause,
		}
		if k, ok := seen[topic]; !ok {
			seen[topic] = len(c.cues)
			c.cues = append(c.cues, q)
		} else if q.weight > c.cues[k].weight {
			c.cues[k] = q
		}
	}
	for i := first - 1; i >= 0 && t.leftDistance(i, first) <= contextReach; i-- {
		add(i, t.leftDistance(i, first), true)
	}
	for i := last; i < len(t.tokens) && t.rightDistance(i, last) <= contextReach; i++ {
		add(i, t.rightDistance(i, last), false)
	}
	sort.SliceStable(c.cues, func(a, b int) bool { return c.cues[a].weight > c.cues[b].weight })
	c.negated = t.negated(first, last)
	c.counts = t.leadsOn(last)
	return c
}

// leadsOn reports whether a content word follows the word before last
// directly.
func (t *text) leadsOn(last int) bool {
	if last >= len(t.tokens) || t.tokens[last].clause != t.tokens[last-1].clause {
		return false
	}
	next := t.tokens[last]
	return next.isBlank || !next.form.isFunction && !next.form.isNumber
}

// counts reports whether the word before last is a number of things.
func (t *text) counts(last int) bool {
	return t.tokens[last-1].form.isNumber && t.leadsOn(last)
}

// leftDistance is the distance from word i to a mention that starts at first.
func (t *text) leftDistance(i, first int) float64 {
	if first >= len(t.tokens) {
		return t.tokens[first-1].x + contentStep - t.tokens[i].x
	}
	return t.tokens[first].x - t.tokens[i].x
}

// rightDistance is the distance to word i from a mention that ends before last.
func (t *text) rightDistance(i, last int) float64 {
	if last == 0 {
		return t.tokens[i].x
	}
	return t.tokens[i].x - t.tokens[last-1].x
}
