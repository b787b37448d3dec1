package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Battle is one comparison of two systems, by their indices from 0.
type Battle struct {
	A, B   int
	Result Result
}

// A Result of a battle.
type Result uint8

// Results.
const (
	WonByA Result = iota
	WonByB
	Tied
)

// EloOptions are the constants of Elo. A field at 0 means its default, those of
// Omni-Captioner (arXiv 2510.12720), section 5.
type EloOptions struct {
	Initial float64 // rating before the first battle, default 1000
	K       float64 // most that one battle moves a rating, default 32
	Scale   float64 // difference at which the odds are Base to 1, default 400
	Base    float64 // default 10
}

func (o EloOptions) withDefaults() EloOptions {
	for _, f := range []struct {
		field *float64
		value float64
	}{{&o.Initial, 1000}, {&o.K, 32}, {&o.Scale, 400}, {&o.Base, 10}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return o
}

// Elo returns the ratings of n systems after the battles, one after the other: after
// each, the winner's rating grows by K·(1 - E) and the other's falls by as much, where
//
//	E = 1 / (1 + Base^((R_other - R_winner)/Scale))
//
// was the winner's expected score; a tie counts as half a win of each. Source: A. E.
// Elo, The Rating of Chessplayers (1978), chapter 1. Ratings depend on the order of the
// battles: EloOrders shows how much, and bradleyTerry does not.
func Elo(n int, battles []Battle, opts EloOptions) []float64 {
	o := opts.withDefaults()
	ratings := make([]float64, n)
	for i := range ratings {
		ratings[i] = o.Initial
	}
	scale := math.Log(o.Base) / o.Scale
	for _, b := range battles {
		expected := 1 / (1 + math.Exp(scale*(ratings[b.B]-ratings[b.A])))
		move := o.K * (b.Result.score() - expected)
		ratings[b.A] += move
		ratings[b.B] -= move
	}
	return ratings
}

// score is that of A: 1, 0, or a half.
func (r Result) score() float64 {
	switch r {
	case WonByA:
		return 1
	case WonByB:
		return 0
	}
	return 0.5
}

// An eloRange is the lowest, middle and highest rating of a system over several orders
// of the same battles.
type eloRange struct{ Low, Median, High float64 }

// EloOrders returns the range of Elo of each system over random orders of the battles.
func EloOrders(n int, battles []Battle, orders int, seed uint64, opts EloOptions) []eloRange {
	shuffled := slices.Clone(battles)
	src := rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15))
	all := make([][]float64, n)
	for range orders {
		src.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for i, r := range Elo(n, shuffled, opts) {
			all[i] = append(all[i], r)
		}
	}
	ranges := make([]eloRange, n)
	for i, ratings := range all {
		if len(ratings) == 0 {
			continue
		}
		slices.Sort(ratings)
		half := len(ratings) / 2
		median := (ratings[half] + ratings[(len(ratings)-1)/2]) / 2
		ranges[i] = eloRange{ratings[0], median, ratings[len(ratings)-1]}
	}
	return ranges
}
