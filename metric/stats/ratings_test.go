package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestEloByHand follows four battles of three systems with a pencil. All begin at 1000.
//
//	0 beats 1: expected 0.5, so 16 move: 1016, 984, 1000.
//	0 ties 2: 0's E = 1/(1+10^(-16/400)) = 0.5230096; 32·(0.5-0.5230096) = -0.7363068: 1015.2636932, 984, 1000.7363068.
//	1 beats 0: 0's E = 1/(1+10^(-31.2636932/400)) = 0.5448710; it loses 32 times that, 17.4358729: 997.8278203, 1001.4358729.
//	2 beats 1: 1's E = 1/(1+10^(-0.6995661/400)) = 0.5010068; it loses 16.0322162: 985.4036567, 1016.7685230.
func TestEloByHand(t *testing.T) {
	battles := []Battle{{0, 1, WonByA}, {0, 2, Tied}, {0, 1, WonByB}, {1, 2, WonByB}}
	got := Elo(3, battles, EloOptions{})
	for i, want := range []float64{997.8278203, 985.4036567, 1016.7685230} {
		near(t, "Elo", got[i], want, 1e-7)
	}
	if got := Elo(2, []Battle{{0, 1, WonByA}}, EloOptions{Initial: 1500, K: 10}); got[0] != 1505 || got[1] != 1495 {
		t.Errorf("with other constants: %v", got)
	}
}

// log7 is a log of 500 battles of 7 systems, made by a generator that any language has.
func log7() (battles []Battle) {
	state := uint64(13)
	next := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>33) / (1 << 31)
	}
	for range 500 {
		a, b := int(next()*7), int(next()*6)
		if b >= a {
			b++
		}
		up, down := math.Exp(0.3*float64(a)), math.Exp(0.3*float64(b))
		tie := 0.5 * math.Sqrt(up*down)
		result := Tied
		if u := next() * (up + down + tie); u < up {
			result = WonByA
		} else if u < up+down {
			result = WonByB
		}
		battles = append(battles, Battle{a, b, result})
	}
	return battles
}

// TestRatingsOfALog has values that a program of some 40 lines in Python found: Elo in its
// plain form, and Bradley-Terry by the iteration of D. R. Hunter, "MM algorithms for
// generalized Bradley-Terry models", Ann. Statist. 32 (2004), until nothing changed.
func TestRatingsOfALog(t *testing.T) {
	battles := log7()
	elo := Elo(7, battles, EloOptions{})
	for i, want := range []float64{878.046539, 888.571087, 941.943148, 1028.340795, 1083.516125, 1027.82773, 1151.754575} {
		near(t, "Elo", elo[i], want, 1e-6)
	}
	for _, c := range []struct {
		ties Ties
		want []float64
		tie  float64
	}{
		{Davidson, []float64{856.3798782732, 850.1253954105, 930.6938984936, 1022.6216949153, 1091.8451784967, 1089.9902770227, 1158.3436773880}, 0.5410138756851},
		{HalfWins, []float64{887.9523335408, 883.1703428918, 945.8527029768, 1017.7038297380, 1071.6909347492, 1070.2878654837, 1123.3419906197}, 0},
	} {
		got, err := bradleyTerry(7, battles, c.ties)
		fixture.OK(t, err)
		near(t, "ties", got.Tie, c.tie, 1e-9)
		for i, want := range c.want {
			near(t, "Bradley-Terry", got.Ratings[i], want, 1e-7)
		}
		backwards := slices.Clone(battles)
		slices.Reverse(backwards)
		for i, b := range backwards { // sides changed as well
			backwards[i] = Battle{b.B, b.A, []Result{WonByB, WonByA, Tied}[b.Result]}
		}
		again, err := bradleyTerry(7, backwards, c.ties)
		if err != nil || !slices.Equal(again.Ratings, got.Ratings) {
			t.Errorf("in another order: %v, %v", again, err)
		}
		twice, err := bradleyTerry(7, slices.Concat(battles, battles), c.ties)
		fixture.OK(t, err)
		for i := range twice.Ratings {
			near(t, "each battle twice", twice.Ratings[i], got.Ratings[i], 1e-7)
		}
	}
}

