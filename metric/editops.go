package metric

import (
	"math/bits"
	"slices"
)

// The steps of an alignment, as Operations returns them.
const (
	stepEqual      = 'E'
	stepSubstitute = 'S'
	stepDelete     = 'D'
	stepInsert     = 'I'
)

// An aligner finds the alignments that RapidFuzz finds. It keeps its room from
// one pair of texts to the next.
//
// The table has a row for each hypothesis word and a column for each reference
// word; D(i,j) is the distance of the first i reference and j hypothesis words.
type aligner struct {
	words int // tokens are numbers below this
	room  int // bytes of RapidFuzz's table from which on it is not kept
	at    index
	row   bitrow
	equal []uint64 // zero between rows
	rises []uint64 // asked for by advance; of no use here
	seen  []int32  // by token: its first place that is not behind the band
	kept  bitrow   // rows one after the other, where asked for
	rows  []keptRow
	steps []byte
}

// newAligner returns an aligner for tokens below words.
func newAligner(words int) *aligner { return &aligner{words: words, room: 1 << 20} }

// A keptRow says where a row of the table lies in aligner.kept.
type keptRow struct{ first, blocks, offset int }

// align returns the steps that turn ref into hyp. They are valid until the
// next call.
func (a *aligner) align(ref, hyp []int32) []byte {
	a.steps = a.steps[:0]
	a.append(ref, hyp, -1)
	return a.steps
}

// append adds the steps of one pair to a.steps. distance is -1 where it is not
// known.
//
// Equal words at both ends are matched first. A table that RapidFuzz would
// need a MiB or more for is not kept but cut in two after Hirschberg, since
// that decides which of several cheapest alignments comes out.
func (a *aligner) append(ref, hyp []int32, distance int) {
	head, tail := commonEnds(ref, hyp)
	ref, hyp = ref[head:len(ref)-tail], hyp[head:len(hyp)-tail]
	a.steps = appendTimes(a.steps, stepEqual, head)
	switch {
	case len(ref) == 0:
		a.steps = appendTimes(a.steps, stepInsert, len(hyp))
	case len(hyp) == 0:
		a.steps = appendTimes(a.steps, stepDelete, len(ref))
	case distance < 0 && !a.tooLarge(len(ref), len(hyp), len(ref)+len(hyp)):
		a.measure(ref, hyp, true)
		a.trace(ref, hyp)
	default:
		if distance < 0 {
			distance = a.measure(ref, hyp, false)
		}
		if a.tooLarge(len(ref), len(hyp), distance) {
			a.divide(ref, hyp, distance)
			break
		}
		a.at.build(ref, a.words)
		a.sweep(len(ref), hyp, bandFor(len(ref), len(hyp), distance), true)
		a.trace(ref, hyp)
	}
	a.steps = appendTimes(a.steps, stepEqual, tail)
}

// tooLarge is RapidFuzz's rule for when two bits take too much room for each
// cell within distance of the diagonal.
func (a *aligner) tooLarge(ref, hyp, distance int) bool {
	band := min(ref, 2*distance+1)
	return 2*band*hyp/8 >= a.room && ref >= 65 && hyp >= 10
}

func commonEnds(a, b []int32) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

func appendTimes(steps []byte, step byte, times int) []byte {
	for range times {
		steps = append(steps, step)
	}
	return steps
}

// measure returns the distance. It widens the band until the distance fits in
// it: what lies outside cannot be on a path of at most that cost. The rows of
// the last band are kept if asked for.
func (a *aligner) measure(ref, hyp []int32, keep bool) (distance int) {
	a.at.build(ref, a.words)
	for limit := max(len(ref)-len(hyp), len(hyp)-len(ref), blockBits); ; limit *= 2 {
		end := a.sweep(len(ref), hyp, bandFor(len(ref), len(hyp), limit), keep)
		if distance = end.score(&a.row, len(ref)); distance <= limit {
			return distance
		}
	}
}

// A band is the cells (i,j) with low <= i-j <= high.
type band struct{ low, high int }

// bandFor holds all paths of at most limit from one corner of the table to the
// other: a path through (i,j) costs at least |i-j| + |(m-i)-(n-j)|.
func bandFor(m, n, limit int) band {
	slack := (limit - max(m-n, n-m)) / 2
	return band{min(0, m-n) - slack, max(0, m-n) + slack}
}

// A frontier is where a sweep ended: the blocks of the last row that are in
// the band, and the value of the cell before them. Values in the band are never
// below the true ones, and equal to them on cheapest paths.
type frontier struct{ first, to, value int }

// score returns the value of cell i of the row.
func (f frontier) score(row *bitrow, i int) int {
	v := f.value
	for b := f.first; b*blockBits < i; b++ {
		mask := ^uint64(0)
		if left := i - b*blockBits; left < blockBits {
			mask = 1<<left - 1
		}
		v += bits.OnesCount64(row.up[b]&mask) - bits.OnesCount64(row.down[b]&mask)
	}
	return v
}

