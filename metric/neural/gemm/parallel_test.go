package gemm

import (
	"math/rand/v2"
	"testing"

	"omniscope/metric/neural/isa"
)

func TestSplitCoversAProductOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, g := range kernels() {
		for range 300 {
			threads, m, n, k := r.IntN(40)-2, r.IntN(700), r.IntN(1500), r.IntN(1200)
			panels := ceil(n, g.columns)
			seen := make([]int, m*panels)
			for _, q := range g.split(threads, m, &Packed{N: n, K: k, columns: g.columns}) {
				for i := q.top; i < q.bottom; i++ {
					for p := q.left; p < q.right; p++ {
						seen[i*panels+p]++
					}
				}
			}
			for at, times := range seen {
				if times != 1 {
					t.Fatalf("%v, %d threads, m=%d n=%d k=%d: row %d of panel %d is computed %d times",
						g.Set(), threads, m, n, k, at/panels, at%panels, times)
				}
			}
		}
	}
}

// TestSplitUsesAllThreads: with as many processors as threads, the last
// goroutine is done at little more than the time that an even split would take.
func TestSplitUsesAllThreads(t *testing.T) {
	g := New(isa.Best())
	for _, s := range []struct{ m, n, k, lost int }{ // lost to unevenness, in percent, up to 32 threads
		{512, 1024, 1024, 15}, {512, 3072, 1024, 15}, {512, 4096, 1024, 15}, {512, 1024, 4096, 15}, {2048, 1024, 1024, 15},
		{12, 1024, 1024, 50}, {12, 4096, 1024, 15}, {12, 1024, 4096, 50}, {1, 4096, 4096, 15}, {100, 1024, 1024, 35},
	} {
		for _, threads := range []int{2, 3, 4, 8, 12, 16, 24, 32} {
			if s.m*s.n*s.k/threads < worthwhile {
				continue
			}
			w := &Packed{N: s.n, K: s.k, columns: g.columns}
			busy := make([]int, threads) // each part goes to who is free first
			last, all := 0, 0
			for _, q := range g.split(threads, s.m, w) {
				free := 0
				for i := range busy {
					if busy[i] < busy[free] {
						free = i
					}
				}
				work := (q.bottom - q.top) * (q.right - q.left)
				busy[free] += work
				last, all = max(last, busy[free]), all+work
			}
			if lost := 100*last*threads/all - 100; lost > s.lost {
				t.Errorf("m=%d n=%d k=%d on %d threads takes %d%% more than its share, want at most %d%%", s.m, s.n, s.k, threads, lost, s.lost)
			}
		}
	}
}

func TestSmallProductsStayOnOneThread(t *testing.T) {
	g := New(isa.Best())
	if parts := g.split(32, 8, &Packed{N: 64, K: 64, columns: g.columns}); len(parts) != 1 {
		t.Errorf("8 by 64 by 64 is cut into %d parts", len(parts))
	}
}

func BenchmarkSplit(b *testing.B) {
	g := New(isa.Best())
	for b.Loop() {
		g.split(32, 512, &Packed{N: 4096, K: 1024, columns: g.columns})
	}
}
