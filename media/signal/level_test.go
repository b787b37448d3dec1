package signal

import (
	"math"
	"reflect"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

func TestSineLevel(t *testing.T) {
	for _, rate := range []int{8000, 16000, 44100, 48000} {
		f := measure(t, rate, 1, tone(rate, 3, 1000, -23))
		about(t, "RMS", f.Level.RMS, -23, 0.02)
		about(t, "peak", f.Level.Peak, -19.99, 0.02)
		about(t, "crest", f.Level.Crest, 3.01, 0.03)
		about(t, "floor", f.Level.Floor, -23, 0.1)
		about(t, "range", f.Level.Range, 0, 0.1)
		if len(f.Level.Seconds) != 3 || f.Duration != 3*time.Second {
			t.Errorf("%d levels for %v", len(f.Level.Seconds), f.Duration)
		}
	}
}

func TestLevelRange(t *testing.T) {
	x := join(tone(44100, 4, 500, -40), tone(44100, 4, 500, -12))
	f := measure(t, 44100, 1, x)
	about(t, "floor", f.Level.Floor, -40, 0.2)
	about(t, "loud", f.Level.Loud, -12, 0.2)
	about(t, "range", f.Level.Range, 28, 0.3)
	about(t, "level in the first second", f.Level.Seconds[0], -40, 0.2)
	about(t, "level in the last second", f.Level.Seconds[7], -12, 0.1)
}

func TestOffsetAndRumbleIgnored(t *testing.T) {
	x := mix(clicks(44100, 6, []float64{2, 4}, -20), tone(44100, 6, 10, -12))
	for i := range x {
		x[i] += 0.1
	}
	f := measure(t, 44100, 1, x)
	about(t, "offset", f.Level.Offset, 0.1, 0.002)
	if f.Level.RMS < -12 {
		t.Errorf("RMS %.1f: all counts in it", f.Level.RMS)
	}
	if n := len(f.Bursts.Spans); n != 2 {
		t.Errorf("%d bursts, want the 2 clicks", n)
	}
}

func TestDigitalSilence(t *testing.T) {
	f := measure(t, 48000, 2, make([]float32, 2*48000*5))
	if !f.Silences.All || f.Level.Digital != 1 || f.Level.RMS != silent {
		t.Errorf("silences %+v, level %+v", f.Silences, f.Level)
	}
	if f.Speech.Present || f.Stereo.Known || f.Band.Known || f.Pitch.Known || f.Tempo.Known || f.Hints != nil || f.Clipping.PPM != 0 {
		t.Errorf("something was heard in silence: %+v", f)
	}
}

func TestNoSamples(t *testing.T) {
	f := measure(t, 44100, 2, nil)
	if f.Level.Known || f.Silences.Known || f.Speech.Known || f.Clipping.Known || f.Onsets.Known || f.Bursts.Known {
		t.Errorf("%+v", f)
	}
	if f.Level.Basis == "" || f.Speech.Basis == "" {
		t.Error("no reason is given")
	}
}

func TestSilencesAboveNoisyFloor(t *testing.T) {
	for _, floor := range []float64{-80, -60, -45} {
		rate := 44100
		x := join(tone(rate, 2, 700, -15), silence(rate, 1), tone(rate, 1.5, 700, -15), silence(rate, 0.5), tone(rate, 2, 700, -15), silence(rate, 0.2), tone(rate, 1, 700, -15))
		x = mix(x, noise(rate, 8.2, 100, 8000, floor, 2))
		f := measure(t, rate, 1, x)
		want := []omniscope.Span{{Start: 2 * time.Second, End: 3 * time.Second}, {Start: 4500 * time.Millisecond, End: 5 * time.Second}}
		if len(f.Silences.Spans) != len(want) {
			t.Errorf("floor %.0f: %d silences, want 2 (the third is too short): %+v", floor, len(f.Silences.Spans), f.Silences)
			continue
		}
		for i, s := range f.Silences.Spans {
			about(t, "start", s.Start.Seconds(), want[i].Start.Seconds(), 0.04)
			about(t, "end", s.End.Seconds(), want[i].End.Seconds(), 0.04)
			about(t, "level", s.Level, floor, 3)
		}
	}
}

func TestNoSilenceInSteadySound(t *testing.T) {
	f := measure(t, 44100, 1, noise(44100, 5, 50, 20000, -40, 4))
	if len(f.Silences.Spans) > 0 || f.Silences.All {
		t.Errorf("%+v", f.Silences)
	}
}

func TestClippedSamples(t *testing.T) {
	x := tone(44100, 1, 300, -30)
	for i := range 5 { // five runs of four
		for j := range 4 {
			x[1000+2000*i+j] = 1
		}
	}
	x[30000], x[30001] = -1, -1 // two are a peak
	f := measure(t, 44100, 1, x)
	about(t, "clipped", f.Clipping.PPM, 20/44100.0*1e6, 1e-6)
	if f.Clipping.Runs != 5 || f.Clipping.First != time.Second*1000/44100 {
		t.Errorf("%+v", f.Clipping)
	}
	if f := measure(t, 44100, 2, stereo(x, tone(44100, 1, 300, -30))); f.Clipping.Runs != 5 {
		t.Errorf("in one of two channels: %+v", f.Clipping)
	}
}

func TestClippingGrows(t *testing.T) {
	x, before := noise(44100, 4, 50, 2000, -14, 5), -1.0
	for _, db := range []float64{0, 6, 12} {
		f := measure(t, 44100, 1, limited(gain(x, db)))
		if f.Clipping.PPM <= before {
			t.Errorf("%+.0f dB: %.0f ppm after %.0f", db, f.Clipping.PPM, before)
		}
		before = f.Clipping.PPM
	}
	if f := measure(t, 44100, 1, gain(x, -10)); f.Clipping.PPM != 0 {
		t.Errorf("clean: %.0f ppm", f.Clipping.PPM)
	}
}

func TestCompareChannels(t *testing.T) {
	x, y := noise(44100, 3, 50, 15000, -20, 5), noise(44100, 3, 50, 15000, -20, 6)
	tests := []struct {
		name               string
		left, right        []float32
		balance, corr, by  float64
		dual, inverted, on bool
	}{
		{"the same on both sides", x, x, 0, 1, 1e-6, true, false, false},
		{"opposite phase", x, gain(x, 0), 0, 1, 1e-6, true, false, false},
		{"right 6 dB lower", x, gain(x, -6), -6, 1, 0.001, false, false, false},
		{"independent", x, y, 0, 0, 0.02, false, false, false},
		{"left only", x, make([]float32, len(x)), -100, 0, 0.1, false, false, true},
	}
	for i := range tests[1].right {
		tests[1].right[i] = -x[i]
	}
	tests[1].corr, tests[1].dual, tests[1].inverted = -1, false, true
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			f := measure(t, 44100, 2, stereo(c.left, c.right))
			about(t, "balance", f.Stereo.Balance, c.balance, c.by)
			about(t, "correlation", f.Stereo.Correlation, c.corr, max(c.by, 1e-3))
			if f.Stereo.DualMono != c.dual || f.Stereo.Inverted != c.inverted || f.Stereo.OneSided != c.on {
				t.Errorf("%+v", f.Stereo)
			}
		})
	}
	if f := measure(t, 44100, 1, x); f.Stereo.Known {
		t.Error("one channel has no stereo")
	}
}

