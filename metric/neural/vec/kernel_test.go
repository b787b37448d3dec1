package vec

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"omniscope/metric/neural/isa"
)

// An operation runs a method on five rows of one length: it changes the first
// and may append what it returns.
type operation struct {
	name string
	run  func(v *Kernel, r [5][]float32) []float32
}

var operations = []operation{
	{"softmax", func(v *Kernel, r [5][]float32) []float32 { v.Softmax(r[0], 0.125); return r[0] }},
	{"softmax of a negative scale", func(v *Kernel, r [5][]float32) []float32 { v.Softmax(r[0], -7); return r[0] }},
	{"GELU", func(v *Kernel, r [5][]float32) []float32 { v.GELU(r[0]); return r[0] }},
	{"tanh", func(v *Kernel, r [5][]float32) []float32 { v.Tanh(r[0]); return r[0] }},
	{"LayerNorm", func(v *Kernel, r [5][]float32) []float32 {
		v.AddNorm(r[0], r[1], nil, r[3], r[4], 1e-5)
		return r[0]
	}},
	{"LayerNorm of a sum", func(v *Kernel, r [5][]float32) []float32 {
		v.AddNorm(r[0], r[1], r[2], r[3], r[4], 1e-12)
		return r[0]
	}},
	{"LayerNorm in place", func(v *Kernel, r [5][]float32) []float32 {
		v.AddNorm(r[0], r[0], r[2], r[3], r[4], 1e-5)
		return r[0]
	}},
	{"LayerNorm in the residual's place", func(v *Kernel, r [5][]float32) []float32 {
		v.AddNorm(r[0], r[2], r[0], r[3], r[4], 1e-5)
		return r[0]
	}},
	{"add", func(v *Kernel, r [5][]float32) []float32 { v.Add(r[0], r[1]); return r[0] }},
	{"add bias", func(v *Kernel, r [5][]float32) []float32 { v.AddBias(r[0], r[1][:len(r[0])/2]); return r[0] }},
	{"scale", func(v *Kernel, r [5][]float32) []float32 { v.Scale(r[0], 0.3); return r[0] }},
	{"add scaled", func(v *Kernel, r [5][]float32) []float32 { v.AddScaled(r[0], r[1], 1.7); return r[0] }},
	{"dot", func(v *Kernel, r [5][]float32) []float32 { return []float32{v.Dot(r[0], r[1])} }},
	{"normalize", func(v *Kernel, r [5][]float32) []float32 { v.Normalize(r[0]); return r[0] }},
	{"max", func(v *Kernel, r [5][]float32) []float32 { return []float32{v.Max(r[0])} }},
	{"max into", func(v *Kernel, r [5][]float32) []float32 { v.MaxInto(r[0], r[1]); return r[0] }},
}

// lengths are those around blocks, and those of models.
func lengths() []int {
	var list []int
	for n := range 71 {
		if n != 1 && n != 3 { // halves, for the bias
			list = append(list, n&^1, n|1)
		}
	}
	slices.Sort(list)
	return append(slices.Compact(list), 1023, 1024, 1025, 4096)
}

var inf = float32(math.Inf(1))

// hostile are the values at which something ends.
var hostile = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32,
	0x1p-126, -0x1p-126, 1e-40, -1e-40, math.MaxFloat32, -math.MaxFloat32, 1e19, -1e19, 5e18,
	-64, 64, -64.00001, 87, -87, 87.4, -87.4, 88, -88, 88.73, -88.73, 104, -104, 0.6, -0.6, 0.59999996, 9.01, -9.01, 10, -10,
	12, -12, 12.000001, -12.000001, 5.9, -5.9, 1e30, -1e30, 0x1p-24, -0x1p-24, 0x1p24 + 2,
}

// A filler makes the i-th value of a row.
type filler struct {
	name string
	make func(r *rand.Rand) float32
}

var fillers = []filler{
	{"ordinary", func(r *rand.Rand) float32 { return (r.Float32() + r.Float32() - 1) * 6 }},
	{"large", func(r *rand.Rand) float32 { return (r.Float32() - 0.5) * 2000 }},
	{"any magnitude", func(r *rand.Rand) float32 {
		return math.Float32frombits(r.Uint32()&^(0xff<<23) | r.Uint32N(255)<<23)
	}},
	{"hostile", func(r *rand.Rand) float32 { return hostile[r.IntN(len(hostile))] }},
	{"rarely no number", func(r *rand.Rand) float32 {
		switch r.IntN(200) {
		case 0:
			return float32(math.NaN())
		case 1:
			return math.Float32frombits(r.Uint32() | 0xff<<23)
		case 2:
			return inf
		case 3:
			return -inf
		}
		return (r.Float32() - 0.5) * 8
	}},
	{"any bits", func(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32()) }},
}

