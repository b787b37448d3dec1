package stats

import (
	"math/rand/v2"
	"testing"
)

// arena draws battles of n systems.
func arena(n, battles int) []Battle {
	src := rand.New(rand.NewPCG(5, 6))
	all := make([]Battle, battles)
	for i := range all {
		a, b := src.IntN(n), src.IntN(n-1)
		if b >= a {
			b++
		}
		all[i] = Battle{a, b, Result(src.IntN(3))}
	}
	return all
}

// The size for which FastChat was measured: 130 models, 1.5 million battles.
func BenchmarkBradleyTerry(b *testing.B) {
	battles := arena(130, 1_500_000)
	for b.Loop() {
		if _, err := bradleyTerry(130, battles, Davidson); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRankBattles100(b *testing.B) {
	battles := arena(130, 1_500_000)
	for b.Loop() {
		if _, _, err := RankBattles(130, battles, nil, Davidson, Options{Resamples: 100}); err != nil {
			b.Fatal(err)
		}
	}
}

// As many as there are clips in Omni-Cloze.
func BenchmarkPermutation2320(b *testing.B) {
	x, y := sixFields(2320), sixFields(2320)
	y.Rows[0]++
	for b.Loop() {
		PermutationTest(x, y, benchStats, Options{Resamples: 10_000})
	}
}

// 69,600 blanks in clusters of 30, 10,000 resamples.
func BenchmarkBootstrap2320x10000(b *testing.B) {
	c := sixFields(2320)
	for b.Loop() {
		Bootstrap(c, benchStats, Options{Resamples: 10_000})
	}
}
