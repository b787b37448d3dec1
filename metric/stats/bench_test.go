package stats

import (
	"math/rand/v2"
	"testing"
)

// sixFields returns k clusters of 6 count fields.
func sixFields(k int) Clusters {
	src := rand.New(rand.NewPCG(12, 12))
	c := Clusters{Width: 6, Rows: make([]float64, 6*k)}
	for i := range c.Rows {
		c.Rows[i] = float64(src.IntN(20))
	}
	return c
}

var benchStats = []Statistic{ratio(0, 1), ratio(2, 1), ratio(3, 4), ratio(5, 4), f1}

// One slice of 2,320 clusters, 5 statistics, 2,000 resamples.
func BenchmarkBootstrap2320(b *testing.B) {
	c := sixFields(2320)
	for b.Loop() {
		Bootstrap(c, benchStats, Options{})
	}
}

// The same data cut six ways into 60 slices of 232 clusters.
func BenchmarkBootstrap60Slices(b *testing.B) {
	c := sixFields(232)
	for b.Loop() {
		for range 60 {
			Bootstrap(c, benchStats, Options{})
		}
	}
}

// The largest input Clustered bootstraps by default.
func BenchmarkBootstrap20000(b *testing.B) {
	c := sixFields(20_000)
	for b.Loop() {
		Bootstrap(c, benchStats, Options{})
	}
}

func BenchmarkLinearised20000(b *testing.B) {
	c := sixFields(20_000)
	for b.Loop() {
		linearised(c, f1, DefaultLevel)
	}
}
