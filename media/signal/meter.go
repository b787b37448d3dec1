package signal

import "math"

// Samples at or above clipLevel, at least clipRun of them in a row in one
// channel, count as clipped if they are flat: a loud low tone stays near full
// scale as long, but in an arc. A lower level than 1 finds what a lossy codec
// made of clipped peaks. Within an arc the slopes are half of those by which it
// is entered and left, at a cut peak next to nothing.
const (
	clipLevel = 0.985
	clipRun   = 3
	clipFlat  = 0.3
)

// A peak is a run of samples near full scale in one channel.
type peak struct {
	length          int64
	last            float64 // sample before, at most 1
	enter, up, down float64 // slopes into it, at its start and at its end
}

// flat reports whether a peak, left by the slope leave, is cut off.
func (p *peak) flat(leave float64) bool {
	return p.length >= clipRun && p.up+p.down <= clipFlat*(p.enter+leave)
}

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

	run      [2]peak // samples near full scale in a row up to now
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
	whole  []float32 // of each hop, of everything
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
	sum, squares, peak, last := 0.0, 0.0, m.peak[c], m.run[c].last
	for i, v := range x {
		sum += v
		squares += v * v
		a := math.Abs(v)
		if a > peak {
			peak = a
		}
		if a >= clipLevel || last >= clipLevel {
			m.run[c].last = min(last, 1)
			m.clip(c, m.at+int64(i), min(a, 1))
		}
		last = a
	}
	m.run[c].last = last
	m.sum[c] += sum
	m.squares[c] += squares
	m.peak[c] = peak
}

// clip follows a run near full scale: the sample at belongs to it or ends it.
func (m *meter) clip(c int, at int64, a float64) {
	p := &m.run[c]
	slope := math.Abs(a - p.last)
	if a >= clipLevel {
		switch p.length++; p.length {
		case 1:
			p.enter, p.up, p.down = slope, 0, 0
		case 2:
			p.up, p.down = slope, slope
		default:
			p.down = slope
		}
		return
	}
	if p.flat(slope) {
		if start := at - p.length; m.runs == 0 || start < m.firstRun {
			m.firstRun = start
		}
		m.runs++
		m.clipped += p.length
		m.longest = max(m.longest, p.length)
	}
	p.length = 0
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
	m.whole = append(m.whole, float32(decibels(m.raw/float64(m.hop*m.channels))))
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
