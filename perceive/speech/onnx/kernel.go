package onnx

// A tiled product computes a matrix of m rows and n columns as sums of k terms. Both
// factors are first copied into panels that the innermost loop reads from start
// to end: panels of 4 rows, and panels of `width` columns. A block of column
// panels stays in the cache while all row panels pass.
type tiled[A, B, C any] struct {
	m, n, k, width int
	rows           func(panel [][4]A, row int)    // copies rows row to row+3; those beyond m may be anything
	columns        func(panel [][2]B, column int) // copies columns; those beyond n may be anything
	kernel         func(a [][4]A, b [][2]B, tile *[16]C)
	store          func(row, column int, values []C) // takes a row of a tile
}

// blockBytes is about how much of the cache a block of column panels takes.
const blockBytes = 192 << 10

func (p tiled[A, B, C]) compute() {
	panels := (p.m + 3) / 4
	packed := make([][4]A, panels*p.k)
	for i := range panels {
		p.rows(packed[i*p.k:(i+1)*p.k], 4*i)
	}
	columns := (p.n + p.width - 1) / p.width
	// A goroutine gets a million terms at least, or starting it is not worth it.
	least := 1<<20/max(1, p.m*p.k*p.width) + 1
	parallel(columns, least, func(from, to int) {
		block := max(1, min(to-from, blockBytes/(16*max(1, p.k))))
		panel := make([][2]B, block*p.k)
		for ; from < to; from += block {
			count := min(block, to-from)
			for j := range count {
				p.columns(panel[j*p.k:(j+1)*p.k], (from+j)*p.width)
			}
			p.block(packed, panel, from, count)
		}
	})
}

func (p tiled[A, B, C]) block(packed [][4]A, panel [][2]B, from, count int) {
	var tile [16]C
	for i := 0; i < p.m; i += 4 {
		a := packed[i/4*p.k : (i/4+1)*p.k]
		for j := range count {
			p.kernel(a, panel[j*p.k:(j+1)*p.k], &tile)
			column := (from + j) * p.width
			width := min(p.width, p.n-column)
			for row := range min(4, p.m-i) {
				p.store(i+row, column, tile[row*p.width:row*p.width+width])
			}
		}
	}
}

// floatTile multiplies 4 rows with 2 columns.
func floatTile(a [][4]float32, b [][2]float32, tile *[16]float32) {
	var c00, c01, c10, c11, c20, c21, c30, c31 float32
	b = b[:len(a)]
	for k := range a {
		x, y := &a[k], &b[k]
		y0, y1 := y[0], y[1]
		x0, x1 := x[0], x[1]
		c00 += x0 * y0
		c01 += x0 * y1
		c10 += x1 * y0
		c11 += x1 * y1
		x2, x3 := x[2], x[3]
		c20 += x2 * y0
		c21 += x2 * y1
		c30 += x3 * y0
		c31 += x3 * y1
	}
	*tile = [16]float32{c00, c01, c10, c11, c20, c21, c30, c31}
}

// integerTile multiplies 4 rows with 4 columns of whole numbers of up to 9
// bits. A column number holds two: b0 + b1<<32; so does their sum of products,
// which split takes apart. Each multiplication does the work of two.
func integerTile(a [][4]int32, b [][2]int64, tile *[16]int32) {
	var c00, c01, c10, c11, c20, c21, c30, c31 int64
	b = b[:len(a)]
	for k := range a {
		x, y := &a[k], &b[k]
		y0, y1 := y[0], y[1]
		x0, x1 := int64(x[0]), int64(x[1])
		c00 += x0 * y0
		c01 += x0 * y1
		c10 += x1 * y0
		c11 += x1 * y1
		x2, x3 := int64(x[2]), int64(x[3])
		c20 += x2 * y0
		c21 += x2 * y1
		c30 += x3 * y0
		c31 += x3 * y1
	}
	for i, c := range [8]int64{c00, c01, c10, c11, c20, c21, c30, c31} {
		tile[2*i], tile[2*i+1] = split(c)
	}
}

// split takes s0 + s1<<32 apart, both between -2^31 and 2^31-1.
func split(c int64) (s0, s1 int32) {
	s0 = int32(c)
	return s0, int32((c - int64(s0)) >> 32)
}
