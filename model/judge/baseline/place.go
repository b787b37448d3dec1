package baseline

import (
	"math"
	"slices"
)

// A place is a gap or some words of a passage, as it is looked for in a caption.
type place struct {
	cues    []cue
	negated bool
}

// A cue is a content word near a place.
type cue struct {
	stem     string
	distance int // from the place in words
	weight   float64
}

const (
	// cueReach is how many words a cue is from its place at most.
	cueReach = 12
	// nearness is the distance in words over which the weight of a cue falls to 1/e.
	nearness = 4.0
	// absentShare is what a cue that the caption lacks keeps of its weight: its thing may be there in another word.
	absentShare = 0.2
)

// placeOf reads the surroundings of the words first to last (exclusive). A word that the passage repeats weighs less.
func (t *text) placeOf(first, last int) *place {
	p := &place{negated: t.isNegated(first)}
	add := func(i, distance int) {
		if stem := t.words[i].Stem; isContent(t.words[i]) {
			p.cues = append(p.cues, cue{stem, distance, math.Exp(-float64(distance)/nearness) / float64(len(t.at[stem]))})
		}
	}
	for i := max(0, first-cueReach); i < first; i++ {
		add(i, t.distance(i, first))
	}
	for i := last; i < min(len(t.words), last+cueReach); i++ {
		add(i, t.distance(last-1, i))
	}
	return p
}

// support is how well the words around first to last (exclusive) agree with a place: the share of the weight of its
// cues that is there, 0 to 1. A cue as near as in the passage counts in full, and less the farther it is. Support is 0
// if only one side is negated.
func (t *text) support(p *place, first, last int) float64 {
	if p.negated != t.isNegated(first) {
		return 0
	}
	found, all := 0.0, 0.0
	for _, q := range p.cues {
		at := t.at[q.stem]
		if len(at) == 0 {
			all += q.weight * absentShare
			continue
		}
		all += q.weight
		nearest := math.MaxInt
		if k, _ := slices.BinarySearch(at, first); k > 0 {
			nearest = t.distance(at[k-1], first)
		}
		if k, _ := slices.BinarySearch(at, last); k < len(at) {
			nearest = min(nearest, t.distance(last-1, at[k]))
		}
		found += q.weight * math.Exp(-float64(max(0, nearest-q.distance))/nearness)
	}
	if all == 0 {
		return 0
	}
	return found / all
}
