package signal

import (
	"fmt"
	"math"
	"slices"
)

// How onsets are found in the flux, the rise of the bands from hop to hop.
const (
	onsetAround = 100 // hops on either side that set the threshold
	onsetStep   = 50  // hops that share one
	onsetOver   = 3.0 // dB over the usual flux
	onsetApart  = 5   // hops between onsets
)

// onsets picks the peaks of the flux that stand out from what is usual around
// them, so that rain has none.
func (a *Analyzer) onsets() Onsets {
	flux := a.spectra.flux
	out := Onsets{Evidence: Evidence{From: a.hopTime(len(flux))}}
	if len(flux) < 2*onsetApart {
		out.Basis = "less than 0.1 s of sound"
		return out
	}
	over := 0.0
	for start := 0; start < len(flux); start += onsetStep {
		around := sortedPart(flux, start-onsetAround, start+onsetStep+onsetAround)
		middle, upper := quantile(around, 0.5), quantile(around, 0.75)
		threshold := middle + onsetOver + 2*(upper-middle)
		for i := start; i < min(start+onsetStep, len(flux)); i++ {
			if f := float64(flux[i]); f > threshold && isPeak(flux, i, onsetApart) && a.soundsAfter(a.riseBefore(i)) {
				out.Times = append(out.Times, Onset{At: a.hopTime(a.riseBefore(i)), Strength: f})
				over += min(3, f/threshold)
			}
		}
	}
	n := float64(len(out.Times))
	out.PerMinute = 60 * n / out.From.Seconds()
	out.Known, out.Sure = true, 0.5
	if n > 0 {
		out.Sure = ramp(over/n, 0.8, 2)
	}
	out.Basis = fmt.Sprintf("%d peaks of spectral flux over its running median", len(out.Times))
	return out
}

// soundsAfter reports whether there is sound after a hop that is not clearly
// quieter than before it: the end of a sound changes its spectrum, too.
func (a *Analyzer) soundsAfter(hop int) bool {
	levels := a.meter.levels
	if hop+onsetApart > len(levels) {
		return false
	}
	after := meanLevel(levels[hop:min(len(levels), hop+2*onsetApart)])
	return after > max(alwaysSilent, meanLevel(levels[max(0, hop-2*onsetApart):hop])-6)
}

// sortedPart sorts a copy of the values from start to end, as far as they exist.
func sortedPart(x []float32, start, end int) []float64 {
	part := make([]float64, 0, end-start)
	for _, v := range x[max(0, start):min(len(x), end)] {
		part = append(part, float64(v))
	}
	slices.Sort(part)
	return part
}

// isPeak says whether nothing within reach is higher; the first of equals counts.
func isPeak(x []float32, i, reach int) bool {
	for j := max(0, i-reach); j < min(len(x), i+reach+1); j++ {
		if x[j] > x[i] || x[j] == x[i] && j < i {
			return false
		}
	}
	return true
}

// riseBefore is the hop near i where the level rises most: a window is longer
// than a hop, and the flux peaks somewhere within.
func (a *Analyzer) riseBefore(i int) int {
	levels := a.meter.levels
	best, rise := i, float32(0)
	for j := max(1, i-3); j < min(len(levels), i+4); j++ {
		if up := max(levels[j], bandFloor) - max(levels[j-1], bandFloor); up > rise {
			best, rise = j, up
		}
	}
	return best
}

// A pulse is the autocorrelation of the flux, 1 at lag 0.
type pulse struct {
	hops int
	r    []float64
}

// How far the autocorrelation goes, and what it leaves out.
const (
	longestLag = 620 // hops: four beats at 40 a minute
	pulseMean  = 50  // hops on either side whose mean is taken away
)

// newPulse autocorrelates the flux. Its local mean is taken away, so that loud
// passages do not look periodic, and it is blurred, so that an interval that is
// no whole number of hops still fits itself.
func (a *Analyzer) newPulse() pulse {
	flux := a.spectra.flux
	x := make([]float64, len(flux))
	sum := 0.0
	sums := make([]float64, len(flux)+1)
	for i, f := range flux {
		sum += float64(f)
		sums[i+1] = sum
	}
	for i, f := range flux {
		from, to := max(0, i-pulseMean), min(len(flux), i+pulseMean+1)
		x[i] = float64(f) - (sums[to]-sums[from])/float64(to-from)
	}
	x = blurred(x)
	p := pulse{hops: len(flux)}
	energy := dot(x, x)
	if energy < 1e-6 {
		return p
	}
	for lag := 0; lag <= min(longestLag, len(x)-2); lag++ {
		n := len(x) - lag
		p.r = append(p.r, dot(x[:n], x[lag:])/energy*float64(len(x))/float64(n))
	}
	return p
}

// blurred smooths over five values with binomial weights.
func blurred(x []float64) []float64 {
	weights := [5]float64{1, 4, 6, 4, 1}
	out := make([]float64, len(x))
	for i := range x {
		for w, weight := range weights {
			if j := i + w - 2; j >= 0 && j < len(x) {
				out[i] += weight / 16 * x[j]
			}
		}
	}
	return out
}

