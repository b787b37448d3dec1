package onnx

import (
	"fmt"
	"slices"
)

// A multiplication is of stacks of matrices: m by k with k by n.
type multiplication struct {
	shape   []int // of the result
	m, n, k int
	pairs   [][2]int // for each matrix of the result where its factors start
}

// multiply matches the shapes of two stacks of matrices. Stacks are repeated as
// in broadcast; rows of a stack that meet one matrix are put together into one
// high matrix.
func multiply(a, b *Tensor) (*multiplication, error) {
	la, lb := len(a.Shape), len(b.Shape)
	if la < 2 || lb < 2 || a.Shape[la-1] != b.Shape[lb-2] {
		return nil, fmt.Errorf("%s and %s cannot be multiplied", a, b)
	}
	p := &multiplication{m: a.Shape[la-2], k: a.Shape[la-1], n: b.Shape[lb-1]}
	outer, err := broadcast(a.Shape[:la-2], b.Shape[:lb-2])
	if err != nil {
		return nil, err
	}
	p.shape = append(slices.Clone(outer), p.m, p.n)
	if product(b.Shape[:lb-2]) == 1 {
		p.m *= product(outer)
		p.pairs = [][2]int{{}}
		return p, nil
	}
	w := walk{outer, [3][]int{strides(a.Shape[:la-2], outer), strides(b.Shape[:lb-2], outer), make([]int, len(outer))}}
	w.rows(func(at [3]int, n int, step [3]int) {
		for i := range n {
			p.pairs = append(p.pairs, [2]int{(at[0] + i*step[0]) * p.m * p.k, (at[1] + i*step[1]) * p.k * p.n})
		}
	})
	return p, nil
}

// fewRows is up to how many rows copying the other factor into panels takes
// longer than it saves.
const fewRows = 3

func matMul(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	p, err := multiply(in[0], in[1])
	if err != nil {
		return nil, err
	}
	out, err := r.arena.tensor(float32Kind, p.shape)
	if err != nil {
		return nil, err
	}
	stacks(p, in[0].F, in[1].F, out.F, floatRow, p.floats)
	return []*Tensor{out}, nil
}

// stacks multiplies matrix by matrix, a few rows one by one.
func stacks[T, U any](p *multiplication, a, b []T, c []U, one func(c []U, a, b []T), all func(a, b []T, c []U)) {
	for i, at := range p.pairs {
		a, b, c := a[at[0]:at[0]+p.m*p.k], b[at[1]:at[1]+p.k*p.n], c[i*p.m*p.n:(i+1)*p.m*p.n]
		if p.m > fewRows {
			all(a, b, c)
			continue
		}
		for row := range p.m {
			one(c[row*p.n:(row+1)*p.n], a[row*p.k:(row+1)*p.k], b)
		}
	}
}

func (p *multiplication) floats(a, b, c []float32) {
	n, k := p.n, p.k
	tiled[float32, float32, float32]{
		m: p.m, n: n, k: k, width: 2, kernel: floatTile,
		rows: func(panel [][4]float32, row int) { packRows(panel, a, row, p.m, k) },
		columns: func(panel [][2]float32, column int) {
			second := min(column+1, n-1)
			for i := range panel {
				panel[i] = [2]float32{b[i*n+column], b[i*n+second]}
			}
		},
		store: func(row, column int, values []float32) { copy(c[row*n+column:], values) },
	}.compute()
}

// packRows copies 4 of m rows of k numbers into a panel.
func packRows(panel [][4]float32, a []float32, row, m, k int) {
	if row+4 <= m {
		a = a[row*k : (row+4)*k]
		r0, r1, r2, r3 := a[:k], a[k:2*k], a[2*k:3*k], a[3*k:]
		for j := range panel {
			panel[j] = [4]float32{r0[j], r1[j], r2[j], r3[j]}
		}
		return
	}
	for i := range m - row {
		for j, v := range a[(row+i)*k : (row+i+1)*k] {
			panel[j][i] = v
		}
	}
}

// leastTerms is how many terms a goroutine gets at least.
const leastTerms = 1 << 19

// floatRow multiplies one row with a matrix: four rows of it at a time, so that
// the sums are read and written less often.
func floatRow(c, a, b []float32) {
	n := len(c)
	parallel(n, leastTerms/max(1, len(a)), func(from, to int) {
		out := c[from:to]
		clear(out)
		k := 0
		for ; k+4 <= len(a); k += 4 {
			x0, x1, x2, x3 := a[k], a[k+1], a[k+2], a[k+3]
			b0, b1 := b[k*n+from:][:len(out)], b[(k+1)*n+from:][:len(out)]
			b2, b3 := b[(k+2)*n+from:][:len(out)], b[(k+3)*n+from:][:len(out)]
			for j := range out {
				out[j] += x0*b0[j] + x1*b1[j] + x2*b2[j] + x3*b3[j]
			}
		}
		for ; k < len(a); k++ {
			row := b[k*n+from:][:len(out)]
			for j := range out {
				out[j] += a[k] * row[j]
			}
		}
	})
}

