package metric

import (
	"math"
	"math/bits"
)

// A cutter finds the cheapest cut of a hypothesis of one token or more.
//
// The recurrence is mwerSegmenter's. C(j,s,t) is the least cost of the first j
// hypothesis tokens against the lines before s and the first t tokens of line
// s; line s begins after the token where the path came to t = 0:
//
//	C(0,s,t) = tokens so far + skip·s
//	C(j,0,0) = j
//	C(j,s,0) = C(j,s-1,n)                             for j ≥ 1, s ≥ 1
//	C(j,s,t) = min(C(j,s,t-1) + 1,                    deletion
//	               C(j-1,s,t) + 1,                    insertion
//	               C(j-1,s,t-1) + [tokens differ])    for j, t ≥ 1
//
// and of equal ones a deletion is taken before an insertion before a
// substitution. From j = 1 on, a line's first row is thus the last row of the
// line before, and all lines make one table whose neighbours differ by 1 at
// most: it is computed as a bitrow of the columns from 2 on. Columns 0 and 1,
// which the cost of skipped lines drives apart, are numbers.
//
// Instead of a start pointer for each column and line, rows are kept that the
// way back is read from: one in every √rows at first, then all rows between
// two of those, so that the whole table is computed twice.
type cutter struct {
	hyp   []int32 // tokens are numbers below words
	words int
	ref   []int32 // tokens of all lines, or foreign
	ends  []int   // for each line, how many tokens of ref end with it
	skip  int     // what leaving a line and all before it empty costs, besides its tokens

	at     index
	row    bitrow
	equal  []uint64 // zero between rows
	zero   []int    // C(0,·) of the row before a reference token
	one    []int    // C(1,·) of each row
	stride int      // rows from one kept at first to the next
	marks  []uint64 // the rows kept at first, up and down in turn
	rises  []uint64 // of a stretch of rows, the cells one more than those above
	ups    []uint64 // of a stretch of rows, the cells one more than those before
}

// cut returns, for each line, how many hypothesis tokens end with it, and what
// the cut costs.
func (c *cutter) cut() (ends []int, cost int) {
	c.at.build(c.hyp[1:], c.words)
	c.numbers()
	blocks := blocksFor(len(c.hyp) - 1)
	c.equal = make([]uint64, blocks)
	c.stride = int(math.Sqrt(float64(len(c.ref)))) + 1
	c.mark(blocks)
	cost = c.one[len(c.ref)]
	for b, up := range c.row.up {
		mask := ^uint64(0)
		if left := len(c.hyp) - 1 - b*blockBits; left < blockBits {
			mask = 1<<left - 1
		}
		cost += bits.OnesCount64(up&mask) - bits.OnesCount64(c.row.down[b]&mask)
	}
	return c.back(blocks), cost
}

// numbers computes columns 0 and 1.
func (c *cutter) numbers() {
	c.zero, c.one = make([]int, len(c.ref)), make([]int, len(c.ref)+1)
	c.one[0] = 1
	line := 0
	for r, id := range c.ref {
		if r == c.ends[line] {
			line++
		}
		c.zero[r] = r + c.skip*line
		differ := 1
		if id == c.hyp[0] {
			differ = 0
		}
		c.one[r+1] = min(c.one[r]+1, c.zero[r]+2, c.zero[r]+differ)
	}
}

// mark computes all rows and keeps one in every stride.
func (c *cutter) mark(blocks int) {
	c.row.reset(blocks)
	c.marks = make([]uint64, 0, 2*blocks*(len(c.ref)/c.stride+1))
	rises := make([]uint64, blocks)
	for r := range c.ref {
		if r%c.stride == 0 {
			c.marks = append(append(c.marks, c.row.up...), c.row.down...)
		}
		c.next(r, blocks, rises)
	}
}

// next turns c.row, which is the row before reference token r, into the row
// after it, as far as the first blocks go.
func (c *cutter) next(r, blocks int, rises []uint64) {
	var risen, fallen uint64
	switch c.one[r+1] - c.one[r] {
	case 1:
		risen = 1
	case -1:
		fallen = 1
	}
	if c.ref[r] == foreign {
		c.row.advance(0, blocks, c.equal, rises, risen, fallen)
		return
	}
	block, set := c.at.places(c.ref[r])
	n := 0
	for ; n < len(block) && int(block[n]) < blocks; n++ {
		c.equal[block[n]] = set[n]
	}
	c.row.advance(0, blocks, c.equal, rises, risen, fallen)
	for _, b := range block[:n] {
		c.equal[b] = 0
	}
}

// stretch computes the rows of reference tokens from to, not including, to
// again, and keeps them.
func (c *cutter) stretch(from, to, all, blocks int) {
	mark := c.marks[from/c.stride*2*all:]
	copy(c.row.up[:blocks], mark[:blocks])
	copy(c.row.down[:blocks], mark[all:all+blocks])
	c.rises, c.ups = resized(c.rises, (to-from)*blocks), resized(c.ups, (to-from)*blocks)
	for r := from; r < to; r++ {
		at := (r - from) * blocks
		c.next(r, blocks, c.rises[at:at+blocks])
		copy(c.ups[at:at+blocks], c.row.up)
	}
}

// back walks from the last cell to where the first line ends.
func (c *cutter) back(all int) []int {
	ends := make([]int, len(c.ends))
	j, line := len(c.hyp), len(c.ends)-1
	ends[line] = j
	to := len(c.ref)
	for to > 0 && j > 0 {
		from := (to - 1) / c.stride * c.stride
		blocks := blocksFor(j - 1)
		c.stretch(from, to, all, blocks)
		for r := to - 1; r >= from; r-- {
			at := (r - from) * blocks
			j = c.step(j, r, c.rises[at:at+blocks], c.ups[at:at+blocks])
			if line > 0 && r == c.ends[line-1] {
				line--
				ends[line] = j
			}
		}
		to = from
	}
	return ends
}

// step returns the column in which the path through column j of the row after
// reference token r leaves the row before it.
func (c *cutter) step(j, r int, rises, ups []uint64) int {
	for j > 1 {
		b, shift := (j-2)/blockBits, (j-2)%blockBits
		if rises[b]>>shift&1 != 0 {
			return j
		}
		if ups[b]>>shift&1 == 0 {
			return j - 1
		}
		j--
	}
	if j == 1 && c.one[r+1] == c.one[r]+1 {
		return 1
	}
	return 0
}
