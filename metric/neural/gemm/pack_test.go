package gemm

import (
	"math/rand/v2"
	"strings"
	"testing"

	"omniscope/metric/neural/isa"
)

func TestPackIntoReusesMemory(t *testing.T) {
	for _, g := range kernels() {
		w := make([]float32, 100*64)
		dst := g.Pack(w, 100, 64)
		first := &dst.panels[0]
		if n := testing.AllocsPerRun(10, func() { g.PackInto(dst, w, 90, 60, 64, false) }); n != 0 {
			t.Errorf("%v: a smaller matrix took %v allocations", g.Set(), n)
		}
		if first != &dst.panels[0] || dst.N != 90 || dst.K != 60 {
			t.Errorf("%v: got %d by %d elsewhere, want 90 by 60 in the same place", g.Set(), dst.N, dst.K)
		}
	}
}

// TestPackIntoOverwrites: what lay in a reused pack does not come
// through where the new one is not full.
func TestPackIntoOverwrites(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, g := range kernels() {
		dst := &Packed{}
		for range 40 {
			p := made(r, 3, 1+r.IntN(80), r.IntN(90), r.Float32)
			g.PackInto(dst, p.w, p.n, p.k, p.ldw, p.transposed)
			out := make([]float32, p.m*p.ldo)
			g.Mul(out, p.ldo, p.x, p.ldx, p.m, dst, p.bias)
			p.verify(t, g, out)
			for k := range p.k {
				row := dst.from(ceil(p.n, g.columns)-1, k)[:g.columns]
				for _, v := range row[(p.n-1)%g.columns+1:] {
					if v != 0 {
						t.Fatalf("%v %v: a panel is filled up with %v", g.Set(), p, v)
					}
				}
			}
		}
	}
}

func TestMulAllocations(t *testing.T) {
	g := New(isa.Best())
	x, w, out := make([]float32, 40*300), g.Pack(make([]float32, 70*300), 70, 300), make([]float32, 40*70)
	g.Mul(out, 70, x, 300, 40, w, nil)
	if n := testing.AllocsPerRun(50, func() { g.Mul(out, 70, x, 300, 40, w, nil) }); n > 0.5 {
		t.Errorf("%v allocations a product", n)
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	g := New(isa.Best())
	f := func(n int) []float32 { return make([]float32, n) }
	w := g.Pack(f(6), 2, 3)
	foreign := &Packed{N: 2, K: 3, columns: g.columns + 1, panels: f(1000)}
	for _, c := range []struct {
		name, says string
		do         func()
	}{
		{"out too short", "out has 3 values", func() { g.Mul(f(3), 2, f(6), 3, 2, w, nil) }},
		{"x too short", "x has 5 values", func() { g.Mul(f(4), 2, f(5), 3, 2, w, nil) }},
		{"rows of out overlap", "rows of out are 1 apart and 2 wide", func() { g.Mul(f(4), 1, f(6), 3, 2, w, nil) }},
		{"rows of x overlap", "rows of x are 2 apart and 3 wide", func() { g.Mul(f(4), 2, f(6), 2, 2, w, nil) }},
		{"bias too short", "bias has 1 values", func() { g.Mul(f(4), 2, f(6), 3, 2, w, f(1)) }},
		{"in parallel", "out has 3 values", func() { g.MulParallel(2, f(3), 2, f(6), 3, 2, w, nil) }},
		{"packed by another", "pack it with the kernel that multiplies", func() { g.Mul(f(4), 2, f(6), 3, 2, foreign, nil) }},
		{"W too short", "w has 5 values", func() { g.Pack(f(5), 2, 3) }},
		{"columns of W too short", "w has 6 values", func() { g.PackInto(w, f(6), 2, 3, 3, true) }},
		{"a negative size", "w of -1 rows", func() { g.Pack(f(5), -1, 3) }},
		{"an unknown set", "this machine has no", func() { New(missing()) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, c.says) {
					t.Errorf("panicked with %q, want %q", got, c.says)
				}
			}()
			c.do()
		})
	}
}

// missing is a set that this machine does not have.
func missing() isa.Set {
	if isa.Best() == isa.NEON {
		return isa.AVX2
	}
	return isa.NEON
}
