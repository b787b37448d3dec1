package lexical

import "math"

const (
	// partialReach is how many words lie at most between two terms of a
	// partial mention: "adjusts her hair" in "adjusting some of her hair".
	partialReach = 3
	// minCoverage is the least share of an option's terms that names it.
	minCoverage = 0.5
	// partialCertainty is what a complete but scattered mention is worth.
	partialCertainty = 0.9
)

// findPartial appends the places with the terms of an option of several words
// in any order or with some of them missing, as "Moskowitz" for "Isa Chandra
// Moskowitz".
func findPartial(t *text, options []option, i int, l level, found []mention) []mention {
	o := &options[i]
	if len(o.terms) < 2 {
		return found
	}
	ordered := isOrdered(options, i, l)
	n := 0
	for k, f := range o.terms {
		if f.isFunction || isShared(options, i, f, l) {
			continue
		}
		for _, p := range places(t.bySense, f.ids[senseLevel]) {
			if n >= maxMentions || !t.is(int(p), f, l) {
				continue
			}
			if m, ok := t.cluster(o, k, int(p), l, ordered); ok {
				found = append(found, m)
				n++
			}
		}
	}
	return found
}

// cluster gathers the terms of o around term k at place p.
func (t *text) cluster(o *option, k, p int, l level, ordered bool) (mention, bool) {
	m := mention{first: p, last: p + 1}
	coverage := o.weight[k]
	for other, f := range o.terms {
		if other == k {
			continue
		}
		from, to := m.first-1-partialReach, m.last+1+partialReach
		if ordered && other < k {
			to = p
		}
		if ordered && other > k {
			from = p + 1
		}
		at, ok := t.nearestOf(f, p, max(from, 0), min(to, len(t.tokens)), l)
		switch {
		case ok:
			coverage += o.weight[other]
			m.first, m.last = min(m.first, at), max(m.last, at+1)
		case f.isNumber:
			return m, false // a number is mentioned whole or not at all
		}
	}
	m.certainty = partialCertainty * math.Sqrt(coverage)
	return m, coverage >= minCoverage
}

// nearestOf finds the place of f nearest to p in the sentence of p.
func (t *text) nearestOf(f *form, p, from, to int, l level) (int, bool) {
	best, found := 0, false
	for i := from; i < to; i++ {
		if i == p || t.tokens[i].sentence != t.tokens[p].sentence || !t.is(i, f, l) {
			continue
		}
		if !found || abs(i-p) < abs(best-p) {
			best, found = i, true
		}
	}
	return best, found
}

func abs(n int) int { return max(n, -n) }
