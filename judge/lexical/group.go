package lexical

import (
	"cmp"
	"slices"
)

// Group puts descriptions that could mean the same person into one group and
// returns the groups as indexes, in order of first appearance. Names, nouns
// and looks decide. A description that contradicts any member of a group stays
// out of it; one that says little ("the man") joins only where it fits one
// group alone. Empty descriptions stay alone.
//
// Group knows the descriptions and not the caption: a person who changes
// clothes ends up in two groups unless a name or an occupation holds them
// together.
func Group(descriptions []string) [][]int {
	g := grouping{all: make([]traits, len(descriptions)), texts: descriptions}
	order := make([]int, len(descriptions))
	for i, d := range descriptions {
		g.all[i], order[i] = describe(d), i
	}
	// Those who say most found the groups that the others may join.
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.all[b].detail(), g.all[a].detail()) })
	for _, i := range order {
		g.add(i)
	}
	for _, members := range g.groups {
		slices.Sort(members)
	}
	slices.SortFunc(g.groups, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return g.groups
}

type grouping struct {
	texts  []string
	all    []traits
	groups [][]int
}

// detail ranks descriptions by how much they tell.
func (t traits) detail() int {
	switch {
	case t.isEmpty():
		return -1
	case t.isBare():
		return 0
	case len(t.names) > 0:
		return 100 + len(t.words)
	}
	return len(t.words)
}

// add puts description i into the group it is bound to, else into the only
// one it may belong to, else into one of its own.
func (g *grouping) add(i int) {
	bound, fits := -1, []int(nil)
	if !g.all[i].isEmpty() {
		for k, members := range g.groups {
			switch g.tie(i, members) {
			case boundTie:
				if bound < 0 {
					bound = k
				}
			case looseTie:
				fits = append(fits, k)
			}
		}
	}
	if bound < 0 && len(fits) == 1 {
		bound = fits[0]
	}
	if bound < 0 {
		g.groups = append(g.groups, []int{i})
		return
	}
	g.groups[bound] = append(g.groups[bound], i)
}

// tie is how two descriptions, or one and a group, belong together.
type tie uint8

const (
	noTie    tie = iota // nothing speaks for it
	looseTie            // they may
	boundTie            // they do, as far as words tell
	apart               // they cannot
)

// tie is the strongest tie to a member, unless one is apart. Equal words and
// a shared name outweigh the rest: "Emily" is no "Ms. Clark" by herself, but
// is in a group with "Emily Clark".
func (g *grouping) tie(i int, members []int) tie {
	best := noTie
	for _, m := range members {
		if g.texts[m] == g.texts[i] || sharesName(g.all[m], g.all[i]) {
			return boundTie
		}
	}
	for _, m := range members {
		t := tieOf(g.all[i], g.all[m])
		if t == apart {
			return apart
		}
		best = max(best, t)
	}
	return best
}

func tieOf(a, b traits) tie {
	switch {
	case a.isEmpty() || b.isEmpty():
		return noTie
	case contradict(a, b):
		return apart
	case sharesJob(a, b) || sharesLook(a, b):
		return boundTie
	case wearsOther(a, b):
		return apart
	case len(a.names) > 0 || len(b.names) > 0:
		// A name fits anybody of its gender, which is little.
		return tieIf(a.gender != anyGender && a.gender == b.gender)
	case hasJob(a) != hasJob(b):
		return tieIf(a.gender == b.gender || a.isBare() || b.isBare())
	}
	return tieIf(shares(a.heads, b.heads) || a.gender == b.gender && a.gender != anyGender)
}

func tieIf(ok bool) tie {
	if ok {
		return looseTie
	}
	return noTie
}

// contradict reports whether two descriptions cannot be of one person at one
// time.
func contradict(a, b traits) bool {
	switch {
	case len(a.names) > 0 && len(b.names) > 0 && !shares(a.names, b.names):
		return true
	case isOtherGender(a, b):
		return true
	case len(a.heads)+len(a.names) > 0 && len(b.heads)+len(b.names) > 0 && a.plural != b.plural:
		return true
	case a.child && b.adult || a.adult && b.child:
		return true
	case hasJob(a) && hasJob(b) && !sharesJob(a, b):
		return true
	}
	return isOtherNature(a, b) || looksOther(a, b)
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

func isOtherGender(a, b traits) bool {
	return a.gender != anyGender && b.gender != anyGender && a.gender != b.gender
}

func sharesName(a, b traits) bool { return shares(a.names, b.names) && !isOtherGender(a, b) }

func hasJob(t traits) bool {
	return slices.ContainsFunc(t.heads, func(h string) bool { return occupations[h] })
}

// sharesJob reports whether both have the same noun that tells somebody from
// others: a nurse, the mother.
func sharesJob(a, b traits) bool {
	return slices.ContainsFunc(a.heads, func(h string) bool {
		return !bareHeads[h] && (slices.Contains(b.heads, h) || slices.ContainsFunc(b.heads, func(o string) bool {
			return deedOf(o) == deedOf(h)
		}))
	})
}

func isOtherNature(a, b traits) bool {
	for _, x := range a.nature {
		for _, y := range b.nature {
			if natures[x] == natures[y] && nature(x) != nature(y) {
				return true
			}
		}
	}
	return false
}

func nature(word string) string { return firstOf(alike, word) }

// fits reports whether two looks may be one.
func (l look) fits(o look) bool {
	if l.noun != "" && o.noun != "" && firstOf(kin, deedOf(l.noun)) != firstOf(kin, deedOf(o.noun)) {
		return false
	}
	return mayShare(l.quality, o.quality, func(q string) bool { return colorWords[q] }) &&
		mayShare(l.quality, o.quality, func(q string) bool { return q == "long" || q == "short" })
}

// mayShare reports whether a and b have a quality of a kind in common, or
// one says nothing of that kind.
func mayShare(a, b []string, isKind func(string) bool) bool {
	shared := false
	for _, x := range a {
		shared = shared || isKind(x) && slices.Contains(b, x)
	}
	return shared || !slices.ContainsFunc(a, isKind) || !slices.ContainsFunc(b, isKind)
}

// sharesLook reports whether both wear the same or have the same hair.
func sharesLook(a, b traits) bool {
	return anyPair(a, b, func(x, y look) bool { return x.fits(y) })
}

// looksOther reports whether the same thing looks otherwise on both: a grey
// coat and a black one, red hair and none.
func looksOther(a, b traits) bool {
	if isBald(a) && hasHair(b) || isBald(b) && hasHair(a) {
		return true
	}
	return !sharesOutfit(a, b) && anyPair(a, b, func(x, y look) bool {
		same := x.noun == y.noun || x.noun == "" || y.noun == ""
		return same && !x.fits(y)
	})
}

func sharesOutfit(a, b traits) bool {
	return anyPair(a, b, func(x, y look) bool { return x.sort != "hair" && x.noun == y.noun && x.fits(y) })
}

// wearsOther reports whether both are told by clothes that have nothing in
// common.
func wearsOther(a, b traits) bool {
	return anyPair(a, b, func(x, y look) bool { return x.sort == "outfit" }) && !sharesLook(a, b)
}

// anyPair tries the looks of a and b of one sort.
func anyPair(a, b traits, ok func(x, y look) bool) bool {
	for _, x := range a.looks {
		for _, y := range b.looks {
			if x.sort == y.sort && ok(x, y) {
				return true
			}
		}
	}
	return false
}

func isBald(t traits) bool { return slices.Contains(t.nature, "bald") }

func hasHair(t traits) bool {
	return slices.ContainsFunc(t.looks, func(l look) bool { return l.sort == "hair" })
}
