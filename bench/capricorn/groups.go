package capricorn

import (
	"omniscope"
)

// A grouping is one list of a subject's descriptions and the judge's groups.
type grouping struct {
	descriptions []*description // of the events that mention it, in order
	asked        bool           // the judge was asked, because there were several
	failed       bool           // no reply could be used, or unasked
	unasked      bool           // only strict asks about this list, and this is a run of official
	outcome      omniscope.Outcome
	reason       string  // why it failed
	groups       []group // as in the reply
	attempts     int
}

// A group is a category of a reply.
type group struct {
	name         string
	descriptions []*description
}

// sizes returns the sizes of the groups: as in the reply, or with surplus copies
// removed. A reply may repeat descriptions, within the published tolerance.
func (g *grouping) sizes(once bool) []int {
	groups := g.groups
	if once {
		groups = g.once()
	}
	var out []int
	for _, c := range groups {
		out = append(out, len(c.descriptions))
	}
	return out
}

// once returns the groups without surplus copies of a description: the copies
// that come first in the reply stay.
func (g *grouping) once() []group {
	if g.surplus() == 0 {
		return g.groups
	}
	left := g.numbers()
	var out []group
	for _, c := range g.groups {
		kept := group{name: c.name}
		for _, d := range c.descriptions {
			if left[keyOf(d)] > 0 {
				left[keyOf(d)]--
				kept.descriptions = append(kept.descriptions, d)
			}
		}
		out = append(out, kept)
	}
	return out
}

// surplus returns how many more descriptions the groups hold than the list.
func (g *grouping) surplus() int {
	left, n := g.numbers(), 0
	for _, c := range g.groups {
		for _, d := range c.descriptions {
			if left[keyOf(d)]--; left[keyOf(d)] < 0 {
				n++
			}
		}
	}
	return n
}

// numbers counts how often each description is in the list.
func (g *grouping) numbers() map[string]int {
	n := make(map[string]int)
	for _, d := range g.descriptions {
		n[keyOf(d)]++
	}
	return n
}

// groupingFor returns the grouping of a subject's descriptions with some faults
// mended. known is false if the judge was not asked about that list.
func (u *unit) groupingFor(name string, m mends) (g *grouping, known bool) {
	official, strict := u.official[name], u.strict[name]
	if m.unasked && strict.unasked {
		return strict, true
	}
	switch list := u.mentions(name, m); {
	case sameDescriptions(list, official.descriptions):
		return official, true
	case sameDescriptions(list, strict.descriptions):
		return strict, !strict.unasked
	case len(list) < 2:
		return &grouping{descriptions: list}, true
	case u.offline:
		return &grouping{descriptions: list, groups: groupOffline(list)}, true
	default:
		return official, false
	}
}
