package gemm

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"omniscope/metric/neural/isa"
)

// The sums of TestBitsOnEveryMachine. Fused kernels share one.
const (
	fusedSum  = 0xe68d64cbc011b803
	scalarSum = 0xed1acb4f9efd73ec
)

// TestBitsOnEveryMachine: what AVX2 computes on one machine NEON
// computes on another.
func TestBitsOnEveryMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	value := func() float32 { return (2*r.Float32() - 1) * float32(int(1)<<r.IntN(12)) }
	p := made(r, 61, 147, 613, value)
	p.bias = matrix(1, p.n, p.n, 0, value)
	for _, g := range kernels() {
		want := uint64(fusedSum)
		if g.Set() == isa.Scalar {
			want = scalarSum
		}
		if got := checksum(p, p.run(t, g, 0)); got != want {
			t.Errorf("%v: the checksum is %#x, want %#x", g.Set(), got, want)
		}
	}
}

// checksum is the FNV-1a hash of a product's bits.
func checksum(p *problem, out []float32) uint64 {
	h := fnv.New64a()
	for i := range p.m {
		binary.Write(h, binary.LittleEndian, out[i*p.ldo:][:p.n])
	}
	return h.Sum64()
}

// TestBitsIndependentOfNeighbours: a row alone, rows in any batch and any
// number of threads give the same.
func TestBitsIndependentOfNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, g := range kernels() {
		for _, s := range [][3]int{{1, 300, 70}, {5, 400, 300}, {29, 203, 513}, {150, 65, 300}, {70, 3, 90}} {
			p := made(r, s[0], s[1], s[2], func() float32 { return 2*r.Float32() - 1 })
			w, whole := p.pack(g), p.run(t, g, 0)
			for threads := range 9 {
				equal(t, g, p, "threads", threads, p.run(t, g, threads), whole)
			}
			for _, rows := range []int{1, 2, 7, 40} {
				out := append([]float32(nil), whole...)
				for i := 0; i < p.m; i += rows {
					g.Mul(out[i*p.ldo:], p.ldo, p.x[i*p.ldx:], p.ldx, min(rows, p.m-i), w, p.bias)
				}
				equal(t, g, p, "rows at a time", rows, out, whole)
			}
		}
	}
}

func equal(t *testing.T, g *Kernel, p *problem, what string, n int, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%v %v, %s %d: value %d is %v, want %v", g.Set(), p, what, n, i, got[i], want[i])
		}
	}
}

func TestFusedKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	all := kernels()
	for range 30 {
		p := made(r, 1+r.IntN(60), 1+r.IntN(120), 1+r.IntN(700), func() float32 { return float32(math.Ldexp(2*r.Float64()-1, r.IntN(20))) })
		first := p.run(t, all[0], 1)
		for _, g := range all[1:] {
			if g.Set() != isa.Scalar {
				equal(t, g, p, "like", int(all[0].Set()), p.run(t, g, 1), first)
			}
		}
	}
}

// TestKernelConcurrently is for the race detector.
func TestKernelConcurrently(t *testing.T) {
	for _, g := range kernels() {
		r := rand.New(rand.NewPCG(13, 14))
		p := made(r, 40, 90, 300, r.Float32)
		w := p.pack(g)
		want := p.run(t, g, 0)
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				out := append([]float32(nil), want...)
				for i := range p.m {
					clear(out[i*p.ldo:][:p.n])
				}
				g.MulParallel(3, out, p.ldo, p.x, p.ldx, p.m, w, p.bias)
				for i := range want {
					if !same(out[i], want[i]) {
						t.Errorf("%v: value %d is %v, want %v", g.Set(), i, out[i], want[i])
						return
					}
				}
			})
		}
		wg.Wait()
	}
}
