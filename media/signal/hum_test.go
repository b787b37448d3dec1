package signal

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// quantized rounds samples to steps of 1/levels, without dither.
func quantized(x []float32, levels float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(math.Round(float64(v)*levels) / levels)
	}
	return out
}

// companded passes samples through µ-law (ITU-T G.711) as a curve with 256 steps.
func companded(x []float32) []float32 {
	const mu = 255
	out := make([]float32, len(x))
	for i, v := range x {
		y := math.Log1p(mu*math.Abs(float64(v))) / math.Log1p(mu)
		y = math.Round(y*127) / 127
		out[i] = float32(math.Copysign((math.Pow(1+mu, y)-1)/mu, float64(v)))
	}
	return out
}

func TestToneWithoutHum(t *testing.T) {
	for _, rate := range []int{8000, 44100, 48000} {
		for _, hz := range []float64{350, 425, 440, 1000, 1760, 2750} {
			x := tone(rate, 4, hz, -13)
			for name, x := range map[string][]float32{"16 bits": quantized(x, 32768), "8 bits": quantized(x, 128), "µ-law": companded(x)} {
				if f := measure(t, rate, 1, x); f.Hum.Present {
					t.Errorf("%.0f Hz at a rate of %d in %s: %+v", hz, rate, name, f.Hum)
				}
			}
		}
	}
}

func TestFaintCombIsNotHum(t *testing.T) {
	for _, c := range []struct {
		comb, noise float64 // dBFS
		want        bool
	}{
		{-40, -60, true}, {-60, -80, true}, {-68, -90, true},
		{-80, -100, false},                  // below what is heard
		{-50, -22, true}, {-60, -22, false}, // far below the rest of a steady sound
	} {
		x := mix(noise(44100, 6, 2000, 15000, c.noise, 4), comb(44100, 6, 50, c.comb))
		if c.noise < -50 {
			x = mix(x, noise(44100, 6, 3000, 15000, -42, 5))
		}
		f := measure(t, 44100, 1, x)
		if f.Hum.Present != c.want {
			t.Errorf("comb at %.0f dBFS, noise at %.0f: %+v", c.comb, c.noise, f.Hum)
		}
		if c.want {
			about(t, "level of the comb", f.Hum.Level, c.comb, 1.5)
		}
	}
}

// partialsOf is a held note with partials that fall by 6 dB an octave.
func partialsOf(hz float64, n int) []float32 {
	x := silence(44100, 4)
	for h := 1; h <= n; h++ {
		x = mix(x, tone(44100, 4, hz*float64(h), -16-20*math.Log10(float64(h))))
	}
	return x
}

func TestLowNotesAreNotHum(t *testing.T) {
	for _, c := range []struct {
		hz   float64
		n    int
		want bool
	}{
		{49, 8, false}, {98, 6, false}, {61.7, 8, false}, {51.9, 8, false}, {58.3, 8, false}, {55, 8, false},
		{100, 1, false}, {120, 1, false}, {50, 1, false}, {200, 1, false},
		{50, 4, true}, {60, 4, true}, {49.9, 4, true}, {60.2, 4, true}, // as far off as mains and tapes are
	} {
		if f := measure(t, 44100, 1, quantized(partialsOf(c.hz, c.n), 32768)); f.Hum.Present != c.want {
			t.Errorf("%d partials of %.1f Hz: %+v", c.n, c.hz, f.Hum)
		}
	}
}

func TestWhatIsNotNoise(t *testing.T) {
	calls := join(silence(44100, 0.3))
	for range 14 {
		calls = join(calls, gain(tone(44100, 0.12, 3000, -12), 0), silence(44100, 0.28))
	}
	for name, x := range map[string][]float32{
		"a high tone":                   tone(44100, 6, 7040, -13),
		"a very high tone":              tone(44100, 6, 12000, -13),
		"calls in a faint background":   mix(calls, noise(44100, 6, 20, 22000, -66, 2)),
		"one tone in 16 bits, 48 kHz":   tone(44100, 6, 5000, -40),
		"a high tone and a fainter one": mix(tone(44100, 6, 9000, -13), tone(44100, 6, 11000, -30)),
	} {
		f := measure(t, 44100, 1, quantized(x, 32768))
		for _, h := range f.Hints {
			if strings.Contains(h.Texture, "noise") {
				t.Errorf("%s: %+v", name, h)
			}
		}
	}
	for name, x := range map[string][]float32{
		"noise":               noise(44100, 6, 20, 22000, -30, 1),
		"noise over a rumble": mix(noise(44100, 6, 20, 15000, -40, 1), tone(44100, 6, 35, -20)),
	} {
		f := measure(t, 44100, 1, quantized(x, 32768))
		if !slices.ContainsFunc(f.Hints, func(h Hint) bool { return strings.HasPrefix(h.Texture, "steady broadband noise") && h.Sure > 0.5 }) {
			t.Errorf("%s: %+v", name, f.Hints)
		}
	}
}

