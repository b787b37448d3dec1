package lexical

// findAll finds and weighs the mentions of the options of s.
func (r *reader) findAll(s *slot) {
	if len(s.contexts) == 0 {
		return
	}
	for _, m := range dropCovered(findMentions(r.lex, r.caption, s.options, s.level)) {
		c := scored{m, r.scoreMention(s, m)}
		s.found = append(s.found, c)
		s.top = max(s.top, c.support)
	}
}

// scored is a mention with how well its context fits.
type scored struct {
	mention
	contextScore
}

// score ranks mentions by their support and by how surely they name the
// option.
func (c scored) score() float64 { return c.support * c.certainty }

// threshold is the score that c needs to be the answer to slot i.
func (r *reader) threshold(i int, c scored) float64 {
	s := &r.slots[i]
	o := &s.options[c.option]
	only := len(r.offering[o.key]) == 1 && s.count(c.option) == 1
	if c.certainty == 1 && c.elsewhere <= maxElsewhere && only && o.isDistinctive() && len(r.fixedMentions(s, c.option)) == 0 {
		return minDistinctive
	}
	return minSupport
}

// count is how many mentions of option k the caption has.
func (s *slot) count(k int) int {
	n := 0
	for _, c := range s.found {
		if c.option == k {
			n++
		}
	}
	return n
}

// scoreMention says how well the words around m match those around the slot. A
// mention scores 0 if the caption denies it where the passage affirms it, or the
// other way round.
func (r *reader) scoreMention(s *slot, m mention) contextScore {
	var best contextScore
	for i := range s.contexts {
		c := &s.contexts[i]
		if c.negated != r.caption.negated(m.first, m.last) {
			continue
		}
		f := c.scorePlace(r.caption, m.first, m.last)
		if r.caption.counts(m.last) && !c.counts {
			f.support *= countingShare
		}
		if f.support > best.support {
			best = f
		}
	}
	return best
}

// bestPlace is the support the slot finds anywhere in the caption, whatever
// words stand there.
func (r *reader) bestPlace(s *slot) float64 {
	best := 0.0
	for i := range s.contexts {
		best = max(best, s.contexts[i].bestSupport(r.caption))
	}
	return best
}

// belongsElsewhere reports whether fixed text of the passage explains the
// mention at least as well as slot i does, or another blank that offers the
// same words, and has no better mention, clearly better.
func (r *reader) belongsElsewhere(i int, c scored) bool {
	o := &r.slots[i].options[c.option]
	for _, f := range r.fixedMentions(&r.slots[i], c.option) {
		ctx := newContext(r.passage, r.weights, f.first, f.last)
		if ctx.scorePlace(r.caption, c.first, c.last).support >= c.support {
			return true
		}
	}
	for _, j := range r.offering[o.key] {
		if other := &r.slots[j]; j != i {
			support := r.scoreMention(other, c.mention).support
			if support > c.support+otherBlankLead && support >= other.top {
				return true
			}
		}
	}
	return false
}

// maxFixed bounds the work a passage that repeats one word can cause.
const maxFixed = 32

// fixedMentions are the places where the passage itself says option k of s.
func (r *reader) fixedMentions(s *slot, k int) []mention {
	o := &s.options[k]
	if !o.fixedFound {
		found := findContiguous(r.passage, o, s.level, nil)
		found = findPartial(r.passage, s.options, k, s.level, found)
		o.fixed, o.fixedFound = found[:min(len(found), maxFixed)], true
	}
	return o.fixed
}
