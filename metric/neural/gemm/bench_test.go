package gemm

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"omniscope/metric/neural/isa"
)

// BenchmarkMul reports the best of all products, in GFLOP/s and as a share of
// the best multiply-add peak that as many goroutines reached in between: on a
// machine with other work an average says more about that work.
func BenchmarkMul(b *testing.B) {
	for _, set := range isa.Available() {
		for _, threads := range []int{1, 2} {
			for _, s := range [][3]int{{512, 1024, 1024}, {512, 4096, 1024}, {512, 1024, 4096}, {512, 3072, 1024}, {64, 1024, 1024}, {12, 1024, 1024}, {1, 1024, 1024}, {64, 64, 64}} {
				b.Run(fmt.Sprintf("%v/threads=%d/m=%d,n=%d,k=%d", set, threads, s[0], s[1], s[2]), func(b *testing.B) {
					benchmarkMul(b, New(set), threads, s[0], s[1], s[2])
				})
			}
		}
	}
}

func benchmarkMul(b *testing.B, g *Kernel, threads, m, n, k int) {
	x, out := steps(m*k, 7), make([]float32, m*n)
	w := g.Pack(steps(n*k, 5), n, k)
	best, peak, measured := 0.0, 0.0, time.Duration(0)
	start := time.Now()
	for b.Loop() {
		begin := time.Now()
		g.MulParallel(threads, out, n, x, k, m, w, nil)
		best = max(best, 2*float64(m*n*k)/float64(time.Since(begin).Nanoseconds()))
		if begin = time.Now(); measured <= begin.Sub(start)/3 {
			peak = max(peak, peaks(g, threads))
			measured += time.Since(begin)
		}
	}
	for measured < 50*time.Millisecond {
		begin := time.Now()
		peak = max(peak, peaks(g, threads))
		measured += time.Since(begin)
	}
	b.ReportMetric(2*float64(m*n*k)/best, "ns/op") // of the best, as the others
	b.ReportMetric(best, "GFLOP/s")
	b.ReportMetric(100*best/peak, "%peak")
}

// steps are n small values.
func steps(n, period int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(i%period) - float32(period/2)
	}
	return s
}

// peaks is the peak of goroutines that run at the same time.
func peaks(g *Kernel, threads int) float64 {
	each := make([]float64, threads)
	var wg sync.WaitGroup
	for i := range each {
		wg.Go(func() { each[i] = g.Peak(time.Millisecond) })
	}
	wg.Wait()
	sum := 0.0
	for _, p := range each {
		sum += p
	}
	return sum
}

func BenchmarkPack(b *testing.B) {
	g := New(isa.Best())
	for _, s := range []struct {
		n, k, ldw  int
		transposed bool
	}{{1024, 1024, 1024, false}, {4096, 1024, 1024, false}, {64, 64, 1024, false}, {64, 64, 1024, true}} {
		b.Run(fmt.Sprintf("n=%d,k=%d,transposed=%t", s.n, s.k, s.transposed), func(b *testing.B) {
			w, dst := steps(max(s.n, s.k)*s.ldw, 7), &Packed{}
			b.SetBytes(int64(4 * s.n * s.k))
			for b.Loop() {
				g.PackInto(dst, w, s.n, s.k, s.ldw, s.transposed)
			}
		})
	}
}
