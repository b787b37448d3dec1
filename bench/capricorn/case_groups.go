package capricorn

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A tag names a subject and one of its groups: 2b is the second group of the
// second subject.
type tag struct {
	name    string
	subject string
	group   string // in words
	number  int    // of the group among all groups of the video, from 1; 0 = in no group
	loose   bool   // in no group
}

// A subjectLegend lists a subject's groups.
type subjectLegend struct {
	number int
	name   string
	groups []groupLegend
}

type groupLegend struct {
	tag
	texts []countedText
}

type countedText struct {
	text string
	n    int
}

// numbered numbers the subjects: by the numbers in their names, such as <sbj_2>,
// if these differ, else in order of appearance.
func (u *unit) numbered() []subjectLegend {
	var byName, byPlace []subjectLegend
	for i, s := range u.subjects {
		byPlace = append(byPlace, subjectLegend{number: i + 1, name: s})
		inner := strings.TrimSuffix(s, ">")
		n, err := strconv.Atoi(inner[len(strings.TrimRight(inner, "0123456789")):])
		if err == nil && n < 1000 && !slices.ContainsFunc(byName, func(l subjectLegend) bool { return l.number == n }) {
			byName = append(byName, subjectLegend{number: n, name: s})
		}
	}
	if len(byName) < len(byPlace) {
		return byPlace
	}
	slices.SortFunc(byName, func(a, b subjectLegend) int { return cmp.Compare(a.number, b.number) })
	return byName
}

// shownGrouping returns strict scoring's grouping of a subject's descriptions, or
// official's if only that was asked.
func (u *unit) shownGrouping(subject string) *grouping {
	g, o := u.strict[subject], u.official[subject]
	if g == nil || g.failed && o != nil && !o.failed {
		g = o
	}
	if g == nil {
		g = &grouping{}
	}
	return g
}

// groupsToShow names a subject's groups: a letter each, "" for a description
// that is alone, "?" for descriptions in no group.
func groupsToShow(g *grouping, subject int) []groupLegend {
	number := strconv.Itoa(subject)
	if len(g.descriptions) == 1 && len(g.groups) == 0 {
		return []groupLegend{{tag{name: number, group: "the only mention"}, count(g.descriptions)}}
	}
	var out []groupLegend
	rest := slices.Clone(g.descriptions)
	for i, c := range g.once() {
		name := lettersOf(i)
		out = append(out, groupLegend{tag{name: number + name, group: "group " + name}, count(c.descriptions)})
		rest = slices.DeleteFunc(rest, func(d *description) bool {
			return slices.ContainsFunc(c.descriptions, func(o *description) bool { return keyOf(o) == keyOf(d) })
		})
	}
	if len(rest) > 0 {
		why := "in no group"
		if g.failed {
			why = "could not be grouped"
		}
		out = append(out, groupLegend{tag{name: number + "?", group: why, loose: true}, count(rest)})
	}
	return out
}

// count lists the texts, each once with its number, without nulls.
func count(list []*description) []countedText {
	var out []countedText
	for _, d := range list {
		if d == nil {
			continue
		}
		i := slices.IndexFunc(out, func(c countedText) bool { return c.text == d.text })
		if i < 0 {
			out = append(out, countedText{d.text, 0})
			i = len(out) - 1
		}
		out[i].n++
	}
	return out
}

// lettersOf counts a, b, … z, aa, ab.
func lettersOf(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return lettersOf(i/26-1) + lettersOf(i%26)
}
