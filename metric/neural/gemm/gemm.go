// Package gemm multiplies float32 matrices by packed weights: out = x·Wᵀ + bias,
// as torch's Linear does. The kernels are assembly written by the program in
// gen, one for each instruction set that isa knows, and plain Go where there is
// none.
//
// An element of the product is one chain of fused multiply-adds over
// k = 0, 1, ... K-1 that starts from zero, and the bias is added last. Tiles,
// blocks and threads change who computes an element and when, never how, so
// NEON, AVX2 and AVX-512 give the same bits for any number of rows and threads
// (NaNs excepted: which NaN comes out is the processor's choice). The plain Go
// kernel rounds the product before it adds and is close, not equal; it gives
// the same bits on every machine.
//
// Wrong lengths are the caller's error and panic, as an index out of range does.
package gemm

import (
	"slices"
	"sync"
	"unsafe"

	"omniscope/metric/neural/isa"
)

//go:generate go run omniscope/internal/tools/gemmgen

const (
	// blockK is how many k a tile sums before it stores. A panel's share of
	// them, 32 KB for AVX-512, stays in the level 1 cache while all rows pass.
	blockK = 256
	// blockM is how many rows of x are copied at a time: 136 KB, so that level 2
	// has room for them, for their part of out and for two panels. Measured
	// with AVX-512 on 512 rows: 128 is 2-5 % faster than 512 and than 64.
	blockM = 128
	// stride is the distance of two copied rows. The odd number of cache lines
	// spreads the rows of a tile over the cache, which rows of 1024 or 4096
	// floats where they lie would not.
	stride = blockK + 16
	// unroll is how many k tiles do in a turn.
	unroll = 4
	// lane is the alignment of panels and copies in floats: a cache line.
	lane = 16
)

// A tile computes out[i*ldo+j] for rows i below its height and one panel's
// columns j. a points to rows that lie stride apart, b to k rows of the panel.
// It starts from out when more is not zero, else from zero, and adds bias at
// the end unless bias is nil. For each turn of unroll k it asks the memory for
// the line at ahead, and moves on by step bytes.
type tile struct {
	height  int
	compute func(out *float32, ldo int, a, b *float32, k int, bias *float32, more int, ahead *float32, step int)
}

// A machine is what New knows about an instruction set.
type machine struct {
	columns int              // of a panel
	tiles   []tile           // of all columns, by height
	peak    func(rounds int) // independent multiply-adds, nothing loaded or stored
	flop    int              // that a round of peak does
}

// A Kernel multiplies by one instruction set. It is safe for concurrent use.
type Kernel struct {
	machine
	set     isa.Set
	scratch sync.Pool // of *scratch
}

// scratch is what one goroutine needs while it multiplies.
type scratch struct {
	rows []float32 // of x, one every stride floats, with room for the largest tile after them
	tile []float32 // a tile that does not fit into out
	bias []float32 // of the panel that is not full
}

// New returns the kernel of an instruction set that isa.Available lists, and
// panics for any other.
func New(set isa.Set) *Kernel {
	if !slices.Contains(isa.Available(), set) {
		panic("gemm: this machine has no " + set.String() + ": choose one of isa.Available()")
	}
	g := &Kernel{machine: machines()[set], set: set}
	g.scratch.New = func() any {
		return &scratch{tile: aligned(g.maxRows() * g.columns), bias: aligned(g.columns)}
	}
	return g
}

// Set is the instruction set that g uses.
func (g *Kernel) Set() isa.Set { return g.set }

// maxRows is the height of the largest tile.
func (g *Kernel) maxRows() int { return g.tiles[len(g.tiles)-1].height }

// tileFor returns the tile for the next of so many rows. It may be higher than they are, where that takes less time than several
// tiles: then it is computed in a buffer.
func (g *Kernel) tileFor(rows int) tile {
	best := g.tiles[0]
	for _, t := range g.tiles[1:] {
		if rows < t.height && 3*rows <= 2*t.height && (rows == 1 || t.height > leastRows) {
			break
		}
		best = t
	}
	return best
}

// room makes place for the copies of n rows, and for a tile that is higher than the last of them.
func (g *Kernel) room(s *scratch, n int) {
	n += g.maxRows()
	if len(s.rows) < n*stride {
		s.rows = aligned(n * stride)
	}
}

// aligned returns n zeros that begin with a cache line, and reach to the end of
// one.
func aligned(n int) []float32 {
	n = ceil(n, lane) * lane
	s := make([]float32, n+lane)
	skip := -int(uintptr(unsafe.Pointer(&s[0]))/4) & (lane - 1)
	return s[skip : skip+n : skip+n]
}

// ceil is a/b, rounded up.
func ceil(a, b int) int { return (a + b - 1) / b }