// rows are five rows of n values, the same whenever asked.
func (f filler) rows(n int) (rows [5][]float32) {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	for i := range rows {
		rows[i] = make([]float32, n)
		for k := range rows[i] {
			rows[i][k] = f.make(r)
		}
	}
	return rows
}

// bits are what must be equal: a NaN is a NaN.
func bits(x float32) uint32 {
	if x != x {
		return 0x7fc00000
	}
	return math.Float32bits(x)
}

func TestAllKernelsComputeTheSameBits(t *testing.T) {
	scalar := New(isa.Scalar)
	for _, set := range isa.Available() {
		v := New(set)
		for _, f := range fillers {
			for _, n := range lengths() {
				for _, o := range operations {
					if n < 2 && o.name == "add bias" {
						continue
					}
					want, got := o.run(scalar, f.rows(n&^one(o, n))), o.run(v, f.rows(n&^one(o, n)))
					for i := range want {
						if bits(got[i]) != bits(want[i]) {
							t.Fatalf("%s, %s, %d %s values: element %d is %g (%x), scalar %g (%x)", set, o.name, n, f.name, i, got[i], bits(got[i]), want[i], bits(want[i]))
						}
					}
				}
			}
		}
	}
}

// one makes n even for the bias, which is half a row.
func one(o operation, n int) int {
	if o.name == "add bias" {
		return n & 1
	}
	return 0
}

// The sums were recorded once; every instruction set and machine must give
// them.
func TestRecordedBits(t *testing.T) {
	for _, set := range isa.Available() {
		v := New(set)
		for i, f := range fillers {
			h := fnv.New64a()
			for _, n := range lengths() {
				for _, o := range operations {
					if n < 2 && o.name == "add bias" {
						continue
					}
					for _, x := range o.run(v, f.rows(n&^one(o, n))) {
						b := bits(x)
						h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24)})
					}
				}
			}
			if got := h.Sum64(); got != recorded[i] {
				t.Errorf("%s on %s values: %#x, recorded %#x", set, f.name, got, recorded[i])
			}
		}
	}
}

var recorded = [...]uint64{
	0xfcbf8a5ce1893a3c, 0x8181b364ecc5e2cc, 0x385af1219893dcca,
	0xaef45225316a0fb5, 0x2bb60ec8d5fdd034, 0xe49565fddfe0db4b,
}

func TestKernelAllocations(t *testing.T) {
	for _, set := range isa.Available() {
		v := New(set)
		rows := fillers[0].rows(37)
		if n := testing.AllocsPerRun(10, func() {
			v.Softmax(rows[0], 1)
			v.GELU(rows[0])
			v.AddNorm(rows[0], rows[1], rows[2], rows[3], rows[4], 1e-5)
			v.Normalize(rows[0])
			v.Tanh(rows[0])
			v.MaxInto(rows[0], rows[1])
			v.AddScaled(rows[0], rows[1], v.Max(rows[2]))
		}); n > 0 {
			t.Errorf("%s: %v allocations", set, n)
		}
	}
}

func TestRowsOfDifferentLengthsPanic(t *testing.T) {
	v := New(isa.Best())
	a, b := make([]float32, 32), make([]float32, 31)
	for name, call := range map[string]func(){
		"Add":       func() { v.Add(a, b) },
		"AddScaled": func() { v.AddScaled(a, b, 1) },
		"MaxInto":   func() { v.MaxInto(a, b) },
		"Dot":       func() { v.Dot(a, b) },
		"AddBias":   func() { v.AddBias(a[:30], b[:16]) }, // there is room behind the 30
		"no bias":   func() { v.AddBias(a, nil) },
		"AddNorm":   func() { v.AddNorm(a, a, nil, a, b, 0) },
		"residual":  func() { v.AddNorm(a, a, b, a, a, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error(name, "took rows of different lengths")
				}
			}()
			call()
		}()
	}
}

func TestNewWantsAnAvailableSet(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a set that no machine has was taken")
		}
	}()
	missing := isa.NEON
	if slices.Contains(isa.Available(), isa.NEON) {
		missing = isa.AVX2
	}
	New(missing)
}

func ExampleKernel_Softmax() {
	row := []float32{1, 2, -1000}
	New(isa.Best()).Softmax(row, 1)
	fmt.Println(row)
	// Output: [0.26894143 0.7310586 0]
}
