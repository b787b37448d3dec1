package signal

import (
	"math"
	"slices"
	"testing"
)

func TestVoice(t *testing.T) {
	for _, pitch := range []float64{100, 140, 210} {
		for _, rate := range ratesOf(pitch == 140, 8000, 16000, 44100, 48000) {
			f := measure(t, rate, 1, talk(rate, 8, pitch))
			if !f.Speech.Present || f.Speech.Sure < 0.6 {
				t.Errorf("%.0f Hz at a rate of %d: %+v", pitch, rate, f.Speech)
			}
			about(t, "pitch", f.Pitch.Median, pitch, 0.12*pitch)
		}
	}
}

func TestVoiceBetweenOtherSounds(t *testing.T) {
	rate := 44100
	x := mix(join(silence(rate, 6), talk(rate, 8, 130), silence(rate, 6)), noise(rate, 20, 50, 15000, -60, 3))
	f := measure(t, rate, 1, x)
	if len(f.Speech.Spans) != 1 {
		t.Fatalf("%+v", f.Speech)
	}
	s := f.Speech.Spans[0]
	about(t, "start", s.Start.Seconds(), 6, 0.5)
	about(t, "end", s.End.Seconds(), 14, 0.5)
	about(t, "share", f.Speech.Share, 0.4, 0.05)
}

func TestSoundsWithoutVoice(t *testing.T) {
	rate := 44100
	for name, x := range map[string][]float32{
		"white noise":                noise(rate, 10, 20, 22050, -20, 3),
		"low noise":                  noise(rate, 10, 20, 400, -20, 3),
		"noise in syllable rhythm":   pulsing(noise(rate, 10, 100, 6000, -20, 3), rate, 4),
		"a tone in syllable rhythm":  pulsing(tone(rate, 10, 150, -20), rate, 4),
		"a melody":                   melody(rate, 10, 0.25, 220, 247, 262, 294, 330, 196),
		"a slow low melody":          melody(rate, 10, 0.6, 110, 131, 98, 123),
		"vibrato":                    wobble(rate, 10, 220, 0.03, 5.5),
		"a siren":                    wobble(rate, 10, 500, 0.3, 0.4),
		"a low siren in the rhythm":  pulsing(wobble(rate, 10, 250, 0.2, 0.5), rate, 3),
		"a steady tone":              tone(rate, 10, 200, -20),
		"clicks":                     clicks(rate, 10, every(0.1, 0.25, 10), -20),
		"clicks over hum":            mix(clicks(rate, 10, every(0.1, 0.33, 10), -20), comb(rate, 10, 50, -30)),
		"a voice too quiet to trust": gain(talk(rate, 10, 120), -60),
	} {
		if f := measure(t, rate, 1, x); f.Speech.Present {
			t.Errorf("%s: %+v", name, f.Speech)
		}
	}
}

// pulsing raises and lowers a sound so many times a second.
func pulsing(x []float32, rate int, hz float64) []float32 {
	for i := range x {
		x[i] *= float32(0.5 - 0.5*math.Cos(2*math.Pi*hz*float64(i)/float64(rate)))
	}
	return x
}

// wobble is a tone with four harmonics whose pitch swings by a share of itself.
func wobble(rate int, s, hz, depth, swing float64) []float32 {
	x := make([]float32, seconds(rate, s))
	phase := 0.0
	for i := range x {
		phase += 2 * math.Pi * hz * (1 + depth*math.Sin(2*math.Pi*swing*float64(i)/float64(rate))) / float64(rate)
		for h := 1.0; h <= 4; h++ {
			x[i] += float32(0.1 / h * math.Sin(h*phase))
		}
	}
	return x
}

func TestHints(t *testing.T) {
	rate := 44100
	for _, c := range []struct {
		name   string
		x      []float32
		source string
	}{
		{"white noise", noise(rate, 8, 50, 20000, -30, 3), "rain"},
		{"low noise", noise(rate, 8, 50, 3500, -30, 3), "wind"},
		{"slowly swelling noise", pulsing(noise(rate, 16, 50, 6000, -20, 3), rate, 0.15), "waves"},
		{"even clicks", mix(clicks(rate, 10, every(0.3, 1, 10), -20), noise(rate, 10, 50, 10000, -65, 3)), "a clock"},
		{"uneven clicks", mix(clicks(rate, 6, []float64{0.2, 0.5, 1.2, 1.4, 1.9, 2.7, 2.95, 3.8, 4.1, 4.9, 5.3, 5.45}, -20), noise(rate, 6, 50, 10000, -65, 3)), "a crackling fire"},
		{"mains hum", mix(noise(rate, 6, 50, 10000, -50, 3), comb(rate, 6, 50, -40)), "mains hum in the recording"},
		{"a held note", melody(rate, 6, 1.5, 220, 262), "an instrument"},
	} {
		f := measure(t, rate, 1, c.x)
		found := slices.ContainsFunc(f.Hints, func(h Hint) bool { return slices.Contains(h.ConsistentWith, c.source) })
		if !found {
			t.Errorf("%s: %q is not among %+v (%+v %+v)", c.name, c.source, f.Hints, f.Texture, f.Spectrum)
		}
		for _, h := range f.Hints {
			if len(h.ConsistentWith) < 2 && h.Sure > 0 {
				t.Errorf("%s: one source alone is a claim: %+v", c.name, h)
			}
		}
	}
}
