package match

import (
	"cmp"
	"slices"
)

// Groups puts things of several people into groups of what is alike, at most one of each person in
// a group. owners says whose each thing is. Everything begins as a group of its own; then, as
// often as it goes, those two groups become one whose things are most alike on average, if that
// is at least least and no person would be in the group twice. Of equal likenesses the earlier
// things go first, so the same input gives the same groups. Groups and their things come in order.
func Groups(owners []int, like func(i, k int) float64, least float64) [][]int {
	n := len(owners)
	groups := make([][]int, n)
	likeness := make([][]float64, n) // mean between two groups, of which the first is the earlier one
	for i := range n {
		groups[i] = []int{i}
		likeness[i] = make([]float64, n)
		for k := i + 1; k < n; k++ {
			likeness[i][k] = like(i, k)
		}
	}
	for {
		a, b := closest(groups, owners, likeness, least)
		if b == 0 {
			break
		}
		for k := range n {
			if k == a || k == b || groups[k] == nil {
				continue
			}
			at, from := &likeness[min(a, k)][max(a, k)], likeness[min(b, k)][max(b, k)]
			size, more := float64(len(groups[a])), float64(len(groups[b]))
			*at = (size**at + more*from) / (size + more)
		}
		groups[a], groups[b] = append(groups[a], groups[b]...), nil
	}
	groups = slices.DeleteFunc(groups, func(g []int) bool { return g == nil })
	for _, g := range groups {
		slices.Sort(g)
	}
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return groups
}

// closest are the two groups that become one next; 0, 0 = none do.
func closest(groups [][]int, owners []int, likeness [][]float64, least float64) (a, b int) {
	best := -1.0
	for i := range groups {
		for k := i + 1; k < len(groups); k++ {
			l := likeness[i][k]
			if l >= least && l > best && groups[i] != nil && groups[k] != nil && apart(groups[i], groups[k], owners) {
				a, b, best = i, k, l
			}
		}
	}
	return a, b
}

// apart reports whether two groups have no person in common.
func apart(a, b, owners []int) bool {
	return !slices.ContainsFunc(a, func(i int) bool {
		return slices.ContainsFunc(b, func(k int) bool { return owners[i] == owners[k] })
	})
}
