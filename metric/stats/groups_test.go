package stats

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// fight is so many battles of two systems with a result.
func fight(n, a, b int, result Result) (list []Battle) {
	for range n {
		list = append(list, Battle{a, b, result})
	}
	return list
}

func TestGroupBattles(t *testing.T) {
	all := func(lists ...[]Battle) (out []Battle) {
		for _, l := range lists {
			out = append(out, l...)
		}
		return out
	}
	even := func(n, a, b int) []Battle { return all(fight(n, a, b, WonByA), fight(n, a, b, WonByB)) }
	for name, c := range map[string]struct {
		n       int
		battles []Battle
		want    string // rated, undefeated, winless, others, groups that never met
		notes   []string
	}{
		"one undefeated":        {3, all(fight(5, 0, 1, WonByA), even(3, 1, 2), fight(5, 0, 2, WonByA)), "[1 2] [0] [] [] []", []string{"rating of A: undefeated"}},
		"one winless":           {3, all(even(3, 0, 1), fight(4, 0, 2, WonByA), fight(4, 1, 2, WonByA)), "[0 1] [] [2] [] []", []string{"rating of C: winless"}},
		"both":                  {4, all(even(2, 1, 2), fight(1, 0, 1, WonByA), fight(1, 2, 3, WonByA)), "[1 2] [0] [3] [] []", []string{"A: undefeated", "D: winless"}},
		"all ties":              {3, all(fight(10, 0, 1, Tied), fight(10, 1, 2, Tied)), "[0 1 2] [] [] [] []", []string{"all battles are ties"}},
		"one only ties":         {3, all(even(2, 0, 1), fight(2, 1, 2, Tied)), "[0 1 2] [] [] [] []", []string{"every battle was a tie: C"}},
		"never met":             {4, all(fight(6, 0, 1, WonByA), fight(2, 0, 1, WonByB), fight(6, 2, 3, WonByA), fight(2, 2, 3, WonByB)), "[] [] [] [0 1 2 3] [[0 1] [2 3]]", []string{"A, B | C, D"}},
		"never met, one larger": {5, all(even(1, 0, 1), even(1, 1, 2), even(1, 3, 4)), "[0 1 2] [] [] [3 4] [[0 1 2] [3 4]]", []string{"A, B, C | D, E", "rating of D, E: against the rated"}},
		"a ladder":              {3, all(fight(1, 0, 1, WonByA), fight(1, 1, 2, WonByA)), "[] [0] [2] [1] []", []string{"A: undefeated", "C: winless", "B: the battles do not rate"}},
		"with itself":           {2, all(fight(3, 0, 0, WonByA), even(1, 0, 1)), "[0 1] [] [] [] []", nil},
		"no battles":            {2, nil, "[] [] [] [0 1] [[0] [1]]", nil},
	} {
		g := GroupBattles(c.n, c.battles)
		if got := fmt.Sprint(g.Rated, g.Undefeated, g.Winless, g.Others, g.Unmet); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		notes := strings.Join(g.Notes([]string{"A", "B", "C", "D", "E"}), "\n")
		for _, want := range c.notes {
			if !strings.Contains(notes, want) {
				t.Errorf("%s: %q, want %q in it", name, notes, want)
			}
		}
		if len(g.Rated) == 0 {
			continue
		}
		kept, clusters := g.Among(c.battles, make([]int, len(c.battles)))
		ranked, _, err := RankBattles(len(g.Rated), kept, clusters, Davidson, Options{Resamples: 50, Seed: 1})
		if err != nil || len(ranked) != len(g.Rated) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTiesAloneRateAllAlike(t *testing.T) {
	got, err := bradleyTerry(3, append(fight(10, 0, 1, Tied), fight(10, 1, 2, Tied)...), Davidson)
	fixture.OK(t, err)
	for _, r := range got.Ratings {
		if r != 1000 {
			t.Errorf("ratings %v", got.Ratings)
		}
	}
	if !math.IsInf(got.Tie, 1) {
		t.Errorf("a tie has the weight %v", got.Tie)
	}
}
