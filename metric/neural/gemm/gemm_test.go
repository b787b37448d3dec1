package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"omniscope/metric/neural/isa"
)

// A problem is one product in memory that has gaps: rows lie further apart than
// they are wide.
type problem struct {
	m, n, k         int
	x, w, bias      []float32
	ldx, ldw, ldo   int
	transposed      bool
	outside, filler float32 // what lies between rows of x and w, and of out
}

// made fills a problem by value; some have a bias, some a transposed W.
func made(r *rand.Rand, m, n, k int, value func() float32) *problem {
	p := &problem{m: m, n: n, k: k, ldx: k + r.IntN(3), ldo: n + r.IntN(3), transposed: r.IntN(2) == 0}
	p.outside, p.filler = float32(math.NaN()), 12345
	rows, width := n, k
	if p.transposed {
		rows, width = k, n
	}
	p.ldw = width + r.IntN(3)
	p.x, p.w = matrix(m, k, p.ldx, p.outside, value), matrix(rows, width, p.ldw, p.outside, value)
	if r.IntN(3) > 0 {
		p.bias = matrix(1, n, n, 0, value)
	}
	return p
}

// matrix has no more than it must: its last row ends where it is full.
func matrix(rows, width, ld int, outside float32, value func() float32) []float32 {
	if rows*width == 0 {
		return nil
	}
	s := make([]float32, (rows-1)*ld+width)
	for i := range s {
		s[i] = outside
		if i%ld < width {
			s[i] = value()
		}
	}
	return s
}

// weight is W[j][k].
func (p *problem) weight(j, k int) float32 {
	if p.transposed {
		return p.w[k*p.ldw+j]
	}
	return p.w[j*p.ldw+k]
}

func (p *problem) pack(g *Kernel) *Packed {
	w := &Packed{}
	g.PackInto(w, p.w, p.n, p.k, p.ldw, p.transposed)
	return w
}

// run multiplies, and fails if anything outside the product was written.
func (p *problem) run(t *testing.T, g *Kernel, threads int) []float32 {
	t.Helper()
	const guard = 64
	all := matrix(1, guard+p.m*p.ldo+guard, 0+guard+p.m*p.ldo+guard, 0, func() float32 { return p.filler })
	out := all[guard:][:max(0, p.m*p.ldo)]
	if threads == 0 {
		g.Mul(out, p.ldo, p.x, p.ldx, p.m, p.pack(g), p.bias)
	} else {
		g.MulParallel(threads, out, p.ldo, p.x, p.ldx, p.m, p.pack(g), p.bias)
	}
	for i, v := range all {
		at := i - guard
		inside := at >= 0 && at < p.m*p.ldo && at%p.ldo < p.n
		if !inside && v != p.filler {
			t.Fatalf("%v %v: wrote %v at %d, which is outside", g.Set(), p, v, at)
		}
	}
	return out
}

func (p *problem) String() string {
	return fmt.Sprintf("m=%d n=%d k=%d ldx=%d ldw=%d ldo=%d transposed=%t bias=%t", p.m, p.n, p.k, p.ldx, p.ldw, p.ldo, p.transposed, p.bias != nil)
}

// element is out[i][j] as the package promises it, computed one by one, and the
// float64 value with a bound for what rounding may do.
func (p *problem) element(i, j int, fused bool) (sum float32, exact, bound float64) {
	for k := range p.k {
		x, w := p.x[i*p.ldx+k], p.weight(j, k)
		if fused {
			sum = fma32(x, w, sum)
		} else {
			sum += float32(x * w)
		}
		exact += float64(x) * float64(w)
		bound += math.Abs(float64(x) * float64(w))
	}
	if p.bias != nil {
		sum += p.bias[j]
		exact += float64(p.bias[j])
		bound += math.Abs(float64(p.bias[j]))
	}
	// Each step rounds once or twice, by half an ulp of at most the sum of
	// magnitudes, or by half of the smallest denormal.
	steps := float64(2*p.k + 2)
	return sum, exact, steps*(bound*(1+0x1p-20)*0x1p-24) + steps*0x1p-149
}

// verify compares a product with its elements, bit by bit, and those with
// float64.
func (p *problem) verify(t *testing.T, g *Kernel, out []float32) {
	t.Helper()
	for i := range p.m {
		for j := range p.n {
			got := out[i*p.ldo+j]
			want, exact, bound := p.element(i, j, g.Set() != isa.Scalar)
			if !same(got, want) {
				t.Fatalf("%v %v: out[%d][%d] = %v, want %v", g.Set(), p, i, j, got, want)
			}
			if small := bound*0x1p24 < math.MaxFloat32; small && !(math.Abs(float64(got)-exact) <= bound) {
				t.Fatalf("%v %v: out[%d][%d] = %v, float64 says %v ± %v", g.Set(), p, i, j, got, exact, bound)
			}
		}
	}
}

// same says whether bits are equal; all NaNs are.
func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// fma32 is x*y+z, rounded once. The product is exact in float64; the sum is
// rounded to odd there, so that rounding it again cannot go wrong (Boldo and
// Melquiond, "Emulation of a FMA and correctly rounded sums", 2008).
func fma32(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	if math.IsNaN(s) || math.IsInf(s, 0) {
		return float32(s)
	}
	v := s - p
	lost := (p - (s - v)) + (c - v)
	if bits := math.Float64bits(s); lost != 0 && bits&1 == 0 {
		if (lost > 0) == (s > 0) {
			s = math.Float64frombits(bits + 1)
		} else {
			s = math.Float64frombits(bits - 1)
		}
	}
	return float32(s)
}

