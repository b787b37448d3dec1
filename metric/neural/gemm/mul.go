package gemm

import "fmt"

// A product is one call of Mul, checked.
type product struct {
	out    []float32
	ldo    int
	x      []float32
	ldx, m int
	w      *Packed
	bias   []float32
}

// Mul computes out[i*ldo+j] = sum over k of x[i*ldx+k]*W[j][k], plus bias[j]
// unless bias is nil, for m rows i and all rows j of W, on the calling
// goroutine. Nothing else of out is written. out must not overlap x, bias or w.
func (g *Kernel) Mul(out []float32, ldo int, x []float32, ldx, m int, w *Packed, bias []float32) {
	p := product{out, ldo, x, ldx, m, w, bias}
	p.check(g)
	g.multiply(&p, part{0, m, 0, ceil(w.N, w.columns)})
}

func (p *product) check(g *Kernel) {
	if p.w.columns != g.columns {
		panic(fmt.Sprintf("gemm: W is packed in panels of %d and not of %d: pack it with the kernel that multiplies", p.w.columns, g.columns))
	}
	needs("out", len(p.out), p.m, p.ldo, p.w.N)
	needs("x", len(p.x), p.m, p.ldx, p.w.K)
	if p.bias != nil && len(p.bias) < p.w.N {
		panic(fmt.Sprintf("gemm: bias has %d values, W has %d rows", len(p.bias), p.w.N))
	}
}

// needs panics unless a slice holds rows of width floats that lie ld apart.
func needs(name string, length, rows, ld, width int) {
	switch {
	case rows < 0 || width < 0:
		panic(fmt.Sprintf("gemm: %s of %d rows by %d", name, rows, width))
	case rows == 0 || width == 0:
	case rows > 1 && ld < width:
		panic(fmt.Sprintf("gemm: rows of %s are %d apart and %d wide", name, ld, width))
	case length < (rows-1)*ld+width:
		panic(fmt.Sprintf("gemm: %s has %d values, %d rows %d apart of %d need %d", name, length, rows, ld, width, (rows-1)*ld+width))
	}
}

// A part of a product: rows [top, bottom) and panels [left, right).
type part struct{ top, bottom, left, right int }

// multiply computes a part. For each block of k it copies rows of x once, and
// takes one panel after the other past all of them.
func (g *Kernel) multiply(p *product, q part) {
	if q.top == q.bottom || q.left == q.right {
		return
	}
	if p.w.K == 0 {
		p.empty(q)
		return
	}
	s := g.scratch.Get().(*scratch)
	defer g.scratch.Put(s)
	for top, rows := range evenly(q.top, q.bottom, blockM) {
		g.room(s, rows)
		for k, depth := range evenly(0, p.w.K, blockK) {
			for i := range rows {
				copy(s.rows[i*stride:][:depth], p.x[(top+i)*p.ldx+k:])
			}
			for panel := q.left; panel < q.right; panel++ {
				g.column(p, s, strip{top, rows, k, depth, panel, min(panel+1, q.right-1)})
			}
		}
	}
}

// A strip is one panel times a block of k of some rows, which scratch holds
// copies of.
type strip struct {
	top, rows, k, depth, panel int
	next                       int // the panel that follows, or the same
}

// column adds a strip to out.
func (g *Kernel) column(p *product, s *scratch, t strip) {
	b, j := p.w.from(t.panel, t.k), t.panel*g.columns
	width := min(p.w.N-j, g.columns)
	var bias []float32
	if p.bias != nil && t.k+t.depth == p.w.K {
		bias = p.bias[j:]
		if width < g.columns {
			copy(s.bias, bias[:width])
			bias = s.bias
		}
	}
	// Every tile fetches its share of the next panel, which else would make
	// the first tile there wait for memory.
	ahead, fetched, step := p.w.from(t.next, t.k), 0, 0
	if t.next != t.panel {
		step = min(4*lane, 4*g.columns*unroll/ceil(t.rows, g.maxRows()))
	}
	for i := 0; i < t.rows; {
		fit := g.tileFor(t.rows - i)
		r, out := min(fit.height, t.rows-i), p.out[(t.top+i)*p.ldo+j:]
		to, ld := out, p.ldo
		buffered := r < fit.height || width < g.columns // tiles write all their rows and columns
		if buffered {
			to, ld = s.tile, g.columns
			for row := 0; row < r && t.k > 0; row++ {
				copy(to[row*ld:][:width], out[row*p.ldo:])
			}
		}
		next := min(fetched/4, g.columns*(t.depth-1))
		fit.compute(&to[0], ld, &s.rows[i*stride], &b[0], t.depth, first(bias), t.k, &ahead[next], step)
		if buffered {
			for row := range r {
				copy(out[row*p.ldo:][:width], to[row*ld:])
			}
		}
		fetched += t.depth / unroll * step
		i += r
	}
}

// first points to s[0], if there is one.
func first(s []float32) *float32 {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}

// empty is multiply for K = 0: nothing but the bias.
func (p *product) empty(q part) {
	left, right := q.left*p.w.columns, min(q.right*p.w.columns, p.w.N)
	for i := q.top; i < q.bottom; i++ {
		row := p.out[i*p.ldo:][left:right]
		clear(row)
		if p.bias != nil {
			for j, b := range p.bias[left:right] {
				row[j] += b // a bias of -0 gives 0, as after any other sum
			}
		}
	}
}

// evenly cuts [from, to) into the fewest pieces of at most size, as equal as
// may be: it yields where each begins and its length.
func evenly(from, to, size int) func(func(int, int) bool) {
	return func(yield func(int, int) bool) {
		pieces := ceil(to-from, size)
		for i := range pieces {
			a, b := from+(to-from)*i/pieces, from+(to-from)*(i+1)/pieces
			if !yield(a, b-a) {
				return
			}
		}
	}
}
