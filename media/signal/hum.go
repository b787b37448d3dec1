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
	channels    int
	fft         *FFT
	window      []float64
	left, right []float64
	re, im      []float64
	power       []float64
	around      []float64 // of line
	windows     []humWindow
}

// A humWindow holds how far each multiple of 50 and of 60 Hz stands above its
// neighbourhood, in dB, and its level in dBFS; and the same excess halfway
// between these lines, and for foreign.
type humWindow struct {
	excess, level [2][humHarmonics]float32
	halfway       [2][humHarmonics - 1]float32
	foreign       [len(foreign)]float32
}

// The mains frequencies, in Hz.
var mains = [2]float64{50, 60}

// foreign are frequencies, in Hz, at which mains hum has no lines. What a codec
// or a word length adds to a tone repeats with the common divisor of tone and
// sampling rate, such as 10, 20 or 40 Hz, and has lines there as well.
var foreign = [...]float64{70, 80, 110, 130, 140, 160, 170, 190, 220, 230}

func newHumMeter(rate float64, channels int) *humMeter {
	n := 1024
	h := &humMeter{rate: rate, channels: channels, fft: NewFFT(n)}
	h.window, _ = Hann(n)
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
		h.fft.Transform(h.re, h.im)
		bothPowers(h.re, h.im, h.power)
		h.windows = append(h.windows, h.look())
	}
}

// span is the time of a window's start and end, in seconds.
func (h *humMeter) span(i int) (start, end float64) {
	half := float64(h.fft.n/2) / h.rate
	return float64(i) * half, float64(i+2) * half
}

// look measures the harmonics of both mains frequencies, and what is foreign to
// them.
func (h *humMeter) look() (out humWindow) {
	n := float64(h.fft.n)
	// A sine of the amplitude A has a peak of (A·n/4)² through a Hann window.
	scale := 8 / (n * n * float64(h.channels))
	for m, base := range mains {
		for i := range humHarmonics {
			peak, excess := h.line(base * float64(i+1))
			out.excess[m][i], out.level[m][i] = float32(excess), float32(decibels(peak*scale))
		}
		for i := range out.halfway[m] {
			_, excess := h.line(base * (float64(i) + 1.5))
			out.halfway[m][i] = float32(excess)
		}
	}
	for i, hz := range foreign {
		_, excess := h.line(hz)
		out.foreign[i] = float32(excess)
	}
	return out
}

// line returns the power of the spectrum at a frequency and how far it stands
// above its neighbourhood, in dB; 0 at the slope of a line of another frequency,
// such as a note near by.
func (h *humMeter) line(hz float64) (peak, excess float64) {
	perHz := float64(h.fft.n) / h.rate
	at := int(math.Round(hz * perHz))
	around := h.around[:0]
	// The neighbourhood is 4 to 9 Hz away: outside of the window's main
	// lobe, and nearer than the other comb's lines.
	for d := int(4 * perHz); d <= int(math.Ceil(9*perHz)); d++ {
		around = append(around, h.power[at-d], h.power[at+d])
	}
	slices.Sort(around)
	h.around = around
	peak = max(h.power[at-1], h.power[at], h.power[at+1])
	if max(h.power[at-2], h.power[at+2]) > peak {
		return peak, 0
	}
	return peak, decibels(peak+1e-12) - decibels(around[len(around)/2]+1e-12)
}

// How hum is judged. Measured on tones without hum, in dB below the tone: 16 bits
// have their comb at 85 or less, 8 bits at 50, A-law and mu-law at 40, Opus at 50.
const (
	humQuiet       = 8.0   // dB below the loud parts, to count as a pause
	leastHum       = 8.0   // dB of excess, mean of four lines
	humWindows     = 3     // windows needed
	steadyHum      = 6.0   // dB of spread up to which all windows count
	humFloor       = -75.0 // dBFS of all lines; what is lower is not heard
	humUnderLoud   = 60.0  // dB below the loud parts, for hum in pauses and under speech
	humUnderSteady = 30.0  // dB below the rest, for hum amid steady sound, which may be a tone
	evenHum        = 7.0   // dB between the outer tenths of its level in pauses: a note fades
	mostHalfway    = 1     // lines halfway between those of hum
	humLines       = 45.0  // dB below the strongest line of the comb: what a tone leaves next to it
)

