package lexical

import (
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
	if len(before) == 0 || p.pronoun || p.owner {
		return false
	}
	last := before[len(before)-1]
	return last.last == p.first && !last.pronoun && !last.owner && !c.joins(p.first) &&
		p.last < len(c.text.tokens) && !c.joins(p.last) &&
		c.text.tokens[p.first].sentence == c.text.tokens[p.last].sentence
}

// castOf finds for every role of e who plays it at p, nil where nobody does.
func (c *Caption) castOf(e *event, p place) []*person {
	cast := make([]*person, len(e.roles))
	if len(cast) == 0 {
		return cast
	}
	people := c.people(p.first, p.last)
	act := c.actOf(e, p)
	order := c.byAct(people, act)
	taken := make([]bool, len(people))
	for k := range e.roles {
		best := c.pick(e, k, people, order, taken, act)
		if best < 0 {
			continue
		}
		taken[best] = !people[best].plural
		cast[k] = c.resolve(people, best)
	}
	if cast[0] == nil {
		cast[0] = c.antecedent(p.first, anyGender, false)
	}
	return cast
}

// actOf is the word around which the subjects of e stand.
func (c *Caption) actOf(e *event, p place) int {
	if e.verb >= 0 && p.at[e.verb] >= 0 {
		return p.at[e.verb]
	}
	first, _ := p.reach()
	return first
}

// byAct orders people as the markers of an event usually come: who acts,
// then who is acted on, from near to far.
func (c *Caption) byAct(people []person, act int) []int {
	agent := -1
	for i := range people {
		q := &people[i]
		if q.first > act && c.word(q.first-1) == "by" && q.first-act <= 2*phraseReach {
			agent = i // passive
			break
		}
		if q.last <= act && !q.owner && (q.agent || agent < 0) {
			agent = i
		}
	}
	var order []int
	if agent >= 0 {
		order = append(order, agent)
	}
	var behind []int
	for i := range people {
		switch {
		case i == agent || people[i].owner:
		case people[i].first > act:
			order = append(order, i)
		default:
			behind = append([]int{i}, behind...)
		}
	}
	return append(order, behind...)
}

// pick chooses for role k among those not yet taken.
func (c *Caption) pick(e *event, k int, people []person, order []int, taken []bool, act int) int {
	r := &e.roles[k]
	free := -1
	for _, i := range order {
		if taken[i] {
			continue
		}
		// The first marker of an event before its verb is who acts; nobody
		// who comes later in the caption is, except in the passive.
		isAgent := k == 0 && (e.verb < 0 || r.at < e.terms[e.verb].at)
		if isAgent && people[i].first > act && c.word(people[i].first-1) != "by" {
			continue
		}
		if r.traits.isEmpty() {
			return i
		}
		have := c.resolvedTraits(people, i)
		if !have.isEmpty() && !contradict(r.traits, have) {
			return i
		}
		if free < 0 {
			free = i
		}
	}
	return free
}

func (c *Caption) resolvedTraits(people []person, i int) traits {
	if p := c.resolve(people, i); p != nil {
		return c.traitsOf(p)
	}
	return traits{}
}

// resolve returns people[i], or whom it stands for if it is a pronoun.
func (c *Caption) resolve(people []person, i int) *person {
	p := people[i]
	if !p.pronoun {
		return &p
	}
	for k := i - 1; k >= 0; k-- {
		if q := people[k]; !q.pronoun && agrees(p, q) {
			return &q
		}
	}
	return c.antecedent(people[0].first, p.gender, p.plural)
}

// A pronoun agrees with those it may stand for. "They" may be one person.
func agrees(pronoun, p person) bool {
	if pronoun.plural && !p.plural {
		return false
	}
	if !pronoun.plural && p.plural {
		return false
	}
	return pronoun.gender == anyGender || p.gender == anyGender || pronoun.gender == p.gender
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