// sweep computes the rows of hyp inside the band, over the m reference words
// in a.at, and keeps them all if asked to. A cell outside counts as one more
// than its neighbour inside, which is never too little.
func (a *aligner) sweep(m int, hyp []int32, in band, keep bool) frontier {
	all := blocksFor(m)
	a.row.reset(all)
	a.rises, a.equal = resized(a.rises, all), resized(a.equal, all)
	clear(a.equal)
	if keep {
		a.rows = a.rows[:0]
		a.kept = bitrow{a.kept.up[:0], a.kept.down[:0]}
	}
	a.seen = resized(a.seen, a.words)
	copy(a.seen, a.at.start)
	var f frontier
	for j, word := range hyp {
		for first := max(0, j+in.low) / blockBits; f.first < first; f.first++ {
			f.value += bits.OnesCount64(a.row.up[f.first]) - bits.OnesCount64(a.row.down[f.first])
		}
		f.value++
		f.to = blocksFor(min(m, j+1+in.high))
		a.nextRow(word, f)
		if keep {
			a.keepRow(f)
		}
	}
	return f
}

// nextRow computes the row of one hypothesis word inside the band.
func (a *aligner) nextRow(word int32, f frontier) {
	from, end := a.seen[word], a.at.start[word+1]
	for from < end && int(a.at.block[from]) < f.first {
		from++
	}
	a.seen[word] = from
	to := from
	for ; to < end && int(a.at.block[to]) < f.to; to++ {
		a.equal[a.at.block[to]] = a.at.bits[to]
	}
	a.row.advance(f.first, f.to, a.equal, a.rises, 1, 0)
	for _, b := range a.at.block[from:to] {
		a.equal[b] = 0
	}
}

func (a *aligner) keepRow(f frontier) {
	a.rows = append(a.rows, keptRow{f.first, f.to - f.first, len(a.kept.up)})
	a.kept.up = append(a.kept.up, a.row.up[f.first:f.to]...)
	a.kept.down = append(a.kept.down, a.row.down[f.first:f.to]...)
}

// keptBit returns bit i-1 of row j: how D(i,j) differs from D(i-1,j). It is 0
// outside the band.
func (a *aligner) keptBit(of []uint64, i, j int) bool {
	r := a.rows[j-1]
	b := (i-1)/blockBits - r.first
	return b >= 0 && b < r.blocks && of[r.offset+b]>>((i-1)%blockBits)&1 != 0
}

// trace adds the steps of the pair whose rows are kept, found by going back
// from the end of the table. Where several steps are as cheap, the order is RapidFuzz's: a
// deletion, then an insertion that D(i-1,j-1) = D(i,j-1)+1 shows, then a
// substitution or match.
func (a *aligner) trace(ref, hyp []int32) {
	begin := len(a.steps)
	i, j := len(ref), len(hyp)
	for i > 0 && j > 0 {
		switch {
		case a.keptBit(a.kept.up, i, j):
			i--
			a.steps = append(a.steps, stepDelete)
		case j > 1 && a.keptBit(a.kept.down, i, j-1):
			j--
			a.steps = append(a.steps, stepInsert)
		default:
			i, j = i-1, j-1
			step := byte(stepEqual)
			if ref[i] != hyp[j] {
				step = stepSubstitute
			}
			a.steps = append(a.steps, step)
		}
	}
	a.steps = appendTimes(a.steps, stepDelete, i)
	a.steps = appendTimes(a.steps, stepInsert, j)
	slices.Reverse(a.steps[begin:])
}

// divide cuts the hypothesis in half and the reference where the sum of both
// distances is least, at the first such place, and goes on with both pairs
// (D. Hirschberg, "A linear space algorithm for computing maximal common
// subsequences", CACM 18 (1975)).
func (a *aligner) divide(ref, hyp []int32, distance int) {
	mid, in := len(hyp)/2, bandFor(len(ref), len(hyp), distance)
	right, rightFirst := a.lastRow(reversed(ref), reversed(hyp[mid:]), in)
	left, leftFirst := a.lastRow(ref, hyp[:mid], in)
	cut, l, r := -1, 0, 0
	for n, here := range left {
		k := leftFirst + n
		opposite := len(ref) - k - rightFirst
		if opposite < 0 || opposite >= len(right) {
			continue
		}
		if cut < 0 || here+right[opposite] < l+r {
			cut, l, r = k, here, right[opposite]
		}
	}
	a.append(ref[:cut], hyp[:mid], l)
	a.append(ref[cut:], hyp[mid:], r)
}

// lastRow returns the values of the cells of the row of all hyp that are in
// the band, beginning with the cell of the first `first` reference words.
func (a *aligner) lastRow(ref, hyp []int32, in band) (values []int, first int) {
	a.at.build(ref, a.words)
	f := a.sweep(len(ref), hyp, in, false)
	first = f.first * blockBits
	values = append(make([]int, 0, (f.to-f.first)*blockBits+1), f.value)
	v := f.value
	for i := first; i < min(len(ref), f.to*blockBits); i++ {
		b, shift := i/blockBits, i%blockBits
		v += int(a.row.up[b]>>shift&1) - int(a.row.down[b]>>shift&1)
		values = append(values, v)
	}
	return values, first
}

func reversed(s []int32) []int32 {
	r := slices.Clone(s)
	slices.Reverse(r)
	return r
}
