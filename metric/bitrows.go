package metric

// Edit distances are computed 64 cells at a time. A row of the table is kept
// as differences of neighbouring cells, which are -1, 0 or 1: one bit says
// where they are 1, another where they are -1.
// Source: G. Myers, "A fast bit-vector algorithm for approximate string
// matching based on dynamic programming", JACM 46 (1999), in the form of
// H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit
// distances", Nordic J. Computing 10 (2003), block by block.

const blockBits = 64

func blocksFor(bits int) int { return (bits + blockBits - 1) / blockBits }

// A bitrow is the differences along one row of the table: bit i is set in up
// where cell i is one more than the cell before it, in down where it is one
// less.
type bitrow struct{ up, down []uint64 }

// reset makes r the first row of a table: each cell is one more than the cell
// before it.
func (r *bitrow) reset(blocks int) {
	r.up, r.down = resized(r.up, blocks), resized(r.down, blocks)
	for b := range r.up {
		r.up[b], r.down[b] = ^uint64(0), 0
	}
}

// resized returns n elements of any content, in s if it has the room.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// advance turns blocks from up to, not including, to of r into the next row.
// equal has the bits of the columns whose token is that of the new row. raised
// receives the bits of the cells that are one more than the cell above them.
// risen and fallen, 0 or 1, say how the cell before the first of these blocks
// differs from the one above it.
func (r *bitrow) advance(from, to int, equal, raised []uint64, risen, fallen uint64) {
	up, down := r.up[from:to], r.down[from:to]
	down, equal, raised = down[:len(up)], equal[from:to], raised[from:to]
	equal, raised = equal[:len(up)], raised[:len(up)]
	for b, u := range up {
		d, eq := down[b], equal[b]
		flat := eq | d
		eq |= fallen
		diagonal := (((eq & u) + u) ^ u) | eq
		rise := d | ^(diagonal | u)
		fall := u & diagonal
		raised[b] = rise
		above := rise<<1 | risen
		below := fall<<1 | fallen
		risen, fallen = rise>>(blockBits-1), fall>>(blockBits-1)
		up[b] = below | ^(flat | above)
		down[b] = above & flat
	}
}

// An index says in which blocks of a text each token occurs. It takes room for
// each token once, not for each token and block.
type index struct {
	start []int32 // by token: where its places begin
	block []int32
	bits  []uint64
	last  []int32 // by token: the block seen last
}

// build indexes text, whose tokens are numbers below words.
func (x *index) build(text []int32, words int) {
	x.start, x.last = resized(x.start, words+1), resized(x.last, words)
	x.block, x.bits = resized(x.block, len(text)), resized(x.bits, len(text))
	clear(x.start)
	x.forget()
	for i, id := range text {
		if b := int32(i / blockBits); x.last[id] != b {
			x.last[id] = b
			x.start[id+1]++
		}
	}
	for id := range words {
		x.start[id+1] += x.start[id]
	}
	// While places are filled in, start[id] is where the next one goes; in the
	// end it is where the places of id+1 begin.
	x.forget()
	for i, id := range text {
		if b := int32(i / blockBits); x.last[id] != b {
			x.last[id] = b
			x.block[x.start[id]], x.bits[x.start[id]] = b, 0
			x.start[id]++
		}
		x.bits[x.start[id]-1] |= 1 << (i % blockBits)
	}
	copy(x.start[1:], x.start)
	x.start[0] = 0
}

func (x *index) forget() {
	for id := range x.last {
		x.last[id] = -1
	}
}

// places returns where token id occurs, blocks in ascending order.
func (x *index) places(id int32) (block []int32, bits []uint64) {
	return x.block[x.start[id]:x.start[id+1]], x.bits[x.start[id]:x.start[id+1]]
}
