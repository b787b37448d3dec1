package signal

import "math"

// The pitches that are looked for, in Hz: from a bass voice to a soprano's
// high g.
const (
	lowestPitch  = 60.0
	highestPitch = 800.0
)

// A voicing is the pitch of one stretch of 40 ms.
type voicing struct {
	hz     float32 // 0 = no pitch
	aperio float32 // YIN's normalised difference at the best lag: 0 = periodic, 1 = not
	higher bool    // what sounds is higher than highestPitch: hz is a fraction of it
}

// A pitchTracker takes a pitch every second hop with YIN (de Cheveigné and
// Kawahara, JASA 111, 2002: difference function, cumulative mean normalisation,
// absolute threshold, parabola). The differences of both channels are added, so
// that opposite phases do not cancel.
type pitchTracker struct {
	rate, step  float64 // of its input, Hz; samples between stretches
	span        int     // samples that are compared
	low, high   int     // lags
	left, right []float64
	pass        [2]highPass
	start       int // index in the stream of left[0]
	out         []voicing
	diff, norm  []float64 // differences, and the same normalised
}

// A highPass takes away what is below about 50 Hz, rumble and offset, which
// would hide the pitch.
type highPass struct{ x, y float64 }

// yinThreshold is the aperiodicity under which the first dip is taken as the
// period; the paper uses 0.1 to 0.15 on clean speech.
const yinThreshold = 0.2

func newPitchTracker(rate, step float64) *pitchTracker {
	p := &pitchTracker{rate: rate, step: step}
	p.span = int(0.025 * rate)
	p.low, p.high = max(2, int(rate/highestPitch)), int(rate/lowestPitch)+1
	p.diff, p.norm = make([]float64, p.high+2), make([]float64, p.high+2)
	// Zeros before the start centre the first stretch on the first two hops.
	before := max(0, (p.span+p.high-int(step))/2)
	p.left, p.right = make([]float64, before), make([]float64, before)
	return p
}

func (h *highPass) filter(x, coefficient float64) float64 {
	h.y = coefficient * (h.y + x - h.x)
	h.x = x
	return h.y
}

// flush ends a decay into numbers too small for the processor's fast path.
func (h *highPass) flush() {
	if math.Abs(h.y) < 1e-20 {
		h.y = 0
	}
}

func (p *pitchTracker) add(left, right []float64) {
	c := 1 / (1 + 2*math.Pi*50/p.rate)
	for _, x := range left {
		p.left = append(p.left, p.pass[0].filter(x, c))
	}
	for _, x := range right {
		p.right = append(p.right, p.pass[1].filter(x, c))
	}
	for i := range p.pass {
		p.pass[i].flush()
	}
	need := p.span + p.high + 2
	for {
		at := int(math.Round(float64(len(p.out))*p.step)) - p.start
		if at+need > len(p.left) {
			break
		}
		r := []float64(nil)
		if right != nil {
			r = p.right[at : at+need]
		}
		p.out = append(p.out, p.track(p.left[at:at+need], r))
	}
	at := min(len(p.left), int(math.Round(float64(len(p.out))*p.step))-p.start)
	p.left = append(p.left[:0], p.left[at:]...)
	if right != nil {
		p.right = append(p.right[:0], p.right[at:]...)
	}
	p.start += at
}

// track finds the pitch of one stretch.
func (p *pitchTracker) track(left, right []float64) voicing {
	energy := p.differences(left)
	if right != nil {
		other := append([]float64(nil), p.diff...)
		energy += p.differences(right)
		for i, d := range other {
			p.diff[i] += d
		}
	}
	if energy/float64(p.span) < 1e-8 { // -80 dBFS
		return voicing{aperio: 1}
	}
	sum := 0.0
	for lag := 1; lag < len(p.diff); lag++ {
		sum += p.diff[lag]
		p.norm[lag] = p.diff[lag] * float64(lag) / (sum + 1e-20)
	}
	v := p.dip()
	v.higher = v.hz > 0 && !p.sounds(float64(v.hz), left, right)
	return v
}

// leastOwn is the share of the power that harmonics up to highestPitch have in
// what has its pitch.
const leastOwn = 0.02

// sounds reports whether there is power at a pitch or its lower harmonics.
func (p *pitchTracker) sounds(hz float64, channels ...[]float64) bool {
	own, all := 0.0, 0.0
	for _, x := range channels {
		if x != nil {
			all += dot(x[:p.span], x)
		}
	}
	for f := hz; f < 1.05*highestPitch; f += hz {
		for _, x := range channels {
			if x != nil {
				own += p.power(x, f)
			}
		}
		if own >= leastOwn*all {
			return true // mostly by the first harmonic
		}
	}
	return false
}

// power is that of a sine within the span, by Goertzel's algorithm with a Hann
// window.
func (p *pitchTracker) power(x []float64, hz float64) float64 {
	step, turn := 2*math.Cos(2*math.Pi*hz/p.rate), 2*math.Cos(2*math.Pi/float64(p.span))
	a, b := 0.0, 0.0
	last, now := turn/2, 1.0 // the window's cosine, sample by sample
	for _, v := range x[:p.span] {
		a, b = v*(0.5-0.5*now)+step*a-b, a
		last, now = now, turn*now-last
	}
	return 8 * (a*a + b*b - step*a*b) / (3 * float64(p.span)) * 2 / 3
}

// differences fills diff with Σ (x[j] - x[j+lag])² and returns the energy of
// the span.
func (p *pitchTracker) differences(x []float64) float64 {
	head := x[:p.span]
	first := dot(head, x)
	energy := first
	p.diff[0] = 0
	for lag := 1; lag < len(p.diff); lag++ {
		gone, came := x[lag-1], x[lag-1+p.span]
		energy += came*came - gone*gone
		p.diff[lag] = max(0, first+energy-2*dot(head, x[lag:]))
	}
	return first
}

// dip looks for the first dip under the threshold, and says how deep the
// deepest one is where there is none.
func (p *pitchTracker) dip() voicing {
	d, best := p.norm, p.low
	for lag := p.low; lag <= p.high; lag++ {
		if d[lag] < d[best] {
			best = lag
		}
		if d[lag] < yinThreshold && d[lag] <= d[lag+1] && d[lag] <= d[lag-1] {
			// The vertex is taken of the plain differences: the normalised ones
			// tilt, and would shift it.
			a, b, c := p.diff[lag-1], p.diff[lag], p.diff[lag+1]
			shift := 0.0
			if bend := a - 2*b + c; bend > 0 {
				shift = (a - c) / (2 * bend)
			}
			return voicing{hz: float32(p.rate / (float64(lag) + shift)), aperio: float32(d[lag])}
		}
	}
	return voicing{aperio: float32(min(1, d[best]))}
}