// peak says whether r has a local maximum at lag.
func (p pulse) peak(lag int) bool {
	return lag > 0 && lag+1 < len(p.r) && p.r[lag] >= p.r[lag-1] && p.r[lag] > p.r[lag+1]
}

// goesOn reports whether what repeats after lag does so again and again: echoes
// and parts of beats do not.
func (p pulse) goesOn(lag int) bool {
	interval, _ := p.top(float64(lag), 1)
	for times := 2.0; times <= 8 && times*interval+3 < float64(min(len(p.r), p.hops/2)); times++ {
		top, again := p.top(times*interval, max(2, int(times*interval/25)))
		if again < 0.4*p.r[lag] {
			return false
		}
		interval = top / times
	}
	return true
}

// refine finds the interval to a fraction of a hop from the peaks at one, two,
// four and eight intervals.
func (p pulse) refine(lag int) float64 {
	interval, _ := p.top(float64(lag), 1)
	for _, times := range []float64{2, 4, 8} {
		at := interval * times
		if int(at)+3 >= len(p.r) {
			break
		}
		top, _ := p.top(at, 2)
		if top == 0 || p.r[int(math.Round(top))] < 0.5*p.r[lag] {
			break
		}
		interval = top / times
	}
	return interval
}

// top is the vertex of the parabola over the highest peak near at, and its
// height; 0 if there is no peak.
func (p pulse) top(at float64, reach int) (lag, height float64) {
	best := 0
	for i := int(math.Round(at)) - reach; i <= int(math.Round(at))+reach; i++ {
		if p.peak(i) && (best == 0 || p.r[i] > p.r[best]) {
			best = i
		}
	}
	if best == 0 {
		return 0, 0
	}
	x, y, z := p.r[best-1], p.r[best], p.r[best+1]
	shift := (x - z) / (2 * (x - 2*y + z))
	return float64(best) + shift, y - (x-z)*shift/4
}

// The bounds of what counts as a tempo.
const (
	slowestBeat = 150 // hops: 40 a minute
	fastestBeat = 25  // 240 a minute
	leastTempo  = 10  // seconds of sound
	leastPulse  = 0.3
)

// tempo picks the beat, near 120 a minute among equally good ones.
func (a *Analyzer) tempo(p pulse) Tempo {
	out := Tempo{Evidence: Evidence{From: a.sampleTime(a.frames)}}
	if out.From.Seconds() < leastTempo {
		out.Basis = "less than 10 s of sound"
		return out
	}
	best, score := 0, 0.0
	for lag := fastestBeat; lag <= slowestBeat; lag++ {
		if !p.peak(lag) {
			continue
		}
		octaves := math.Log2(60 * hopsPerSecond / float64(lag) / 120)
		_, height := p.top(float64(lag), 0)
		if s := height * math.Exp(-0.5*octaves*octaves); s > score {
			best, score = lag, s
			out.Pulse = min(1, height)
		}
	}
	if out.Pulse < leastPulse {
		out.Basis = fmt.Sprintf("pulse of %.2f, too weak", out.Pulse)
		return out
	}
	out.BPM = 60 / (p.refine(best) * a.hopTime(1).Seconds())
	out.Known = true
	out.Sure = ramp(out.Pulse, 0.1, 0.6) * ramp(out.From.Seconds(), 5, 20)
	out.Basis = fmt.Sprintf("onsets repeat every beat with an autocorrelation of %.2f", out.Pulse)
	return out
}

// How even repeats are found.
const (
	fastestRepeat = 5
	slowestRepeat = 330
	leastTimes    = 4 // intervals in the stream
	leastRepeat   = 0.35
)

// repeats picks the shortest interval that is nearly as good as the best.
func (a *Analyzer) repeats(p pulse) Repeats {
	out := Repeats{Evidence: Evidence{From: a.hopTime(p.hops)}}
	slowest := min(slowestRepeat, p.hops/leastTimes)
	top := 0.0
	for lag := fastestRepeat; lag <= slowest; lag++ {
		if p.peak(lag) {
			top = max(top, p.r[lag])
		}
	}
	if top < leastRepeat {
		out.Basis = fmt.Sprintf("no interval with an autocorrelation of %.2f", leastRepeat)
		return out
	}
	for lag := fastestRepeat; lag <= slowest; lag++ {
		if p.peak(lag) && p.r[lag] >= 0.8*top && p.goesOn(lag) {
			out.Rate = 1 / (p.refine(lag) * a.hopTime(1).Seconds())
			out.Strength = min(1, p.r[lag])
			break
		}
	}
	if out.Rate == 0 {
		out.Basis = "what repeats does so only once"
		return out
	}
	out.Known = true
	out.Sure = ramp(out.Strength, 0.2, 0.7) * ramp(out.From.Seconds()*out.Rate, 2, 6)
	out.Basis = fmt.Sprintf("onsets repeat with an autocorrelation of %.2f", out.Strength)
	return out
}
