package lexical

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// openers before a noun phrase leave it the one who acts.
var openers = set(`and or but then while as when where because before after until since if that so
	meanwhile later next suddenly finally afterwards afterward there now inside outside nearby
	eventually soon also is are was were see sees again once shows showing featuring`)

// standsAsAgent reports whether p stands at the start of its clause or after
// an opener, and does not merely go on with a list: "the man and the nurse".
func (c *Caption) standsAsAgent(p person, before []person) bool {
	if p.owner {
		return false
	}
	if !c.joins(p.first) {
		return true
	}
	opener := c.word(p.first - 1)
	if strings.HasSuffix(opener, "ly") {
		return true
	}
	if !openers[opener] {
		return false
	}
	inList := len(before) > 0 && before[len(before)-1].last == p.first-1 && (opener == "and" || opener == "or")
	return !inList
}

// isApposition reports whether p only says more of the person before: "Emily,
// a dancer, stretches".
func (c *Caption) isApposition(p person, before []person) bool {
	if len(before) == 0 || p.pronoun || p.owner || c.joins(p.first) {
		return false
	}
	last := before[len(before)-1]
	if last.last != p.first || last.pronoun || last.owner || c.text.tokens[p.first-1].sentence != c.text.tokens[p.first].sentence {
		return false
	}
	reach := p.last
	if last.agent && articles[c.word(p.first)] {
		reach += appositionReach
	}
	for i := p.last; i <= reach && i < len(c.text.tokens); i++ {
		if c.text.tokens[i].sentence != c.text.tokens[p.first].sentence {
			return false
		}
		if !c.joins(i) {
			return true
		}
	}
	return false
}

// appositionReach is how many words more than is understood an apposition to
// who acts may have before its comma.
const appositionReach = 8

// casting hands out the roles of an event to the people of a place.
type casting struct {
	caption *Caption
	event   *event
	people  []person
	act     int // the word around which they stand
	taken   []bool
	cast    []*person // for every role, nil where nobody plays it
}

// castOf finds for every role of e who plays it at p, nil where nobody does.
func (c *Caption) castOf(e *event, p place) []*person {
	if len(e.roles) == 0 {
		return nil
	}
	people := c.people(p.first, p.last)
	k := casting{c, e, people, actOf(e, p), make([]bool, len(people)), make([]*person, len(e.roles))}
	order := k.byAct()
	for r := range e.roles {
		best := k.ownerFor(r)
		if best < 0 {
			best = k.pick(r, order)
		}
		if best < 0 {
			continue
		}
		k.taken[best] = !people[best].plural
		if who := k.resolve(best); who != nil && !k.isCast(who) {
			k.cast[r] = who
		}
	}
	if k.cast[0] == nil {
		k.cast[0] = c.antecedent(p.first, anyGender, false)
	}
	return k.cast
}

// isCast reports whether who, one person, has a role already.
func (k *casting) isCast(who *person) bool {
	for _, p := range k.cast {
		if p != nil && p.first == who.first && !who.plural {
			return true
		}
	}
	return false
}

// actOf is the word around which the subjects of e stand: what the first one
// does or, if the caption says that otherwise, what comes next in the event.
func actOf(e *event, p place) int {
	for k := max(e.act, 0); k < len(p.at); k++ {
		if p.at[k] >= 0 {
			return p.at[k]
		}
	}
	first, _ := p.reach()
	return first
}

// byAct orders people as the markers of an event usually come: who acts,
// then who is acted on, from near to far.
func (k *casting) byAct() []int {
	agent := -1
	for i := range k.people {
		q := &k.people[i]
		if k.isPassive(q) {
			agent = i
			break
		}
		if q.last <= k.act && !q.owner && (q.agent || agent < 0) {
			agent = i
		}
	}
	var order, behind []int
	if agent >= 0 {
		order = append(order, agent)
	}
	for i := range k.people {
		switch {
		case i == agent || k.people[i].owner:
		case k.people[i].first > k.act:
			order = append(order, i)
		default:
			behind = append(behind, i)
		}
	}
	slices.Reverse(behind)
	return append(order, behind...)
}

