package stats

import (
	"fmt"
	"slices"
	"strings"
)

// A battleGroup divides n systems into rated systems and the reasons for no rating. A system that wins all its battles has no
// Bradley-Terry rating: its distance from the others has no upper bound. The others may still have ratings.
type battleGroup struct {
	Rated      []int   // the largest group in which wins and ties lead from each system to each other; nil = no such group
	Undefeated []int   // not rated, and won every battle
	Winless    []int   // not rated, and lost every battle
	Others     []int   // not rated for another reason, such as no battle against the rated, or only wins
	OnlyTies   []int   // tied every battle, where others did not
	Unmet      [][]int // groups that never met, where there are several
	Tied       bool    // all battles are ties
}

// GroupBattles finds the groups. Battles of a system with itself are ignored.
func GroupBattles(n int, battles []Battle) battleGroup {
	wins, losses, ties := make([]int, n), make([]int, n), make([]int, n)
	beats, meets, fought := make([][]int, n), make([][]int, n), make([]int, n)
	for _, b := range battles {
		if b.A == b.B {
			continue
		}
		fought[b.A]++
		fought[b.B]++
		meets[b.A], meets[b.B] = append(meets[b.A], b.B), append(meets[b.B], b.A)
		winner, loser := b.A, b.B
		switch b.Result {
		case Tied:
			ties[b.A]++
			ties[b.B]++
			beats[b.A], beats[b.B] = append(beats[b.A], b.B), append(beats[b.B], b.A)
			continue
		case WonByB:
			winner, loser = b.B, b.A
		}
		wins[winner]++
		losses[loser]++
		beats[winner] = append(beats[winner], loser)
	}
	g := battleGroup{Tied: slices.Max(append(wins, 0)) == 0 && slices.Max(append(ties, 0)) > 0}
	if parts := partsOf(n, meets); len(parts) > 1 {
		g.Unmet = parts
	}
	g.Rated = largest(circles(n, beats), fought)
	for i := range n {
		g.add(i, wins[i], losses[i], ties[i])
	}
	return g
}

// add adds a system with its battles to the groups that are not rated.
func (g *battleGroup) add(system, wins, losses, ties int) {
	if ties > 0 && wins+losses == 0 && !g.Tied {
		g.OnlyTies = append(g.OnlyTies, system)
	}
	switch {
	case slices.Contains(g.Rated, system):
	case wins > 0 && losses+ties == 0:
		g.Undefeated = append(g.Undefeated, system)
	case losses > 0 && wins+ties == 0:
		g.Winless = append(g.Winless, system)
	default:
		g.Others = append(g.Others, system)
	}
}

// partsOf are the groups of systems that are connected by battles.
func partsOf(n int, meets [][]int) (parts [][]int) {
	seen := make([]bool, n)
	for i := range n {
		if seen[i] {
			continue
		}
		part := reached(i, meets)
		for _, j := range part {
			seen[j] = true
		}
		slices.Sort(part)
		parts = append(parts, part)
	}
	return parts
}

// circles are the groups in which wins and ties lead from each system to each other.
func circles(n int, beats [][]int) (groups [][]int) {
	down := make([]map[int]bool, n)
	for i := range n {
		down[i] = make(map[int]bool)
		for _, j := range reached(i, beats) {
			down[i][j] = true
		}
	}
	seen := make([]bool, n)
	for i := range n {
		if seen[i] {
			continue
		}
		var group []int
		for j := range n {
			if down[i][j] && down[j][i] {
				group, seen[j] = append(group, j), true
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// largest is the group with most systems; of equal groups, with most battles; nil if still equal, or for single systems.
func largest(groups [][]int, fought []int) []int {
	var best []int
	most, twice := 0, false
	for _, g := range groups {
		if len(g) < 2 || len(g) < len(best) {
			continue
		}
		battles := 0
		for _, i := range g {
			battles += fought[i]
		}
		switch {
		case len(g) > len(best) || battles > most:
			best, most, twice = g, battles, false
		case battles == most:
			twice = true
		}
	}
	if twice {
		return nil
	}
	return best
}

// Among returns the battles between rated systems and their clusters. Systems are numbered as in Rated, clusters from 0.
func (g battleGroup) Among(battles []Battle, clusters []int) (kept []Battle, of []int) {
	place, cluster := make(map[int]int), make(map[int]int)
	for i, system := range g.Rated {
		place[system] = i
	}
	for i, b := range battles {
		a, okA := place[b.A]
		z, okB := place[b.B]
		if !okA || !okB || b.A == b.B {
			continue
		}
		kept = append(kept, Battle{a, z, b.Result})
		if clusters == nil {
			continue
		}
		at, known := cluster[clusters[i]]
		if !known {
			at = len(cluster)
			cluster[clusters[i]] = at
		}
		of = append(of, at)
	}
	return kept, of
}

// Notes lists the systems without a Bradley-Terry rating, and the groups that Elo cannot compare, by name.
func (g battleGroup) Notes(systems []string) (notes []string) {
	names := func(list []int) string {
		var out []string
		for _, i := range list {
			out = append(out, systems[i])
		}
		return strings.Join(out, ", ")
	}
	say := func(list []int, what string) {
		if len(list) > 0 {
			notes = append(notes, fmt.Sprintf("no Bradley-Terry rating of %s: %s", names(list), what))
		}
	}
	if len(g.Unmet) > 1 {
		var groups []string
		for _, part := range g.Unmet {
			groups = append(groups, names(part))
		}
		notes = append(notes, "these groups of systems never met, so that neither Elo nor Bradley-Terry compares them: "+strings.Join(groups, " | "))
	}
	say(g.Undefeated, "undefeated: won every battle, so that any rating above the others would do")
	say(g.Winless, "winless: lost every battle, so that any rating below the others would do")
	switch {
	case len(g.Rated) == 0:
		say(g.Others, "the battles do not rate them against each other")
	default:
		say(g.Others, "against the rated systems they won all, lost all, or have no battle")
	}
	if len(g.OnlyTies) > 0 {
		notes = append(notes, "the rating rests on ties alone, as every battle was a tie: "+names(g.OnlyTies))
	}
	if g.Tied {
		notes = append(notes, "all battles are ties: the ratings are equal")
	}
	return notes
}
