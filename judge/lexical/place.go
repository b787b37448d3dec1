package lexical

import (
	"math/bits"
	"slices"
)

// place is a sentence of a caption, or two, with the terms of an event found
// in it. Its words are first to last (exclusive).
type place struct {
	first, last int
	share       float64 // of the event's content, 0 to 1
	rank        float64 // share, with what speaks for the place besides
	at          []int   // word of the caption for every term, -1 if missing
}

// has reports whether term k was found; there is nothing to find in term -1.
func (p *place) has(k int) bool { return k < 0 || p.at[k] >= 0 }

// reach returns the first and the last of the words found.
func (p *place) reach() (first, last int) {
	first, last = p.last, p.first
	for _, i := range p.at {
		if i >= 0 {
			first, last = min(first, i), max(last, i)
		}
	}
	return first, last
}

// window is spans first to last (exclusive) with the terms they may have.
type window struct {
	first, last int
	score       float64 // more than any place in it can have
}

// bestPlace is the place that tells most of e, the earlier one of equals.
func (c *Caption) bestPlace(e *event) place {
	best := place{at: slices.Repeat([]int{-1}, len(e.terms))}
	for _, w := range c.windows(e) {
		p := c.weigh(e, w)
		if p.rank > best.rank || p.rank == best.rank && p.rank > 0 && p.last-p.first < best.last-best.first {
			best = p
		}
	}
	return best
}

// windows returns the maxTried most promising windows, best first.
func (c *Caption) windows(e *event) []window {
	masks := make([]uint64, len(c.spans))
	for k := range e.terms {
		if id := c.id(e.terms[k].names.kin); id >= 0 {
			for _, s := range c.byKin[id] {
				masks[s] |= 1 << k
			}
		}
	}
	var top []window
	for s, mask := range masks {
		if mask == 0 {
			continue
		}
		top = keepBest(top, window{s, s + 1, e.sum(mask)})
		if s+1 < len(masks) && mask|masks[s+1] != mask && mask|masks[s+1] != masks[s+1] {
			top = keepBest(top, window{s, s + 2, pairShare * e.sum(mask|masks[s+1])})
		}
	}
	return top
}

// keepBest inserts w behind its equals, so that earlier places come first.
func keepBest(top []window, w window) []window {
	at := len(top)
	for at > 0 && top[at-1].score < w.score {
		at--
	}
	if at == maxTried {
		return top
	}
	top = slices.Insert(top, at, w)
	return top[:min(len(top), maxTried)]
}

// sum is the weight of the terms of a mask.
func (e *event) sum(mask uint64) float64 {
	total := 0.0
	for ; mask != 0; mask &= mask - 1 {
		total += e.terms[bits.TrailingZeros64(mask)].weight
	}
	return total
}

// What a word is worth for a term.
const (
	sameWord = 1.0
	sameDeed = 0.95
	sameKin  = 0.5
	// farWord is what a word keeps that stands too far from the others to
	// tell of the same event.
	farWord = 0.4
	// spread is how many words more than the event itself its telling may
	// take.
	spread = 10
	// castBonus ranks places that name the event's subjects over others.
	castBonus = 0.1
)

// found is a word of a caption that stands for a term.
type found struct {
	at     int
	credit float64
}

// maxFound bounds the words that are tried for one term at one place.
const maxFound = 16

// weigh finds the terms of e in a window, as near to each other as possible.
func (c *Caption) weigh(e *event, w window) place {
	p := place{first: int(c.spans[w.first].first), last: int(c.spans[w.last-1].last), at: make([]int, len(e.terms))}
	words := c.wordsFor(e, p.first, p.last)
	near := len(e.text.tokens) + spread
	best, apart, at := -1.0, 0, make([]int, len(e.terms))
	for k := range words {
		if e.terms[k].weight < plainWeight && best >= 0 {
			continue // a minor word makes no center where there is another
		}
		for _, center := range words[k] {
			total, far := 0.0, 0
			for j := range words {
				credit := 0.0
				credit, at[j] = bestNear(words[j], center.at, near)
				total += credit * e.terms[j].weight
				if at[j] >= 0 {
					far += abs(at[j] - center.at)
				}
			}
			if total > best || total == best && far < apart {
				best, apart = total, far
				copy(p.at, at)
			}
		}
	}
	if best < 0 {
		return place{at: p.at}
	}
	p.share = best / e.weight
	if w.last-w.first > 1 {
		p.share *= pairShare
	}
	p.rank = p.share + castBonus*c.castShare(e, p.first, p.last)
	return p
}

// bestNear picks the word of most credit, the nearest of equals.
func bestNear(words []found, center, near int) (credit float64, at int) {
	at = -1
	for _, f := range words {
		got := f.credit
		if abs(f.at-center) > near {
			got *= farWord
		}
		if got > credit || got == credit && at >= 0 && abs(f.at-center) < abs(at-center) {
			credit, at = got, f.at
		}
	}
	return credit, at
}

// wordsFor lists for every term the words of first to last that may stand
// for it.
func (c *Caption) wordsFor(e *event, first, last int) [][]found {
	words := make([][]found, len(e.terms))
	keys := make([]wordKey, len(e.terms))
	for k := range e.terms {
		n := e.terms[k].names
		keys[k] = wordKey{c.id(n.sense), c.id(n.deed), c.id(n.kin)}
	}
	for i := first; i < last; i++ {
		tok := &c.text.tokens[i]
		if tok.isBlank || tok.form.isFunction {
			continue
		}
		here := c.key(i)
		for k, want := range keys {
			if credit := want.credit(here); credit > 0 && len(words[k]) < maxFound {
				words[k] = append(words[k], found{i, credit})
			}
		}
	}
	return words
}

func (want wordKey) credit(have wordKey) float64 {
	switch {
	case want.sense == have.sense:
		return sameWord
	case want.deed == have.deed:
		return sameDeed
	case want.kin == have.kin:
		return sameKin
	}
	return 0
}

// castShare is the share of the words of the event's markers that first to
// last have, 0 for markers without words.
func (c *Caption) castShare(e *event, first, last int) float64 {
	all, have := 0, 0
	for i := range e.roles {
		for _, w := range e.roles[i].traits.words {
			all++
			id := c.id(w)
			if id < 0 {
				continue
			}
			for k := first; k < last; k++ {
				if !c.text.tokens[k].isBlank && c.key(k).deed == id {
					have++
					break
				}
			}
		}
	}
	if all == 0 {
		return 0
	}
	return float64(have) / float64(all)
}
