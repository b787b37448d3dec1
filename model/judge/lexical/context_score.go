package lexical

import (
	"math"
	"sort"
)

// contextScore says how well the words around a place of the caption match a
// context. Both numbers are shares of the context, 0 to 1.
type contextScore struct {
	support   float64 // found near the place
	elsewhere float64 // found in other sentences only
}

// scorePlace compares the words around first to last (exclusive) of t with the
// context. A cue as near as in the passage counts in full and less the
// farther it is. A cue that t has elsewhere speaks against the place; one
// that t lacks may just be there in another word.
func (c *context) scorePlace(t *text, first, last int) contextScore {
	found, elsewhere, total := 0.0, 0.0, 0.0
	for i := range c.cues {
		q := &c.cues[i]
		if len(places(t.byTopic, q.topic)) == 0 {
			total += q.weight * lackingShare
			continue
		}
		found += q.credit(t, first, last)
		total += q.weight
		if q.inClause && !q.isInThread(t, first) {
			elsewhere += q.weight
		}
	}
	if total == 0 {
		return contextScore{}
	}
	elsewhere /= total
	return contextScore{min(1, found/total) * (1 - elsewhere), elsewhere}
}

// isInThread reports whether the cue stands in the thread of word i.
func (q *cue) isInThread(t *text, i int) bool {
	at := places(t.byTopic, q.topic)
	thread := t.tokens[min(i, len(t.tokens)-1)].thread
	k := sort.Search(len(at), func(k int) bool { return t.tokens[at[k]].thread >= thread })
	return k < len(at) && t.tokens[at[k]].thread == thread
}

func (q *cue) credit(t *text, first, last int) float64 {
	at := places(t.byTopic, q.topic)
	if len(at) == 0 {
		return 0
	}
	best := 0.0
	k := sort.Search(len(at), func(k int) bool { return int(at[k]) >= last })
	if k < len(at) {
		best = q.creditAt(t.rightDistance(int(at[k]), last), false)
	}
	for k--; k >= 0; k-- {
		if int(at[k]) < first {
			best = max(best, q.creditAt(t.leftDistance(int(at[k]), first), true))
			break
		}
	}
	return best
}

func (q *cue) creditAt(distance float64, isLeft bool) float64 {
	credit := q.weight
	if distance > q.distance {
		credit *= math.Exp(-(distance - q.distance) / nearness)
	}
	if isLeft != q.isLeft {
		credit *= sideCredit
	}
	return credit
}

const (
	// anchorCues is how many of the heaviest cues mark the places to try
	// when the best place for a context is sought.
	anchorCues = 4
	// maxPlaces bounds the places tried for one of these cues.
	maxPlaces = 200
)

// bestSupport is the support at the gap between two words of t that fits the
// context best.
func (c *context) bestSupport(t *text) float64 {
	best := 0.0
	for i := range c.cues[:min(anchorCues, len(c.cues))] {
		at := places(t.byTopic, c.cues[i].topic)
		for _, p := range at[:min(len(at), maxPlaces)] {
			before, after := c.scorePlace(t, int(p), int(p)), c.scorePlace(t, int(p)+1, int(p)+1)
			best = max(best, before.support, after.support)
		}
	}
	return best
}
