package lexical

// denialReach is how many words before a deed the word that undoes it may stand.
const denialReach = 4

// aroundReach is how many words around those found an opposite may stand.
const aroundReach = 3

// contradicts reports whether the words at p deny e or say the opposite.
func (c *Caption) contradicts(e *event, p place) bool {
	for k, i := range p.at {
		t := &e.terms[k]
		if i < 0 {
			if c.saysOpposite(e, p, k) || c.saysOther(e, p, k) {
				return true
			}
			continue
		}
		says := t.weight == plainWeight || k == e.act
		if says && c.text.negated(i, i+1) != e.text.negated(t.at, t.at+1) {
			return true
		}
		if (k == e.act || says && e.act < 0) && !e.unreal && c.isUnreal(i) {
			return true
		}
		if t.particle != "" && particles[t.particle] == particleOf(c.text, i) {
			return true
		}
	}
	return c.isTorn(e, p)
}

// tornReach is how many words may lie between a verb and its object in
// another clause.
const tornReach = 6

// isTorn reports whether the verb of e stands in another clause or sentence
// than its object: "stands by the door while a window opens" is not about
// opening the door.
func (c *Caption) isTorn(e *event, p place) bool {
	k := e.object()
	if k < 0 || p.at[k] < 0 {
		return false
	}
	verb, object := p.at[e.verb], p.at[k]
	v, o := &c.text.tokens[verb], &c.text.tokens[object]
	if v.clause == o.clause || v.sentence == o.sentence && object > verb && object-verb <= tornReach {
		return false
	}
	return !stands[c.word(verb+1)] && !stands[c.word(verb+2)]
}

// stands are words that stand for a thing named before.
var stands = set(`it them him her one`)

// isUnreal reports whether word i is only tried, meant or refused.
func (c *Caption) isUnreal(i int) bool {
	t := c.text
	for k := i - 1; k >= max(0, i-denialReach) && t.tokens[k].clause == t.tokens[i].clause; k-- {
		if !t.tokens[k].isBlank && unreal[stemOf(t.tokens[k].form.text)] {
			return true
		}
	}
	return false
}

// saysOpposite reports whether the place has an opposite of the missing term
// k among the words found.
func (c *Caption) saysOpposite(e *event, p place, k int) bool {
	others := opposites[e.terms[k].names.deed]
	if len(others) == 0 {
		return false
	}
	first, last := p.reach()
	for i := max(p.first, first-aroundReach); i < min(p.last, last+1+aroundReach); i++ {
		if c.text.tokens[i].isBlank {
			continue
		}
		for _, o := range others {
			if id := c.id(o); id >= 0 && c.key(i).deed == id {
				return true
			}
		}
	}
	return false
}

// saysOther reports whether the missing term k is a color or a number and
// the caption has another one with the same thing: "a red car" for "a blue
// car".
func (c *Caption) saysOther(e *event, p place, k int) bool {
	kind := valueKind(e.terms[k].form)
	if kind == noValue {
		return false
	}
	for j := k + 1; j < len(e.terms) && e.terms[j].at <= e.terms[k].at+aroundReach; j++ {
		i := p.at[j]
		if i < 0 || e.terms[j].weight < plainWeight {
			continue
		}
		for b := i - 1; b >= max(p.first, i-aroundReach); b-- {
			if tok := &c.text.tokens[b]; !tok.isBlank && valueKind(tok.form) == kind {
				return true
			}
		}
	}
	return false
}

// value is a kind of word of which a thing has one.
type value uint8

const (
	noValue value = iota
	colorValue
	numberValue
)

func valueKind(f *form) value {
	switch {
	case f.isNumber:
		return numberValue
	case colorWords[f.text]:
		return colorValue
	}
	return noValue
}

// isOtherCast reports whether the caption gives the event to somebody whom
// its markers exclude, swaps the parts of two, or names one where the event
// has several.
func (c *Caption) isOtherCast(e *event, cast []*person) bool {
	for k, who := range cast {
		if who == nil {
			if len(cast) > 1 && !e.roles[k].owner {
				return true
			}
			continue
		}
		if marker := e.roles[k].traits; !marker.isEmpty() && contradict(marker, c.traitsOf(who)) {
			return true
		}
	}
	return false
}