// TestCitationsOfJournals has the data that comes with R's BradleyTerry2, citations among
// four journals of statistics (Agresti 1990, page 372), and the abilities that R gives.
func TestCitationsOfJournals(t *testing.T) {
	// Biometrika, Communications in Statistics, JASA, JRSS-B: cited in row by column.
	cited := [4][4]int{{0, 33, 320, 284}, {730, 0, 813, 276}, {498, 68, 0, 325}, {221, 17, 142, 0}}
	var battles []Battle
	for by := range 4 {
		for of := range 4 {
			for range cited[by][of] {
				battles = append(battles, Battle{of, by, WonByA})
			}
		}
	}
	got, err := bradleyTerry(4, battles, Davidson)
	fixture.OK(t, err)
	for i, want := range []float64{0, -2.9491, -0.4796, 0.2690} {
		near(t, "ability", (got.Ratings[i]-got.Ratings[0])*math.Ln10/400, want, 5e-5)
	}
}

func TestBattlesThatRateNobody(t *testing.T) {
	for name, c := range map[string]struct {
		n       int
		battles []Battle
		want    string
	}{
		"none":               {2, nil, "[1]"},
		"two groups":         {4, []Battle{{0, 1, WonByA}, {0, 1, WonByB}, {2, 3, WonByA}, {2, 3, WonByB}}, "[2 3]"},
		"always won":         {2, []Battle{{0, 1, WonByA}}, "[1]"},
		"one above the rest": {3, []Battle{{0, 1, WonByA}, {0, 1, WonByB}, {2, 1, WonByA}}, "[0 1]"},
		"one below the rest": {3, []Battle{{0, 1, WonByA}, {0, 1, WonByB}, {2, 1, WonByB}}, "[2]"},
		"with itself":        {2, []Battle{{0, 0, WonByA}, {1, 1, Tied}}, "[1]"},
	} {
		_, err := bradleyTerry(c.n, c.battles, Davidson)
		if !errors.Is(err, errNotRated) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	// Ties alone say that all are equal; how often equals tie is not known.
	got, err := bradleyTerry(2, []Battle{{0, 1, Tied}, {1, 0, Tied}}, HalfWins)
	if err != nil || got.Ratings[0] != 1000 || got.Ratings[1] != 1000 {
		t.Errorf("ties alone: %v, %v", got, err)
	}
}

// TestCoverageOfRatings: intervals of ratings hold the true ones about as often as they
// say, where each clip of ten battles has a mood of its own.
func TestCoverageOfRatings(t *testing.T) {
	const trials, n, clips = 150, 4, 60
	src := rand.New(rand.NewPCG(8, 9))
	held, all := 0, 0
	for trial := range trials {
		var battles []Battle
		var clusters []int
		for clip := range clips {
			for range 10 {
				a, b := src.IntN(n), src.IntN(n-1)
				if b >= a {
					b++
				}
				p := 1 / (1 + math.Exp(0.4*float64(b-a)))
				result := WonByB
				if src.Float64() < p {
					result = WonByA
				}
				battles, clusters = append(battles, Battle{a, b, result}), append(clusters, clip)
			}
		}
		got, _, err := RankBattles(n, battles, clusters, Davidson, Options{Resamples: 200, Seed: uint64(trial)})
		fixture.OK(t, err)
		for i, r := range got {
			truth := 1000 + (float64(i)-1.5)*0.4*400/math.Ln10
			all++
			if r.Interval.Low <= truth && truth <= r.Interval.High {
				held++
			}
			if r.BestRank > r.Rank || r.LastRank < r.Rank {
				t.Errorf("rank %d is outside of %d to %d", r.Rank, r.BestRank, r.LastRank)
			}
		}
	}
	if share := float64(held) / float64(all); share < 0.91 || share > 0.98 {
		t.Errorf("%g of the intervals hold the true rating", share)
	}
}

func TestRanksShareTheBetter(t *testing.T) {
	if got := ranksFromBest([]float64{3, 5, 3, 1}); !slices.Equal(got, []int{2, 1, 2, 4}) {
		t.Error(got)
	}
}

func TestEloOverOrders(t *testing.T) {
	battles := log7()
	for i, r := range EloOrders(7, battles, 50, 1, EloOptions{}) {
		if !(r.Low < r.Median && r.Median < r.High) {
			t.Errorf("system %d: %+v", i, r)
		}
	}
	if again := EloOrders(7, battles, 50, 1, EloOptions{}); !slices.Equal(again, EloOrders(7, battles, 50, 1, EloOptions{})) {
		t.Error("the same seed gives other ranges")
	}
}