// mostTerms is how many products of numbers of 9 bits fit into 31 bits.
const mostTerms = 1 << 13

// matMulInteger multiplies bytes: the sums of (a-za)*(b-zb) as 32-bit numbers,
// with one zero point for each factor.
func matMulInteger(r *runner, _ *node, in []*Tensor) ([]*Tensor, error) {
	p, err := multiply(in[0], in[1])
	if err != nil {
		return nil, err
	}
	var zero [2]int32
	var level [2][256]int16 // what a byte stands for
	for i := range zero {
		signed := in[i].Kind == int8Kind
		if !signed && in[i].Kind != uint8Kind {
			return nil, fmt.Errorf("it is not supported for %s", in[i])
		}
		if zero[i], err = zeroPoint(optional(in, 2+i)); err != nil {
			return nil, err
		}
		for v := range level[i] {
			if level[i][v] = int16(v) - int16(zero[i]); signed {
				level[i][v] = int16(int8(v)) - int16(zero[i])
			}
		}
	}
	if p.k > mostTerms {
		return nil, fmt.Errorf("sums of %d terms are too long", p.k)
	}
	out, err := r.arena.tensor(int32Kind, p.shape)
	if err != nil {
		return nil, err
	}
	stacks(p, in[0].B, in[1].B, out.J, func(c []int32, a, b []byte) { integerRow(c, a, b, &level) }, func(a, b []byte, c []int32) { p.integers(a, b, c, &level) })
	return []*Tensor{out}, nil
}

func (p *multiplication) integers(a, b []byte, c []int32, level *[2][256]int16) {
	n, k := p.n, p.k
	tiled[int32, int64, int32]{
		m: p.m, n: n, k: k, width: 4, kernel: integerTile,
		rows: func(panel [][4]int32, row int) {
			for i := range min(4, p.m-row) {
				for j, v := range a[(row+i)*k : (row+i+1)*k] {
					panel[j][i] = int32(level[0][v])
				}
			}
		},
		columns: func(panel [][2]int64, column int) {
			last := n - 1
			j1, j2, j3 := min(column+1, last), min(column+2, last), min(column+3, last)
			for i := range panel {
				row := b[i*n : (i+1)*n]
				panel[i] = [2]int64{
					int64(level[1][row[column]]) + int64(level[1][row[j1]])<<32,
					int64(level[1][row[j2]]) + int64(level[1][row[j3]])<<32,
				}
			}
		},
		store: func(row, column int, values []int32) { copy(c[row*n+column:], values) },
	}.compute()
}

// integerRow multiplies one row of bytes with a matrix. The zero point of the
// matrix is taken off at the end, once for each sum.
func integerRow(c []int32, a, b []byte, level *[2][256]int16) {
	n := len(c)
	x := make([]int32, len(a))
	for i, v := range a {
		x[i] = int32(level[0][v])
	}
	signed := level[1][255] < level[1][0]
	parallel(n, leastTerms/max(1, len(a)), func(from, to int) {
		out := c[from:to]
		clear(out)
		if signed {
			signedRow(out, x, b, from, n, &level[1])
			return
		}
		sum, k := int32(0), 0
		for ; k+4 <= len(x); k += 4 {
			x0, x1, x2, x3 := x[k], x[k+1], x[k+2], x[k+3]
			sum += x0 + x1 + x2 + x3
			b0, b1 := b[k*n+from:][:len(out)], b[(k+1)*n+from:][:len(out)]
			b2, b3 := b[(k+2)*n+from:][:len(out)], b[(k+3)*n+from:][:len(out)]
			for j := range out {
				out[j] += x0*int32(b0[j]) + x1*int32(b1[j]) + x2*int32(b2[j]) + x3*int32(b3[j])
			}
		}
		for ; k < len(x); k++ {
			sum += x[k]
			for j, v := range b[k*n+from:][:len(out)] {
				out[j] += x[k] * int32(v)
			}
		}
		for j := range out {
			out[j] += sum * int32(level[1][0])
		}
	})
}

func signedRow(out, x []int32, b []byte, from, n int, level *[256]int16) {
	for k, v := range x {
		for j, w := range b[k*n+from:][:len(out)] {
			out[j] += v * int32(level[w])
		}
	}
}
