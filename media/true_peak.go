package media

import "math"

// The true peak is the highest level of the sound between its samples, too (ITU-R BS.1770-4,
// annex 2). They are interpolated to 192,000 a second by the sinc function of 32 samples in a
// Kaiser window of beta 9, as ffmpeg's resampler does, so that its ebur128 filter measures the
// same. That filter interpolates everywhere, which costs a tenth of decoding a film. Here,
// positions are left out that cannot be higher than the peak so far.
const (
	peakRate   = 192000
	peakTaps   = 32
	peakBeta   = 9
	mostPhases = 1024 // of rates that do not divide peakRate: positions are rounded to them
	peakGroup  = peakTaps / 2
)

// A truePeakMeter measures samples one block after the other.
type truePeakMeter struct {
	between  *interpolator
	channels []peakChannel
	peak     float64 // amplitude; that of the last samples of each channel is not in it
}

// A peakChannel holds the samples of one channel that are not interpolated yet, from a
// multiple of peakGroup on.
type peakChannel struct {
	samples []float64
	first   int64 // number of the first of them
}

func newTruePeakMeter(rate, channels int) *truePeakMeter {
	return &truePeakMeter{between: newInterpolator(rate), channels: make([]peakChannel, channels)}
}

// add takes interleaved samples.
func (m *truePeakMeter) add(samples []float32) {
	n := len(m.channels)
	for i := range m.channels {
		c := &m.channels[i]
		for at := i; at < len(samples); at += n {
			c.samples = append(c.samples, float64(samples[at]))
		}
		m.search(c)
	}
}

func (m *truePeakMeter) raise(v float64) { m.peak = max(m.peak, v) }

// search interpolates between the samples of all groups with a group on both sides: at the
// ends of the sound, samples count as they are.
func (m *truePeakMeter) search(c *peakChannel) {
	groups := len(c.samples) / peakGroup
	if groups < 3 {
		return
	}
	before, here := highest(c.samples[:peakGroup]), highest(c.samples[peakGroup:2*peakGroup])
	m.raise(max(before, here))
	for g := 1; g+1 < groups; g++ {
		after := highest(c.samples[(g+1)*peakGroup : (g+2)*peakGroup])
		m.raise(after)
		if max(before, here, after)*m.between.gain > m.peak {
			m.searchGroup(c, g*peakGroup)
		}
		before, here = here, after
	}
	done := (groups - 2) * peakGroup
	c.samples = c.samples[:copy(c.samples, c.samples[done:])]
	c.first += int64(done)
}

// highest is the highest amplitude. NaN is not higher than a number.
func highest(samples []float64) (most float64) {
	for _, v := range samples {
		if v = math.Abs(v); v > most {
			most = v
		}
	}
	return most
}

// searchGroup interpolates after each sample of a group. The value half-way to the next sample
// shows how far the curve bends: a higher curve bends more.
func (m *truePeakMeter) searchGroup(c *peakChannel, from int) {
	for at := from; at < from+peakGroup; at++ {
		a, b := c.samples[at], c.samples[at+1]
		half := m.between.half((*[peakGroup]float64)(c.samples[at-peakGroup+1:]), (*[peakGroup]float64)(c.samples[at+1:]))
		if max(math.Abs(a), math.Abs(b), math.Abs(half))+math.Abs(a-2*half+b)/2 <= m.peak {
			continue
		}
		window := (*[peakTaps]float64)(c.samples[at-peakGroup+1:])
		m.between.each(c.first+int64(at), func(taps *[peakTaps]float64) {
			sum := 0.
			for i, v := range window {
				sum += v * taps[i]
			}
			if sum = math.Abs(sum); sum > m.peak {
				m.peak = sum
			}
		})
	}
}

// amplitude returns the true peak of all sound so far, 1 being full scale.
func (m *truePeakMeter) amplitude() float64 {
	for _, c := range m.channels {
		m.raise(highest(c.samples))
	}
	return m.peak
}

// An interpolator has the weights of samples around a position between two of them.
type interpolator struct {
	up, down int64                // this many positions in so many samples
	phases   []*[peakTaps]float64 // by the distance from the sample before; nil = not needed so far
	middle   [peakGroup]float64   // half-way between two samples, from the nearest ones on
	gain     float64              // a position is at most so many times as high as the highest sample around it
}

func newInterpolator(rate int) *interpolator {
	divisor := gcd(peakRate, int64(rate))
	p := &interpolator{up: peakRate / divisor, down: int64(rate) / divisor}
	p.phases = make([]*[peakTaps]float64, min(p.up, mostPhases))
	// Half-way, the weights add up to most.
	for i, w := range peakWeights(0.5)[peakGroup:] {
		p.middle[i] = w
		p.gain += 2 * math.Abs(w)
	}
	return p
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// half returns the value half-way between two samples, of the samples before and after.
func (p *interpolator) half(before, after *[peakGroup]float64) float64 {
	var even, odd float64
	for i := 0; i < peakGroup; i += 2 {
		even += p.middle[i] * (before[peakGroup-1-i] + after[i])
		odd += p.middle[i+1] * (before[peakGroup-2-i] + after[i+1])
	}
	return even + odd
}

// each calls do with the weights of each position after a sample and before the next one.
func (p *interpolator) each(sample int64, do func(*[peakTaps]float64)) {
	for position := sample*p.up/p.down + 1; ; position++ {
		after := position*p.down - sample*p.up // in samples, times up
		if after >= p.up {
			return
		}
		do(p.weights(int(after * int64(len(p.phases)) / p.up)))
	}
}

func (p *interpolator) weights(phase int) *[peakTaps]float64 {
	if p.phases[phase] == nil {
		p.phases[phase] = peakWeights(float64(phase) / float64(len(p.phases)))
	}
	return p.phases[phase]
}

// peakWeights are the weights of the samples around a position, which is so far behind the
// middle one of the first half.
func peakWeights(behind float64) *[peakTaps]float64 {
	var weights [peakTaps]float64
	for i := range weights {
		distance := float64(i-peakGroup+1) - behind
		weights[i] = bessel(peakBeta*math.Sqrt(max(0, 1-math.Pow(2*distance/peakTaps, 2)))) / bessel(peakBeta)
		if x := math.Pi * distance; x != 0 {
			weights[i] *= math.Sin(x) / x
		}
	}
	return &weights
}

// bessel is the modified Bessel function of the first kind and order 0, by its series.
func bessel(x float64) float64 {
	sum, term := 1., 1.
	for k := 1.; term > 1e-15*sum; k++ {
		term *= x * x / (4 * k * k)
		sum += term
	}
	return sum
}
