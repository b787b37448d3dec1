package signal

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// How bursts are found. Spans are in steps of 5 hops.
const (
	burstStep    = 5
	burstAround  = 40   // steps on either side: 2 s
	burstOver    = 10.0 // dB over the surroundings
	longestBurst = 30   // steps: 1.5 s
	burstFalls   = 3.0  // dB that it is quieter beside it
	leastBursts  = 20   // steps: 1 s
	shortBurst   = 100 * time.Millisecond
	steadyUnder  = 4.0 // dB
)

// texture measures how the level moves.
func (a *Analyzer) texture(quiet []bool) Texture {
	levels := a.meter.levels
	out := Texture{}
	var sounding []float64
	for i := 0; i+20 <= len(levels); i += 10 {
		if !slices.Contains(quiet[i:i+20], true) {
			sounding = append(sounding, meanLevel(levels[i:i+20]))
		}
	}
	out.From = a.hopTime(10 * len(sounding))
	if len(sounding) < 5 {
		out.Basis = "less than 0.5 s between silences"
		return out
	}
	slices.Sort(sounding)
	out.Steadiness = quantile(sounding, 0.9) - quantile(sounding, 0.1)
	out.Steady = out.Steadiness < steadyUnder
	out.Known = true
	out.Sure = ramp(out.From.Seconds(), 0, 3)
	out.Basis = fmt.Sprintf("levels of 200 ms spread over %.1f dB", out.Steadiness)
	return out
}

// bursts finds short sounds above their surroundings, which are the lower third
// of the levels within two seconds.
func (a *Analyzer) bursts() Bursts {
	out := Bursts{Evidence: Evidence{From: a.hopTime(len(a.meter.levels))}}
	steps := smoothLevels(a.meter.levels, burstStep, burstStep)
	if len(steps) < leastBursts {
		out.Basis = "less than 1 s of sound"
		return out
	}
	base := surroundings(steps)
	loud := make([]bool, len(steps))
	for i, l := range steps {
		loud[i] = l > base[i]+burstOver
	}
	closeGaps(loud, 1)
	above := 0.0
	for _, r := range runs(loud, 1) {
		if r[1]-r[0] > longestBurst || !fallsOff(steps, r[0], r[1]) {
			continue
		}
		b := Burst{Span: a.hopSpan(r[0]*burstStep, r[1]*burstStep), Above: slices.Max(steps[r[0]:r[1]]) - base[r[0]]}
		out.Spans = append(out.Spans, b)
		above += b.Above
	}
	n := float64(len(out.Spans))
	out.PerMinute = 60 * n / out.From.Seconds()
	out.Known, out.Sure = true, 0.8
	if n > 0 {
		out.Sure = ramp(above/n, burstOver-5, 2*burstOver)
	}
	out.Basis = fmt.Sprintf("%d stretches of up to 1.5 s at least %.0f dB over the lower third within 2 s", len(out.Spans), burstOver)
	return out
}

// fallsOff reports whether it is quieter right before and right after a stretch:
// else only its surroundings changed.
func fallsOff(steps []float64, from, to int) bool {
	top := slices.Max(steps[from:to])
	return (from == 0 || steps[from-1] < top-burstFalls) && (to == len(steps) || steps[to] < top-burstFalls)
}

// surroundings is the lower third of the levels near each step, taken anew every
// fourth.
func surroundings(steps []float64) []float64 {
	base := make([]float64, len(steps))
	var around []float64
	for i := range steps {
		if i%4 > 0 {
			base[i] = base[i-1]
			continue
		}
		around = append(around[:0], steps[max(0, i-burstAround):min(len(steps), i+burstAround+1)]...)
		slices.Sort(around)
		base[i] = max(alwaysSilent, quantile(around, 0.33))
	}
	return base
}

// register sums up the pitches of what sounds. A pitch counts if its neighbour
// has nearly the same: single stretches are mostly chance.
func (a *Analyzer) register(quiet []bool) Pitch {
	out := Pitch{}
	var hz []float64
	sounding := 0
	track := a.pitch.out
	for i, v := range track {
		if 2*i >= len(quiet) || quiet[2*i] {
			continue
		}
		sounding++
		if v.hz > 0 && !v.higher && (i > 0 && near(v.hz, track[i-1].hz) || i+1 < len(track) && near(v.hz, track[i+1].hz)) {
			hz = append(hz, float64(v.hz))
		}
	}
	out.From = a.hopTime(2 * len(hz))
	if out.From.Seconds() < 0.3 {
		out.Basis = "less than 0.3 s with a pitch between 60 and 800 Hz"
		return out
	}
	slices.Sort(hz)
	out.Median, out.Low, out.High = quantile(hz, 0.5), quantile(hz, 0.1), quantile(hz, 0.9)
	out.Share = float64(len(hz)) / float64(sounding)
	out.Known = true
	out.Sure = ramp(out.From.Seconds(), 0, 2) * ramp(out.Share, 0, 0.3)
	out.Basis = fmt.Sprintf("YIN on %d stretches of 40 ms", len(hz))
	return out
}

// near says whether two pitches follow each other: 12 % is two semitones.
func near(a, b float32) bool {
	return a > 0 && b > 0 && math.Abs(float64(a-b)) < 0.12*float64(a)
}
