package signal

import (
	"fmt"
	"math"
	"slices"
)

// humHarmonics is how many multiples of the mains frequency are looked at.
const humHarmonics = 4

// A humMeter looks at the lowest 450 Hz in windows of about a second and keeps,
// for each window, how far the mains frequencies stand out. What is quiet is
// only known at the end, so nothing is averaged before.
type humMeter struct {
	rate        float64
	fft         *fft
	window      []float64
	left, right []float64
	re, im      []float64
	power       []float64
	windows     []humWindow
}

// A humWindow holds how far each multiple of 50 and of 60 Hz stands above its
// neighbourhood, in dB.
type humWindow struct{ excess [2][humHarmonics]float32 }

// The mains frequencies, in Hz.
var mains = [2]float64{50, 60}

func newHumMeter(rate float64) *humMeter {
	n := 1024
	h := &humMeter{rate: rate, fft: newFFT(n)}
	h.window, _ = hann(n)
	h.re, h.im, h.power = make([]float64, n), make([]float64, n), make([]float64, n/2+1)
	return h
}

func (h *humMeter) add(left, right []float64) {
	h.left, h.right = append(h.left, left...), append(h.right, right...)
	n := h.fft.n
	for len(h.left) >= n {
		clear(h.im)
		for i, w := range h.window {
			h.re[i] = h.left[i] * w
		}
		if right != nil {
			for i, w := range h.window {
				h.im[i] = h.right[i] * w
			}
			h.right = append(h.right[:0], h.right[n/2:]...)
		}
		h.left = append(h.left[:0], h.left[n/2:]...)
		h.fft.transform(h.re, h.im)
		bothPowers(h.re, h.im, h.power)
		h.windows = append(h.windows, h.look())
	}
}

// span is the time of a window's start and end, in seconds.
func (h *humMeter) span(i int) (start, end float64) {
	half := float64(h.fft.n/2) / h.rate
	return float64(i) * half, float64(i+2) * half
}

// look measures the harmonics of both mains frequencies.
func (h *humMeter) look() (out humWindow) {
	perHz := float64(h.fft.n) / h.rate
	var around []float64
	for m, base := range mains {
		for i := range humHarmonics {
			at := int(math.Round(base * float64(i+1) * perHz))
			around = around[:0]
			// The neighbourhood is 4 to 9 Hz away: outside of the window's main
			// lobe, and nearer than the other comb's lines.
			for d := int(4 * perHz); d <= int(math.Ceil(9*perHz)); d++ {
				around = append(around, h.power[at-d], h.power[at+d])
			}
			slices.Sort(around)
			middle := around[len(around)/2]
			peak := max(h.power[at-1], h.power[at], h.power[at+1])
			out.excess[m][i] = float32(decibels(peak+1e-12) - decibels(middle+1e-12))
		}
	}
	return out
}

// How hum is judged.
const (
	humQuiet   = 8.0 // dB below the loud parts, to count as a pause
	leastHum   = 8.0 // dB of excess, mean of four lines
	humWindows = 3   // windows needed
	steadyHum  = 6.0 // dB of spread up to which all windows count
)

// mainsHum takes the windows that lie in pauses, or all if the sound is steady
// or speech, whose pitch never stays. Of each line the lower quartile over the windows counts: hum is always there,
// notes come and go.
func (a *Analyzer) mainsHum(f *Facts) Hum {
	out := Hum{}
	windows, all := a.humWindows(&f.Level)
	out.Pauses = true
	steady := f.Texture.Known && f.Texture.Steadiness < steadyHum
	if len(windows) < humWindows && (steady || f.Speech.Present && f.Speech.Share > 0.5) {
		windows, out.Pauses = all, false
	}
	if len(windows) < humWindows {
		out.Basis = "no pauses, and the sound is neither steady nor speech"
		return out
	}
	out.From = a.hopTime(hopsPerSecond / 2 * (len(windows) + 1))
	var excess [2]float64
	lines := [2]int{}
	for m := range mains {
		for i := range humHarmonics {
			var x []float64
			for _, w := range windows {
				x = append(x, float64(w.excess[m][i]))
			}
			slices.Sort(x)
			e := quantile(x, 0.25)
			excess[m] += min(30, max(0, e)) / humHarmonics
			if e > leastHum {
				lines[m]++
			}
		}
	}
	best := 0
	if excess[1] > excess[0] {
		best = 1
	}
	out.Base, out.Excess = mains[best], excess[best]
	out.Known = true
	out.Present = out.Excess >= leastHum && lines[best] >= 2 && excess[best] > excess[1-best]+3
	out.Sure = 1 - ramp(out.Excess, 0, leastHum)
	if out.Present {
		out.Sure = ramp(out.Excess, leastHum-4, 12) * ramp(float64(lines[best]), 0, 3)
	}
	out.Basis = fmt.Sprintf("%d of %d lines at multiples of %.0f Hz stand out, by %.1f dB in the mean", lines[best], humHarmonics, out.Base, out.Excess)
	return out
}

// humWindows returns the windows in pauses, and all that are not digital
// silence.
func (a *Analyzer) humWindows(l *Level) (pauses, all []humWindow) {
	levels := a.meter.levels
	hop := a.hopTime(1).Seconds()
	for i, w := range a.hum.windows {
		start, end := a.hum.span(i)
		from, to := int(start/hop), min(len(levels), int(end/hop))
		if from >= to {
			break
		}
		// Single hops above the limit do no harm; long ones do.
		part := sortedPart(levels, from, to)
		if part[0] <= -100 {
			continue
		}
		all = append(all, w)
		if quantile(part, 0.9) < l.Loud-humQuiet-4 {
			pauses = append(pauses, w)
		}
	}
	return pauses, all
}
