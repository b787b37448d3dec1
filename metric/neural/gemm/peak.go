package gemm

import "time"

// Peak measures for about d how many floating-point operations one goroutine
// can do at best: multiply-adds of g's instruction set on registers, nothing
// loaded and nothing stored, two operations each. The fastest of bursts of
// about a millisecond counts, in GFLOP/s, since other programs only ever slow
// one down.
func (g *Kernel) Peak(d time.Duration) float64 {
	var best float64
	rounds := 1000
	for start := time.Now(); best == 0 || time.Since(start) < d; {
		begin := time.Now()
		g.peak(rounds)
		took := time.Since(begin)
		if took < time.Millisecond/2 {
			rounds *= 2
			continue
		}
		best = max(best, float64(rounds*g.flop)/float64(took.Nanoseconds()))
	}
	return best
}

// scalarPeak is a tile in the level 1 cache: in Go it is not for the program to
// say what stays in registers. A round is one k.
func scalarPeak(rounds int) {
	var out [2 * scalarColumns]float32
	a, b := make([]float32, stride+blockK), make([]float32, blockK*scalarColumns)
	for ; rounds > 0; rounds -= blockK {
		scalarTile2(&out[0], scalarColumns, &a[0], &b[0], min(rounds, blockK), nil, 1, nil, 0)
	}
}
