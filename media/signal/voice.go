package signal

import (
	"math"
	"slices"
)

// The pitches of speaking voices, in Hz.
const (
	lowestVoice  = 70.0
	highestVoice = 420.0
)

// likeness is how much a window is like speech, 0 to 1. Every trait must be
// there, so the product is taken: music fails by even pitches or little depth,
// calls and cries by their pitch or their length, noise by all.
//
// The bounds were set by hand on windows of six recordings of speech, of nine
// synthetic voices in eight languages, and of 25 minutes of music, nature and
// machines. They fit those; other recordings will do worse.
func (s syllables) likeness() float64 {
	return ramp(s.voiced, 0.05, 0.18) *
		ramp(s.runs, 0.5, 1.6) *
		ramp(s.longest, 1.0, 0.6) *
		ramp(s.movement, 0.09, 0.16) *
		ramp(s.movement, 1.1, 0.75) *
		ramp(s.high, 0.4, 0.15) *
		ramp(s.pitch, 330, 270) *
		ramp(s.depth, 4.5, 8) *
		ramp(s.low, 0.05, 0.2) *
		ramp(s.rhythm, 0.08, 0.2) *
		ramp(s.flatness, 0.06, 0.03) *
		ramp(s.change, 1.5, 2.2) *
		ramp(s.contrast, -2, 1.5)
}

// syllables is what a window shows of a voice.
type syllables struct {
	voiced   float64 // share of frames in gliding stretches at a voice's pitch
	runs     float64 // such stretches a second
	longest  float64 // of them, s
	movement float64 // mean change of the pitch over 20 ms, semitones
	pitch    float64 // median, Hz
	high     float64 // share of the pitches that are too high for a voice
	depth    float64 // standard deviation of the speech band's level, dB
	low      float64 // share of frames 15 dB under the loud ones
	rhythm   float64 // share of the level's modulation between 2 and 8 Hz
	flatness float64 // median in the stretches
	change   float64 // median change of the spectrum in the stretches, dB
	contrast float64 // level of the stretches less that of other loud frames, dB
}

// A watch observes windows of one width.
type watch struct {
	window   []float64
	cos, sin []float64
}

func newWatch(width int) *watch {
	w := &watch{}
	w.window, _ = Hann(width)
	for i := range width {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(width))
		w.cos, w.sin = append(w.cos, c), append(w.sin, s)
	}
	return w
}

// observe measures a window.
func (w *watch) observe(voices []voicing, shapes []shape) syllables {
	var s syllables
	n := float64(len(voices))
	t := tones(voices)
	stretches := glides(t)
	inside := make([]bool, len(voices))
	var moves, pitches, flat, change []float64
	voiced, longest := 0, 0
	for _, r := range stretches {
		voiced += r[1] - r[0]
		longest = max(longest, r[1]-r[0])
		for i := r[0]; i < r[1]; i++ {
			inside[i] = true
			pitches = append(pitches, t[i])
			flat = append(flat, float64(shapes[i].flatness))
			change = append(change, float64(shapes[i].change))
			if i > r[0] {
				moves = append(moves, math.Abs(t[i]-t[i-1]))
			}
		}
	}
	if voiced == 0 {
		return s
	}
	over := 0.0
	for _, v := range voices {
		if v.hz > highestVoice {
			over++
		}
	}
	s.voiced, s.longest = float64(voiced)/n, 0.02*float64(longest)
	s.runs = float64(len(stretches)) / (0.02 * n)
	s.movement, s.flatness, s.change = mean(moves), median(flat), median(change)
	s.pitch = 55 * math.Exp2(median(pitches)/12)
	s.high = over / (over + float64(voiced))
	w.levels(&s, inside, shapes)
	return s
}

// levels measures how the level of the speech band moves, and how far the
// stretches stand out.
func (w *watch) levels(s *syllables, inside []bool, shapes []shape) {
	levels := make([]float64, len(shapes))
	for i, h := range shapes {
		levels[i] = float64(h.level)
	}
	top := quantile(slices.Sorted(slices.Values(levels)), 0.95)
	if top < quietestVoice {
		return
	}
	var in, out []float64
	for i, l := range levels {
		if l < top-15 {
			s.low += 1 / float64(len(levels))
		}
		switch {
		case inside[i]:
			in = append(in, l)
		case l > top-25:
			out = append(out, l)
		}
		levels[i] = max(l, top-40)
	}
	s.contrast = 10
	if len(out) > 0 {
		s.contrast = mean(in) - mean(out)
	}
	s.depth = deviation(levels)
	s.rhythm = w.modulation(levels, 2, 8)
}

// tones turns pitches of voices into semitones over 55 Hz, all others into 0.
func tones(voices []voicing) []float64 {
	out := make([]float64, len(voices))
	for i, v := range voices {
		if v.hz >= lowestVoice && v.hz <= highestVoice {
			out[i] = 12 * math.Log2(float64(v.hz)/55)
		}
	}
	return out
}

// glides returns the stretches of at least 60 ms whose pitch moves by less than
// two semitones from frame to frame.
func glides(tones []float64) (out [][2]int) {
	start := 0
	for i := 1; i <= len(tones); i++ {
		if i < len(tones) && tones[i] > 0 && tones[i-1] > 0 && math.Abs(tones[i]-tones[i-1]) < 2 {
			continue
		}
		if i-start >= 3 && tones[start] > 0 {
			out = append(out, [2]int{start, i})
		}
		start = i
	}
	return out
}

// modulation is the share of the variance of x, 50 values a second, that lies
// between two frequencies in Hz, of all between 0.5 and 25 Hz.
func (w *watch) modulation(x []float64, low, high float64) float64 {
	n := len(x)
	m := mean(x)
	for i := range x {
		x[i] = (x[i] - m) * w.window[i]
	}
	part, all := 0.0, 0.0
	for k := 1; k <= n/2; k++ {
		hz := 50 * float64(k) / float64(n)
		if hz < 0.5 {
			continue
		}
		re, im, at := 0.0, 0.0, 0
		for _, v := range x {
			re += v * w.cos[at]
			im += v * w.sin[at]
			if at += k; at >= n {
				at -= n
			}
		}
		p := re*re + im*im
		all += p
		if hz >= low && hz < high {
			part += p
		}
	}
	return part / (all + 1e-12)
}
