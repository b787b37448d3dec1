package gemm

// Packed is a matrix W of N rows and K columns in a kernel's layout: panels of
// some rows, each stored as K groups with one float of every row, so that a
// tile reads memory in order. Rows are filled up with zeros to whole panels.
// It may be multiplied by from many goroutines, but not while PackInto fills it.
type Packed struct {
	N, K    int
	columns int       // rows of W in a panel: columns of the product
	panels  []float32 // [ceil(N/columns)][K][columns]
}

// from is all from a panel's k on.
func (w *Packed) from(panel, k int) []float32 { return w.panels[(panel*w.K+k)*w.columns:] }

// Pack copies w, which is [n][k] row-major, into g's layout.
func (g *Kernel) Pack(w []float32, n, k int) *Packed {
	p := &Packed{}
	g.PackInto(p, w, n, k, k, false)
	return p
}

// PackInto is Pack for a part of a matrix, and reuses dst's memory if there is
// enough; the zero Packed is a valid dst. W[j][i] is w[j*ldw+i], or w[i*ldw+j]
// when transposed.
func (g *Kernel) PackInto(dst *Packed, w []float32, n, k, ldw int, transposed bool) {
	if transposed {
		needs("w", len(w), k, ldw, n)
	} else {
		needs("w", len(w), n, ldw, k)
	}
	size := ceil(n, g.columns) * g.columns * k
	if cap(dst.panels) < size {
		dst.panels = aligned(size)
	}
	dst.N, dst.K, dst.columns, dst.panels = n, k, g.columns, dst.panels[:size]
	if k == 0 {
		return
	}
	for j := 0; j < n; j += g.columns {
		panel := dst.panels[j*k:][:k*g.columns]
		width := min(g.columns, n-j)
		if width < g.columns {
			// What is computed of it is thrown away, but leftovers could be
			// denormal, and then tiles would be slow.
			clear(panel)
		}
		if transposed {
			packColumns(panel, w[j:], width, k, ldw, g.columns)
		} else {
			packRows(panel, w[j*ldw:], width, k, ldw, g.columns)
		}
	}
}

// packColumns fills a panel with columns 0...width-1 of w, which has k rows.
func packColumns(panel, w []float32, width, k, ldw, columns int) {
	for i := range k {
		copy(panel[i*columns:][:width], w[i*ldw:])
	}
}

// packRows fills a panel with rows 0...width-1 of w: a few k of all rows before
// the next few, so that what is written stays in the level 1 cache until it is
// whole.
func packRows(panel, w []float32, width, k, ldw, columns int) {
	const few = 64
	for i := 0; i < k; i += few {
		packSome(panel[i*columns:], w[i:], width, min(few, k-i), ldw, columns)
	}
}

// packSome is packRows for a few k.
func packSome(panel, w []float32, width, k, ldw, columns int) {
	j := 0
	for ; j+4 <= width; j += 4 {
		r0, r1, r2, r3 := w[j*ldw:][:k], w[(j+1)*ldw:][:k], w[(j+2)*ldw:][:k], w[(j+3)*ldw:][:k]
		to := panel[j:]
		for i := range r0 {
			t := to[i*columns:][:4]
			t[0], t[1], t[2], t[3] = r0[i], r1[i], r2[i], r3[i]
		}
	}
	for ; j < width; j++ {
		for i, v := range w[j*ldw:][:k] {
			panel[i*columns+j] = v
		}
	}
}