func TestOppositePhaseDoesNotHideASound(t *testing.T) {
	x := talk(44100, 6, 120)
	y := gain(x, 0)
	for i := range y {
		y[i] = -y[i]
	}
	mono, inverted := measure(t, 44100, 1, x), measure(t, 44100, 2, stereo(x, y))
	about(t, "RMS", inverted.Level.RMS, mono.Level.RMS, 1e-9)
	about(t, "pitch", inverted.Pitch.Median, mono.Pitch.Median, 0.01)
	about(t, "centroid", inverted.Spectrum.Centroid, mono.Spectrum.Centroid, 0.01)
	if !reflect.DeepEqual(inverted.Speech.Spans, mono.Speech.Spans) || len(inverted.Onsets.Times) != len(mono.Onsets.Times) {
		t.Errorf("speech %+v, alone %+v", inverted.Speech, mono.Speech)
	}
}

func TestBlockLengths(t *testing.T) {
	x := stereo(talk(22050, 5, 150), noise(22050, 5, 100, 6000, -30, 8))
	whole, err := New(22050, 2)
	fixture.OK(t, err)
	whole.Add(x)
	for _, size := range []int{1, 7, 4096, 9999} {
		a, _ := New(22050, 2)
		for at := 0; at < len(x); at += size {
			a.Add(x[at:min(len(x), at+size)])
		}
		f, want := a.Facts(), whole.Facts()
		about(t, "RMS", f.Level.RMS, want.Level.RMS, 1e-9)
		f.Level, want.Level, f.Stereo, want.Stereo = Level{}, Level{}, Stereo{}, Stereo{}
		if f.Duration != want.Duration || !reflect.DeepEqual(f.Speech.Spans, want.Speech.Spans) ||
			math.Abs(f.Spectrum.Centroid-want.Spectrum.Centroid) > 1e-6 || !reflect.DeepEqual(f.Onsets, want.Onsets) {
			t.Errorf("blocks of %d: %+v\nwant %+v", size, f, want)
		}
	}
}

func TestNonFiniteSamples(t *testing.T) {
	x := tone(16000, 2, 400, -20)
	x[5], x[6], x[7] = float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))
	f := measure(t, 16000, 1, x)
	if f.Unusable != 3 {
		t.Errorf("%d unusable, want 3", f.Unusable)
	}
	about(t, "RMS", f.Level.RMS, -20, 0.02)
}

func TestInvalidSound(t *testing.T) {
	for _, c := range []struct{ rate, channels int }{{0, 1}, {44100, 0}, {44100, 3}, {1 << 20, 1}} {
		if _, err := New(c.rate, c.channels); err == nil {
			t.Errorf("%d Hz, %d channels: no error", c.rate, c.channels)
		}
	}
}
