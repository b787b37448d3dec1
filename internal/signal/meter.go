package signal

import "math"

// Samples at or above clipLevel, at least clipRun of them in a row in one
// channel, count as clipped. A lower level than 1 finds what a lossy codec made
// of clipped peaks; three in a row leaves out natural peaks.
const (
	clipLevel = 0.985
	clipRun   = 3
)

// A meter takes what needs no spectrum: energies, peaks, clipped runs, and how
// the channels belong together.
type meter struct {
	hop, channels int

	sum     [2]float64 // per channel
	squares [2]float64
	cross   float64
	peak    [2]float64
	apart   float64 // largest difference of left and right
	opposed float64 // largest sum of left and right

	run      [2]int64 // samples clipped in a row up to now
	clipped  int64
	runs     int64
	longest  int64
	firstRun int64 // sample where the first clipped run begins
	at       int64 // samples so far

	heard  [2]rumbleFilter
	inHop  int
	energy float64   // above 80 Hz
	raw    float64   // of everything
	levels []float32 // of each hop above 80 Hz, dBFS
	zeros  int64     // hops of zeros only
}

func newMeter(rate, channels, hop int) *meter {
	f := newRumbleFilter(rate)
	return &meter{hop: hop, channels: channels, heard: [2]rumbleFilter{f, f}}
}

func (m *meter) add(left, right []float64) {
	m.channel(0, left)
	if right != nil {
		m.channel(1, right)
		m.pair(left, right)
	}
	m.hops(left, right)
	m.at += int64(len(left))
}

// channel adds up one channel's samples, and counts clipped runs.
func (m *meter) channel(c int, x []float64) {
	sum, squares, peak := 0.0, 0.0, m.peak[c]
	for i, v := range x {
		sum += v
		squares += v * v
		a := math.Abs(v)
		if a > peak {
			peak = a
		}
		if a >= clipLevel {
			m.clip(c, m.at+int64(i))
		} else {
			m.run[c] = 0
		}
	}
	m.sum[c] += sum
	m.squares[c] += squares
	m.peak[c] = peak
}

// clip notes that the sample at is at the limit.
func (m *meter) clip(c int, at int64) {
	m.run[c]++
	switch n := m.run[c]; {
	case n == clipRun:
		if start := at - clipRun + 1; m.runs == 0 || start < m.firstRun {
			m.firstRun = start
		}
		m.runs++
		m.clipped += clipRun
	case n > clipRun:
		m.clipped++
	}
	m.longest = max(m.longest, m.run[c])
}

// pair compares the channels.
func (m *meter) pair(left, right []float64) {
	cross, apart, opposed := 0.0, m.apart, m.opposed
	for i, l := range left {
		r := right[i]
		cross += l * r
		apart = max(apart, math.Abs(l-r))
		opposed = max(opposed, math.Abs(l+r))
	}
	m.cross += cross
	m.apart, m.opposed = apart, opposed
}

// hops adds up energies above 80 Hz, hop by hop.
func (m *meter) hops(left, right []float64) {
	for len(left) > 0 {
		n := min(len(left), m.hop-m.inHop)
		m.energy += m.heard[0].energy(left[:n])
		m.raw += dot(left[:n], left)
		left = left[n:]
		if right != nil {
			m.energy += m.heard[1].energy(right[:n])
			m.raw += dot(right[:n], right)
			right = right[n:]
		}
		if m.inHop += n; m.inHop == m.hop {
			m.endHop()
		}
	}
}

func (m *meter) endHop() {
	level := decibels(m.energy / float64(m.hop*m.channels))
	if m.raw == 0 {
		m.zeros++
	}
	m.levels = append(m.levels, float32(level))
	m.inHop, m.energy, m.raw = 0, 0, 0
}

// A rumbleFilter takes away what is below about 80 Hz: a Butterworth high-pass
// of second order by the bilinear transform (Zölzer, Digital Audio Signal
// Processing, 5.2), in transposed direct form.
type rumbleFilter struct {
	b, a1, a2, s1, s2 float64
	started           bool
}

func newRumbleFilter(rate int) rumbleFilter {
	k := math.Tan(math.Pi * 80 / float64(rate))
	d := 1 + math.Sqrt2*k + k*k
	return rumbleFilter{b: 1 / d, a1: 2 * (k*k - 1) / d, a2: (1 - math.Sqrt2*k + k*k) / d}
}

// energy filters samples and returns the sum of their squares.
func (f *rumbleFilter) energy(x []float64) float64 {
	if !f.started && len(x) > 0 {
		// As if the first sample had always been there: an offset is no click.
		f.s1, f.s2, f.started = -f.b*x[0], f.b*x[0], true
	}
	sum, s1, s2 := 0.0, f.s1, f.s2
	for _, v := range x {
		y := f.b*v + s1
		s1 = s2 - 2*f.b*v - f.a1*y
		s2 = f.b*v - f.a2*y
		sum += y * y
	}
	if math.Abs(s1)+math.Abs(s2) < 1e-20 {
		s1, s2 = 0, 0 // numbers too small for the processor's fast path
	}
	f.s1, f.s2 = s1, s2
	return sum
}
