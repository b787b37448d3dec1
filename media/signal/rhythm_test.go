package signal

import (
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
)

// ratesOf are all rates of a case, or the lowest.
func ratesOf(all bool, rates ...int) []int {
	if all {
		return rates
	}
	return rates[:1]
}

func TestMetronomeTempo(t *testing.T) {
	for _, bpm := range []float64{60, 90, 97.3, 120, 129.2, 160} {
		for _, rate := range ratesOf(bpm == 120, 16000, 44100, 48000) {
			x := mix(clicks(rate, 20, every(0.3, 60/bpm, 20), -15), noise(rate, 20, 50, 7000, -60, 2))
			f := measure(t, rate, 1, x)
			if !f.Tempo.Known || f.Tempo.Pulse < 0.6 {
				t.Errorf("%.0f a minute at %d Hz: %+v", bpm, rate, f.Tempo)
				continue
			}
			about(t, "tempo", f.Tempo.BPM, bpm, 0.004*bpm)
			about(t, "rate of repeats", f.Repeats.Rate, bpm/60, 0.004*bpm/60)
		}
	}
}

func TestFastMetronome(t *testing.T) {
	f := measure(t, 44100, 1, mix(clicks(44100, 20, every(0.3, 60/180.0, 20), -15), noise(44100, 20, 50, 7000, -60, 2)))
	about(t, "tempo, nearest to 120", f.Tempo.BPM, 90, 0.3)
	about(t, "rate of repeats", f.Repeats.Rate, 3, 0.01)
}

func TestNoTempoWithoutEnoughToGoBy(t *testing.T) {
	for name, x := range map[string][]float32{
		"9 s of beats":   clicks(44100, 9, every(0.3, 0.5, 9), -15),
		"uneven clicks":  clicks(44100, 20, []float64{0.5, 1.3, 1.9, 3.7, 4.1, 6.6, 7.05, 9.9, 10.4, 12.7, 13.1, 16, 16.4, 18.9}, -15),
		"noise":          noise(44100, 20, 50, 20000, -20, 3),
		"speech":         talk(44100, 20, 120),
		"a steady tone":  tone(44100, 20, 440, -20),
		"digital zeroes": silence(44100, 20),
	} {
		if f := measure(t, 44100, 1, x); f.Tempo.Known || f.Tempo.Basis == "" {
			t.Errorf("%s: %+v", name, f.Tempo)
		}
	}
}

func TestOnsets(t *testing.T) {
	at := []float64{0.4, 0.9, 1.55, 2.103, 3.007, 3.2, 4.444, 5.5}
	for _, rate := range []int{8000, 16000, 44100, 48000} {
		x := mix(clicks(rate, 6, at, -20), noise(rate, 6, 50, 0.45*float64(rate), -60, 2))
		f := measure(t, rate, 1, x)
		if len(f.Onsets.Times) != len(at) {
			t.Errorf("%d Hz: %d onsets, want %d: %+v", rate, len(f.Onsets.Times), len(at), f.Onsets.Times)
			continue
		}
		for i, o := range f.Onsets.Times {
			about(t, "onset", o.At.Seconds(), at[i], 0.0151)
		}
	}
}

func TestNoOnsetsInSteadyNoise(t *testing.T) {
	f := measure(t, 44100, 1, noise(44100, 20, 50, 20000, -20, 3))
	if n := len(f.Onsets.Times); n > 1 { // where it begins
		t.Errorf("%d onsets", n)
	}
}

func TestRepeatsHaveTheirRate(t *testing.T) {
	for _, hz := range []float64{0.5, 1, 2.5, 8, 12} {
		x := mix(clicks(44100, 10, every(0.2, 1/hz, 10), -15), noise(44100, 10, 50, 7000, -60, 2))
		f := measure(t, 44100, 1, x)
		if !f.Repeats.Known || f.Repeats.Sure < 0.5 {
			t.Errorf("%.1f Hz: %+v", hz, f.Repeats)
			continue
		}
		about(t, "rate", f.Repeats.Rate, hz, 0.01*hz)
	}
	if f := measure(t, 44100, 1, noise(44100, 10, 50, 20000, -20, 3)); f.Repeats.Known {
		t.Errorf("noise: %+v", f.Repeats)
	}
}

func TestBurstsStandOut(t *testing.T) {
	x := noise(44100, 8, 50, 10000, -50, 2)
	for _, at := range []float64{1, 3, 6} {
		copy(x[seconds(44100, at):], noise(44100, 0.3, 200, 5000, -20, 3))
	}
	f := measure(t, 44100, 1, x)
	if len(f.Bursts.Spans) != 3 {
		t.Fatalf("%+v", f.Bursts)
	}
	for i, want := range []float64{1, 3, 6} {
		about(t, "start", f.Bursts.Spans[i].Start.Seconds(), want, 0.051)
		about(t, "length", (f.Bursts.Spans[i].End - f.Bursts.Spans[i].Start).Seconds(), 0.3, 0.1)
		about(t, "height", f.Bursts.Spans[i].Above, 30, 1.5)
	}
	about(t, "bursts a minute", f.Bursts.PerMinute, 22.5, 0.1)
}

func TestSteadinessTellsNoiseFromSyllables(t *testing.T) {
	rain := measure(t, 44100, 1, noise(44100, 8, 50, 20000, -30, 3))
	if !rain.Texture.Steady || rain.Texture.Steadiness > 1 {
		t.Errorf("noise: %+v", rain.Texture)
	}
	voice := measure(t, 44100, 1, talk(44100, 8, 120))
	if voice.Texture.Steady || voice.Texture.Steadiness < 5 {
		t.Errorf("syllables: %+v", voice.Texture)
	}
}

func TestFactsWhileReading(t *testing.T) {
	a, err := New(44100, 1)
	fixture.OK(t, err)
	x := clicks(44100, 20, every(0.25, 0.5, 20), -15)
	a.Add(x[:5*44100])
	if f := a.Facts(); f.Duration != 5*time.Second || len(f.Onsets.Times) != 10 {
		t.Errorf("after 5 s: %v, %d onsets", f.Duration, len(f.Onsets.Times))
	}
	a.Add(x[5*44100:])
	if f := a.Facts(); f.Duration != 20*time.Second || len(f.Onsets.Times) != 40 {
		t.Errorf("after 20 s: %v, %d onsets", f.Duration, len(f.Onsets.Times))
	}
}