// mainsHum takes the windows that lie in pauses, or all if the sound is steady
// or speech, whose pitch never stays. Of each line the lower quartile over the windows counts: hum is always there,
// notes come and go.
func (a *Analyzer) mainsHum(f *Facts) Hum {
	out := Hum{}
	windows, all := a.humWindows(&f.Level)
	out.Pauses = true
	steady := f.Texture.Known && f.Texture.Steadiness < steadyHum
	speech := f.Speech.Present && f.Speech.Share > 0.5
	if len(windows) < humWindows && (steady || speech) {
		windows, out.Pauses = all, false
	}
	if len(windows) < humWindows {
		out.Basis = "no pauses, and the sound is neither steady nor speech"
		return out
	}
	out.From = a.hopTime(hopsPerSecond / 2 * (len(windows) + 1))
	least := max(humFloor, f.Level.Loud-humUnderLoud)
	if !out.Pauses && !speech {
		least = max(humFloor, f.Level.RMS-humUnderSteady)
	}
	out.weigh(windows, least)
	return out
}

// weigh measures the comb that stands out more and decides whether it is hum. Combs below the least level, in dBFS, are not
// heard.
func (h *Hum) weigh(windows []humWindow, least float64) {
	excess, lines := combs(windows)
	best := 0
	if excess[1] > excess[0] {
		best = 1
	}
	h.Base, h.Excess, h.Level = mains[best], excess[best], combLevel(windows, best)
	h.Known = true
	h.Sure = 1 - ramp(h.Excess, 0, leastHum)
	h.Basis = fmt.Sprintf("%d of %d lines at multiples of %.0f Hz stand out, by %.1f dB in the mean", lines[best], humHarmonics, h.Base, h.Excess)
	if h.Level < least && combLevel(windows, 1-best) < least {
		h.Sure, h.Basis = 1, h.Basis+fmt.Sprintf("; they have %.0f dBFS, too little to be heard as hum", h.Level)
		return
	}
	if h.Excess < leastHum || lines[best] < 2 || excess[best] <= excess[1-best]+3 {
		return
	}
	if change := combChange(windows, best); h.Pauses && change > evenHum {
		h.Sure, h.Basis = 0.5, h.Basis+fmt.Sprintf("; their level changes by %.0f dB, as that of a note", change)
		return
	}
	if halfway, others := otherLines(windows, best); halfway > mostHalfway || others >= lines[best] {
		h.Sure, h.Basis = 0.5, h.Basis+fmt.Sprintf("; so do %d lines that mains hum does not have", halfway+others)
		return
	}
	h.Present = true
	h.Sure = ramp(h.Excess, leastHum-4, 12) * ramp(float64(lines[best]), 0, 3)
}

// quartile is the lower quartile of a number of each window.
func quartile(windows []humWindow, of func(*humWindow) float32) float64 {
	x := make([]float64, len(windows))
	for i := range windows {
		x[i] = float64(of(&windows[i]))
	}
	slices.Sort(x)
	return quantile(x, 0.25)
}

// combs returns how far the lines of both combs stand out, and how many do.
func combs(windows []humWindow) (excess [2]float64, lines [2]int) {
	for m := range mains {
		levels, top := make([]float64, humHarmonics), silent
		for i := range levels {
			levels[i] = quartile(windows, func(w *humWindow) float32 { return w.level[m][i] })
			top = max(top, levels[i])
		}
		for i := range humHarmonics {
			e := quartile(windows, func(w *humWindow) float32 { return w.excess[m][i] })
			if levels[i] < top-humLines {
				continue
			}
			excess[m] += min(30, max(0, e)) / humHarmonics
			if e > leastHum {
				lines[m]++
			}
		}
	}
	return excess, lines
}

// combLevel is the level of all lines of a comb together, in dBFS.
func combLevel(windows []humWindow, m int) float64 {
	sum := 0.0
	for i := range humHarmonics {
		sum += math.Pow(10, quartile(windows, func(w *humWindow) float32 { return w.level[m][i] })/10)
	}
	return decibels(sum)
}

// combChange is how far the level of a comb is different from window to window: the
// distance of its outer tenths, in dB.
func combChange(windows []humWindow, m int) float64 {
	levels := make([]float64, len(windows))
	for i := range windows {
		levels[i] = combLevel(windows[i:i+1], m)
	}
	slices.Sort(levels)
	return quantile(levels, 0.9) - quantile(levels, 0.1)
}

// otherLines counts the lines that stand out where mains hum has none: halfway
// between those of a comb, and at foreign frequencies.
func otherLines(windows []humWindow, m int) (halfway, others int) {
	for i := range humHarmonics - 1 {
		if quartile(windows, func(w *humWindow) float32 { return w.halfway[m][i] }) > leastHum {
			halfway++
		}
	}
	for i := range foreign {
		if quartile(windows, func(w *humWindow) float32 { return w.foreign[i] }) > leastHum {
			others++
		}
	}
	return halfway, others
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
