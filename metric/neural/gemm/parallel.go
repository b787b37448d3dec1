package gemm

import (
	"sync"
	"sync/atomic"
)

// MulParallel is Mul by at most so many goroutines, the calling one among
// them: the same bits. Small products keep fewer busy.
func (g *Kernel) MulParallel(threads int, out []float32, ldo int, x []float32, ldx, m int, w *Packed, bias []float32) {
	p := &product{out, ldo, x, ldx, m, w, bias}
	p.check(g)
	parts := g.split(threads, m, w)
	var next atomic.Int64
	work := func() {
		for i := next.Add(1) - 1; int(i) < len(parts); i = next.Add(1) - 1 {
			g.multiply(p, parts[i])
		}
	}
	var wg sync.WaitGroup
	for range min(threads, len(parts)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

const (
	// worthwhile is how many multiply-adds a goroutine should have: a few
	// microseconds, which is what it takes to start one.
	worthwhile = 1 << 18
	// The costs of a part beside its tiles, in rows of a panel (the work of one
	// row of a tile): copying a row of x, fetching a panel, and what a tile
	// takes however few rows it has, since its sums wait for themselves.
	copyCost, fetchCost, leastRows = 0.3, 4, 4
	// partsEach is how many parts a goroutine may get: the more, the less it
	// matters that one is slower than another.
	partsEach = 4
	// unevenness is the share of a part that a slow goroutine is waited for.
	unevenness = 1. / 16
)

// split cuts a product into a grid of parts for so many goroutines, which take
// one after the other. Rows of a part are copied once for each part beside it,
// and panels fetched once for each above it, so the grid with the least
// estimated time is searched for.
func (g *Kernel) split(threads, m int, w *Packed) []part {
	panels := ceil(w.N, g.columns)
	threads = max(1, min(threads, m*w.N*w.K/worthwhile))
	down, across, least := 1, 1, 0.0
	for d := 1; d <= min(ceil(m, g.maxRows()), partsEach*threads) && threads > 1; d++ {
		for a := 1; a <= min(panels, partsEach*threads/d); a++ {
			rounds := float64(ceil(d*a, threads))
			rows, width := float64(ceil(m, d)), float64(ceil(panels, a))
			one := width*(max(rows, leastRows)+fetchCost) + rows*copyCost
			if time := one * (rounds + unevenness); least == 0 || time < least {
				down, across, least = d, a, time
			}
		}
	}
	parts := make([]part, 0, down*across)
	for left, width := range evenly(0, panels, max(1, ceil(panels, across))) {
		for top, rows := range evenly(0, m, max(1, ceil(m, down))) {
			parts = append(parts, part{top, top + rows, left, left + width})
		}
	}
	return parts
}