// isPassive reports whether q is who acts in the passive: "is opened by q".
func (k *casting) isPassive(q *person) bool {
	return q.first > k.act && q.first-k.act <= 2*phraseReach && k.caption.word(q.first-1) == "by"
}

// ownerFor is who owns something in the caption, for a role that does so in
// the event; -1 if there is nobody.
func (k *casting) ownerFor(r int) int {
	if !k.event.roles[r].owner {
		return -1
	}
	return slices.IndexFunc(k.people, func(q person) bool { return q.owner })
}

// nominative pronouns act and are not acted on.
var nominative = set(`he she they`)

// pick chooses for role r among those not yet taken: who fits its words
// first, then whoever is next; -1 if nobody is left.
func (k *casting) pick(r int, order []int) int {
	role := &k.event.roles[r]
	// The first marker of an event before its verb is who acts; nobody who
	// comes later in the caption is, except in the passive.
	isAgent := r == 0 && (k.event.verb < 0 || role.at < k.event.terms[k.event.verb].at)
	free := -1
	for _, i := range order {
		q := &k.people[i]
		late := q.first > k.act && !k.isPassive(q)
		if k.taken[i] || isAgent && late || r > 0 && late && nominative[k.caption.word(q.first)] {
			continue
		}
		if role.traits.isEmpty() {
			return i
		}
		if who := k.resolve(i); who != nil && !contradict(role.traits, k.caption.traitsOf(who)) {
			return i
		}
		if free < 0 {
			free = i
		}
	}
	return free
}

// resolve returns person i, or whom it stands for if it is a pronoun: nobody
// who has a role already.
func (k *casting) resolve(i int) *person {
	p := k.people[i]
	if !p.pronoun {
		return &p
	}
	for j := i - 1; j >= 0; j-- {
		if q := k.people[j]; !q.pronoun && agrees(p, q) && !k.isCast(&q) {
			return &q
		}
	}
	return k.caption.antecedent(k.people[0].first, p.gender, p.plural)
}

// agrees reports whether a pronoun may stand for p.
func agrees(pronoun, p person) bool {
	return pronoun.plural == p.plural && (pronoun.gender == anyGender || p.gender == anyGender || pronoun.gender == p.gender)
}

// lookBack is how many words before a place its pronouns may refer to.
const lookBack = 160

// antecedent finds the last sentence before word end that speaks of somebody
// who agrees, and there whoever acts rather than others.
func (c *Caption) antecedent(end int, g gender, plural bool) *person {
	first := end
	for tried := 0; first > 0 && end-first < lookBack; tried++ {
		last := first
		for first--; first > 0 && c.text.tokens[first-1].sentence == c.text.tokens[last-1].sentence && last-first < maxSpan; first-- {
		}
		var other *person
		for _, p := range c.people(first, last) {
			if p.pronoun || p.owner || !agrees(person{gender: g, plural: plural}, p) {
				continue
			}
			if p.agent {
				return &p
			}
			if other == nil {
				other = &p
			}
		}
		if other != nil {
			return other
		}
	}
	return nil
}

// maxDescription bounds a description in bytes.
const maxDescription = 200

// description is how the caption calls p, without a possessive ending.
func (c *Caption) description(p *person) string {
	s := c.text.source[c.text.tokens[p.first].start:c.text.tokens[p.last-1].end]
	if len(s) > maxDescription {
		s = s[:maxDescription]
		for len(s) > 0 && !utf8.ValidString(s) && len(s) > maxDescription-utf8.UTFMax {
			s = s[:len(s)-1]
		}
	}
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || isApostrophe(r) })
	if p.owner {
		for _, mark := range []string{"'s", "’s", "ʼs", "‘s"} {
			s = strings.TrimSuffix(s, mark)
		}
	}
	return s
}

func (c *Caption) traitsOf(p *person) traits { return describe(c.description(p)) }