func TestCombOfOtherSpacingIsNotHum(t *testing.T) {
	for _, spacing := range []float64{10, 20, 25, 30, 40, 50, 60} {
		x := noise(44100, 6, 20, 15000, -60, 4)
		for hz := spacing; hz < 500; hz += spacing {
			x = mix(x, tone(44100, 6, hz, -45))
		}
		f := measure(t, 44100, 1, x)
		if want := spacing >= 50; f.Hum.Present != want || want && f.Hum.Base != spacing {
			t.Errorf("lines every %.0f Hz: %+v", spacing, f.Hum)
		}
	}
}

func TestToneHasNoBandEdge(t *testing.T) {
	partials := func(hz float64, n int) []float32 {
		x := silence(44100, 3)
		for h := 1; h <= n; h++ {
			x = mix(x, tone(44100, 3, hz*float64(h), -20-20*math.Log10(float64(h))))
		}
		return x
	}
	sounds := make(map[string][]float32)
	for _, c := range []struct {
		hz float64
		n  int
	}{{110, 8}, {110, 30}, {220, 15}, {261.63, 8}, {330, 12}, {440, 8}} {
		sounds[fmt.Sprintf("%d partials of %.0f Hz", c.n, c.hz)] = partials(c.hz, c.n)
	}
	for _, to := range []float64{800, 3000, 5000} {
		x := make([]float32, seconds(44100, 5))
		phase := 0.0
		for i := range x {
			phase += 2 * math.Pi * (200 + (to-200)*float64(i)/float64(len(x))) / 44100
			x[i] = float32(0.3 * math.Sin(phase))
		}
		sounds[fmt.Sprintf("sweep to %.0f Hz", to)] = x
	}
	for name, x := range sounds {
		if f := measure(t, 44100, 1, mix(x, noise(44100, 5, 20, 22000, -90, 2))); f.Band.Known && f.Band.Sure >= 0.5 {
			t.Errorf("%s: %+v", name, f.Band)
		}
	}
}

func TestSoftMusicIsNoSilence(t *testing.T) {
	var soft []float32
	for _, hz := range []float64{220, 262, 294, 330, 196, 220, 262, 294, 330, 196} {
		soft = append(soft, mix(tone(44100, 0.5, hz, -52), tone(44100, 0.5, 2*hz, -58))...)
	}
	loud := noise(44100, 5, 60, 15000, -15, 1)
	f := measure(t, 44100, 1, mix(join(loud, soft, loud), noise(44100, 15, 60, 15000, -85, 2)))
	if len(f.Silences.Parts) > 0 {
		t.Errorf("music at -50 dBFS: %+v", f.Silences.Parts)
	}
	hum := comb(44100, 5, 50, -52)
	f = measure(t, 44100, 1, mix(join(loud, hum, loud), noise(44100, 15, 60, 15000, -85, 2)))
	if len(f.Silences.Parts) != 1 {
		t.Errorf("a pause with hum: %+v", f.Silences.Parts)
	}
}

// A long low note has lines where hum has them, and fades.
func TestLowNotesThatFade(t *testing.T) {
	for _, hz := range []float64{50, 60} {
		for _, long := range []float64{4, 6} {
			x := mix(melody(44100, 12, long, hz), noise(44100, 12, 50, 10000, -60, 1))
			if f := measure(t, 44100, 1, x); f.Hum.Present {
				t.Errorf("a note of %.0f Hz and %.0f s: %+v", hz, long, f.Hum)
			}
		}
	}
}