func kernels() []*Kernel {
	var all []*Kernel
	for _, set := range isa.Available() {
		all = append(all, New(set))
	}
	return all
}

// around lists sizes on both sides of the borders of tiles.
func around(sizes ...int) []int {
	all := []int{0, 1, 2, 3, 5}
	for _, s := range sizes {
		all = append(all, s-1, s, s+1)
	}
	return all
}

func TestProductsOfAllShapes(t *testing.T) {
	for _, g := range kernels() {
		t.Run(g.Set().String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			value := func() float32 { return 2*r.Float32() - 1 }
			for _, m := range around(g.maxRows(), 3*g.maxRows()) {
				for _, n := range around(g.columns, 2*g.columns) {
					for _, k := range []int{0, 1, 2, 3, 4, 5, 7, 8, 64, blockK - 1, blockK, blockK + 1, 2*blockK + 3} {
						p := made(r, m, n, k, value)
						p.verify(t, g, p.run(t, g, 0))
					}
				}
			}
			for _, m := range []int{blockM - 1, blockM + 1, 2*blockM + 5} {
				p := made(r, m, g.columns+3, 9, value)
				p.verify(t, g, p.run(t, g, 0))
			}
		})
	}
}

func TestProductsOfHostileValues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32, 0x1p-126, 0x1p-149,
		-0x1p-149, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	values := map[string]func() float32{
		"huge":     func() float32 { return (2*r.Float32() - 1) * 0x1p120 },
		"tiny":     func() float32 { return (2*r.Float32() - 1) * 0x1p-70 },
		"denormal": func() float32 { return (2*r.Float32() - 1) * 0x1p-140 },
		"any bits": func() float32 { return math.Float32frombits(r.Uint32()) },
		"wide":     func() float32 { return float32(math.Ldexp(2*r.Float64()-1, r.IntN(80)-40)) },
		"cancelling": func() float32 {
			return float32(1-2*r.IntN(2)) * (1 + r.Float32()*0x1p-20)
		},
		"special, seldom": func() float32 {
			if r.IntN(40) > 0 {
				return r.Float32()
			}
			return special[r.IntN(len(special))]
		},
		"special": func() float32 { return special[r.IntN(len(special)-3)] },
	}
	for _, g := range kernels() {
		for name, value := range values {
			t.Run(g.Set().String()+"/"+name, func(t *testing.T) {
				for range 12 {
					p := made(r, 1+r.IntN(2*g.maxRows()), 1+r.IntN(2*g.columns), 1+r.IntN(300), value)
					p.verify(t, g, p.run(t, g, 0))
				}
			})
		}
	}
}

// TestWrongTermLocation: the zeros that fill a panel up, and
// rows that lie near, touch nobody.
func TestWrongTermLocation(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	inf := float32(math.Inf(1))
	for _, g := range kernels() {
		p := made(r, 2*g.maxRows()+1, 2*g.columns+1, 30, r.Float32)
		for _, row := range []int{0, g.maxRows(), p.m - 1} {
			for i := range p.x {
				p.x[i] = r.Float32()
			}
			p.x[row*p.ldx+7] = inf
			out := p.run(t, g, 0)
			for i := range p.m {
				for j := range p.n {
					if v := out[i*p.ldo+j]; math.IsInf(float64(v), 1) != (i == row) {
						t.Fatalf("%v: infinity in row %d made out[%d][%d] = %v", g.Set(), row, i, j, v)
					}
				}
			}
		}
	}
}

func TestBiasMinusZero(t *testing.T) {
	minus := float32(math.Copysign(0, -1))
	for _, g := range kernels() {
		for _, k := range []int{0, 1} {
			p := &problem{m: 1, n: 1, k: k, ldx: k, ldw: k, ldo: 1, x: make([]float32, k), w: make([]float32, k), bias: []float32{minus}}
			p.verify(t, g, p.run(t, g, 0))
		}
	}
}

func TestFMA32RoundsOnce(t *testing.T) {
	const ulp = 0x1p-23
	for _, c := range []struct{ x, y, z, want float32 }{
		{1 + ulp, 1 + ulp, -1, 2*ulp + ulp*ulp},
		{1 + ulp, 1 - ulp, -1, -ulp * ulp},
		{ulp / 2, 1, 1, 1},                     // a tie goes to even
		{ulp / 2 * (1 + ulp), 1, 1, 1 + ulp},   // float64 would keep this
		{0x1p-40, 0x1p-40, 1 + ulp, 1 + ulp},   // float64 would lose the product
		{ulp / 2, 1 + 0x1p-23, 1, 1 + ulp},     // just above a tie
		{0x1p-75, 0x1p-75, 0, 0},               // half the smallest denormal
		{0x1p-75, 0x1.000002p-75, 0, 0x1p-149}, // a bit more
		{-0x1p-75, 0x1p-76, 0, float32(math.Copysign(0, -1))},
	} {
		if got := fma32(c.x, c.y, c.z); !same(got, c.want) {
			t.Errorf("fma32(%v, %v, %v) = %v, want %v", c.x, c.y, c.z, got, c.want)
		}
	}
}
