package pdac

// A stretch is the frames from one up to, and without, another.
type stretch struct{ from, to int }

func (s stretch) len() int { return s.to - s.from }

func (s stretch) segment() Segment {
	return Segment{Start: s.from, End: s.to, Duration: seconds(s.len()), Offset: seconds(s.from)}
}

// A divider divides stretches of one talk.
type divider struct {
	probs     []float64
	o         Options
	maxFrames int // the least that is as long as Options.Max
	minFrames int // the least that is longer than Options.Min

	next []int32 // of each frame, and of the end: the first frame with speech from there on
	last []int32 // the last frame with speech up to there and including it; -1 = none

	lowest  extremes // the first one of the lowest probability
	highest extremes // the last one of the highest
}

func newDivider(probs []float64, o Options) *divider {
	n := len(probs)
	d := &divider{
		probs:     probs,
		o:         o,
		maxFrames: firstFrames(n, func(s float64) bool { return s >= o.Max }),
		minFrames: firstFrames(n, func(s float64) bool { return s > o.Min }),
		next:      make([]int32, n+1),
		last:      make([]int32, n+1),
	}
	d.next[n] = int32(n)
	for i := n - 1; i >= 0; i-- {
		d.next[i] = d.next[i+1]
		if probs[i] >= o.Threshold {
			d.next[i] = int32(i)
		}
	}
	before := int32(-1)
	for i, p := range probs {
		if p >= o.Threshold {
			before = int32(i)
		}
		d.last[i] = before
	}
	d.last[n] = before
	d.lowest = newExtremes(n, func(i, j int) bool { return probs[i] < probs[j] || probs[i] == probs[j] && i < j })
	d.highest = newExtremes(n, func(i, j int) bool { return probs[i] > probs[j] || probs[i] == probs[j] && i > j })
	return d
}

// trim leaves out frames without speech at both ends. Without any speech it is
// the empty stretch at the start.
func (d *divider) trim(s stretch) stretch {
	from := int(d.next[s.from])
	if from >= s.to {
		return stretch{s.from, s.from}
	}
	return stretch{from, int(d.last[s.to-1]) + 1}
}

// around is what is left of a stretch on both sides of a frame.
func (d *divider) around(s stretch, k int) (left, right stretch) {
	return d.trim(stretch{s.from, k}), d.trim(stretch{k + 1, s.to})
}

// split divides a trimmed stretch at its least probable frame that leaves more
// than the shortest segment on both sides. found is false where there is none,
// or where NotStrict rules the frame out because there is speech in it.
//
// What is left of k grows with k, and what is right of it shrinks. So the frames that
// leave enough lie between two limits.
func (d *divider) split(s stretch) (left, right stretch, found bool) {
	if s.len() <= 2*d.minFrames {
		return left, right, false
	}
	from := int(d.next[s.from+d.minFrames-1]) + 1
	to := int(d.last[s.to-d.minFrames])
	if from >= to {
		return left, right, false
	}
	k := d.lowest.in(from, to)
	if d.o.NotStrict && d.probs[k] > d.o.Threshold {
		return left, right, false
	}
	left, right = d.around(s, k)
	return left, right, true
}

// forced divides a stretch at its most probable frame, which the published program
// tries last, and drops a side that is too short. The right side comes first.
func (d *divider) forced(s stretch) (list []stretch) {
	left, right := d.around(s, d.highest.in(s.from, s.to))
	for _, side := range []stretch{right, left} {
		if side.len() >= d.minFrames {
			list = append(list, side)
		}
	}
	return list
}

// extremes finds the least of any range of numbers from 0 to n-1. It is a
// segment tree: node i has the nodes 2i and 2i+1 below it, and the numbers are
// the nodes from n on.
type extremes struct {
	less func(i, j int) bool
	tree []int32
}

func newExtremes(n int, less func(i, j int) bool) extremes {
	e := extremes{less: less, tree: make([]int32, 2*n)}
	for i := range n {
		e.tree[n+i] = int32(i)
	}
	for i := n - 1; i > 0; i-- {
		e.tree[i] = e.lesser(e.tree[2*i], e.tree[2*i+1])
	}
	return e
}

func (e extremes) lesser(i, j int32) int32 {
	if e.less(int(j), int(i)) {
		return j
	}
	return i
}

// in returns the least of the numbers from one up to, and without, another, of
// which there must be one.
func (e extremes) in(from, to int) int {
	n := len(e.tree) / 2
	best := int32(from)
	for l, r := from+n, to+n; l < r; l, r = l/2, r/2 {
		if l%2 == 1 {
			best = e.lesser(best, e.tree[l])
			l++
		}
		if r%2 == 1 {
			r--
			best = e.lesser(best, e.tree[r])
		}
	}
	return int(best)
}
