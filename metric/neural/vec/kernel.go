// Package vec computes on rows of float32 what an encoder needs beside matrix
// products: softmax, GELU, LayerNorm and plainer things.
//
// Every result is the same to the bit with every instruction set, on every
// machine (only the payload of a NaN may differ): all kernels do the same
// operations in the same order, multiply-adds are fused everywhere (the scalar
// code imitates it), and sums over a row run in sixteen lanes, element i in
// lane i mod 16, added as a tree at the end. Results do not depend on where a
// row lies in memory.
//
// A NaN in an input is a NaN in every output that depends on it.
package vec

//go:generate go run omniscope/internal/tools/vecgen

import (
	"math"
	"slices"

	"omniscope/metric/neural/isa"
)

// A Kernel computes with one instruction set. It keeps no state: goroutines
// may share it.
type Kernel struct{ set isa.Set }

// New returns the kernel for set, which must be one of isa.Available.
func New(set isa.Set) *Kernel {
	if !slices.Contains(isa.Available(), set) {
		panic("vec: this machine has no " + set.String())
	}
	return &Kernel{set}
}

// Set is the instruction set that the kernel was made for.
func (v *Kernel) Set() isa.Set { return v.set }

// lanes is how many elements a kernel takes at a time, and how many running
// sums there are.
const lanes = 16

// A block is what the kernels work on. The elements after the last whole block
// of a row are computed in a block of their own, filled up with values that
// change nothing: kernels then need no special case for the end of a row, and
// touch no memory outside of it.
type block [lanes]float32

// split cuts a row into its whole blocks and the rest.
func split(row []float32) (body, tail []float32) {
	n := len(row) &^ (lanes - 1)
	return row[:n], row[n:]
}

// padded is tail, filled up with fill.
func padded(tail []float32, fill float32) (b block) {
	b.fill(copy(b[:], tail), fill)
	return b
}

// fill sets the elements from n on.
func (b *block) fill(n int, fill float32) {
	for i := n; i < lanes; i++ {
		b[i] = fill
	}
}

// sum adds the lanes as a tree: those 8 apart, then 4, 2 and 1.
func (b *block) sum() float32 {
	return (((b[0] + b[8]) + (b[4] + b[12])) + ((b[2] + b[10]) + (b[6] + b[14]))) +
		(((b[1] + b[9]) + (b[5] + b[13])) + ((b[3] + b[11]) + (b[7] + b[15])))
}

// max is the largest lane, or NaN; +0 is above -0. Flipping the other bits of
// negative numbers makes integers that are in order, and several times faster
// to compare.
func (b *block) max() float32 {
	top, size := int32(math.MinInt32), int32(0)
	for _, x := range b {
		i := int32(math.Float32bits(x))
		top = max(top, i^i>>31&math.MaxInt32)
		size = max(size, i&math.MaxInt32)
	}
	if size > 0xff<<23 {
		return float32(math.NaN())
	}
	return math.Float32frombits(uint32(top ^ top>>31&math.MaxInt32))
}

// sameLength panics unless two rows are equally long: another length is a
// mistake of the caller, and must not become a read outside of a row.
func sameLength(a, b []float32) {
	if len(a) != len(b) {
		panic("vec: rows of different lengths")
	}
}

var (
	negInf = float32(math.Inf(-1))
	// lowest is where maxima start.
	lowest = padded(nil, negInf)
)
