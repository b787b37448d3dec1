package stats

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// A rankedItem is a system's rating, and how sure it is.
type rankedItem struct {
	Rating   float64
	Interval Interval // of the rating
	Rank     int      // 1 is best; systems of equal rating share the better rank
	BestRank int      // the interval of the rank, at the same level
	LastRank int
}

// RankBattles returns bradleyTerry's ratings of n systems with intervals of ratings and
// ranks. clusters[b] is the index from 0 of the cluster that battle b belongs to, such
// as its clip; nil takes each battle for a cluster. Each resample draws as many clusters as
// there are, with replacement, and rates anew; the ends of intervals are percentiles, as
// in Bootstrap. Ratings have the mean as their anchor in each resample.
//
// Resamples that cannot be rated are left out; if more than half cannot, intervals are
// not available, and the ranks' are as wide as can be. The result depends on the
// arguments alone. Resamples are computed on all processors.
func RankBattles(n int, battles []Battle, clusters []int, ties Ties, opts Options) ([]rankedItem, *standings, error) {
	opts = opts.withDefaults()
	whole, err := bradleyTerry(n, battles, ties)
	if err != nil {
		return nil, nil, err
	}
	r := newBattleResampler(n, battles, clusters)
	rounds := make([][]float64, opts.Resamples) // of each the ratings, nil if there are none
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), opts.Resamples)
	for w := range workers {
		wait.Go(func() {
			t := newTally(n)
			for round := w; round < opts.Resamples; round += workers {
				r.draw(t, rand.NewPCG(opts.Seed^0x9e3779b97f4a7c15, uint64(round)))
				if s, err := t.fit(ties, whole); err == nil {
					rounds[round] = s.Ratings
				}
			}
		})
	}
	wait.Wait()
	return ranked(whole.Ratings, slices.DeleteFunc(rounds, func(r []float64) bool { return r == nil }), opts), whole, nil
}

// A battleResampler draws clusters of battles. The cells of a cluster's battles
// stand together: cells[starts[c]:starts[c+1]].
type battleResampler struct {
	cells  []int32
	starts []int
}

func newBattleResampler(n int, battles []Battle, clusters []int) *battleResampler {
	t := &tally{n: n}
	r := &battleResampler{cells: make([]int32, len(battles))}
	if clusters == nil {
		for i, b := range battles {
			r.cells[i] = int32(t.cell(b))
		}
		return r
	}
	r.starts = make([]int, slices.Max(clusters)+2)
	for _, c := range clusters {
		r.starts[c+1]++
	}
	for c := 1; c < len(r.starts); c++ {
		r.starts[c] += r.starts[c-1]
	}
	next := slices.Clone(r.starts)
	for i, b := range battles {
		r.cells[next[clusters[i]]] = int32(t.cell(b))
		next[clusters[i]]++
	}
	return r
}

// draw fills a tally with the battles of as many clusters as there are.
func (r *battleResampler) draw(t *tally, src *rand.PCG) {
	clear(t.counts)
	random := rand.New(src)
	if r.starts == nil {
		n := uint64(len(r.cells))
		for range r.cells {
			t.counts[r.cells[random.Uint64N(n)]]++
		}
		return
	}
	k := len(r.starts) - 1
	for range k {
		c := random.IntN(k)
		for _, cell := range r.cells[r.starts[c]:r.starts[c+1]] {
			t.counts[cell]++
		}
	}
}

// ranked puts intervals on ratings and ranks by those of the resamples.
func ranked(ratings []float64, rounds [][]float64, opts Options) []rankedItem {
	all := make([]rankedItem, len(ratings))
	ranks := make([][]float64, len(ratings))
	for _, round := range rounds {
		for i, rank := range ranksFromBest(round) {
			ranks[i] = append(ranks[i], float64(rank))
		}
	}
	for i, rank := range ranksFromBest(ratings) {
		values := make([]float64, len(rounds))
		for k, round := range rounds {
			values[k] = round[i]
		}
		all[i] = rankedItem{Rating: ratings[i], Rank: rank, Interval: percentileInterval(values, opts), BestRank: 1, LastRank: len(ratings)}
		if tail := (1 - opts.Level) / 2; 2*len(rounds) >= opts.Resamples && float64(len(rounds)+1)*tail >= 1 {
			slices.Sort(ranks[i])
			all[i].BestRank = int(percentile(ranks[i], tail))
			all[i].LastRank = int(percentile(ranks[i], 1-tail) + 0.999999)
		}
	}
	return all
}

// ranksFromBest are the ranks of values, 1 for the largest; equal ones share the better.
func ranksFromBest(values []float64) []int {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	out := make([]int, len(values))
	for i, v := range values {
		above, _ := slices.BinarySearchFunc(sorted, v, func(a, b float64) int {
			if a <= b {
				return -1
			}
			return 1
		})
		out[i] = len(values) - above + 1
	}
	return out
}
