package signal

import (
	"math"
	"testing"
)

func TestBandEdge(t *testing.T) {
	for _, c := range []struct {
		rate int
		edge float64
	}{
		{44100, 3400}, {44100, 5500}, {44100, 8000}, {44100, 11000}, {44100, 16000}, {44100, 20000},
		{48000, 8000}, {16000, 3400}, {16000, 7000}, {8000, 3400},
	} {
		x := mix(noise(c.rate, 4, 50, c.edge, -20, 1), noise(c.rate, 4, 20, 0.5*float64(c.rate), -90, 2))
		f := measure(t, c.rate, 1, x)
		if !f.Band.Known || f.Band.Sure < 0.9 {
			t.Errorf("%d Hz, cut off at %.0f: %+v", c.rate, c.edge, f.Band)
			continue
		}
		about(t, "edge", f.Band.Edge, c.edge, 60)
	}
}

func TestBandEdgeUnderVoice(t *testing.T) {
	x := mix(talk(44100, 8, 130), noise(44100, 8, 50, 6000, -50, 2), noise(44100, 8, 20, 22000, -95, 3))
	f := measure(t, 44100, 1, x)
	if f.Band.Known && f.Band.Edge < 5800 {
		t.Errorf("%+v: hiss of the voice lies above", f.Band)
	}
}

func TestNoBandEdgeInFallingSpectrum(t *testing.T) {
	pink := noise(44100, 5, 20, 22050, -20, 3)
	last := 0.0
	for i, v := range pink { // one-pole low-pass at 300 Hz: 6 dB per octave
		last += 0.042 * (float64(v) - last)
		pink[i] = float32(last)
	}
	for name, x := range map[string][]float32{"white": noise(44100, 5, 20, 22050, -20, 3), "falling": pink} {
		if f := measure(t, 44100, 1, x); f.Band.Known {
			t.Errorf("%s noise: %+v", name, f.Band)
		}
	}
}

func TestSpectrum(t *testing.T) {
	f := measure(t, 44100, 1, tone(44100, 2, 1000, -20))
	about(t, "centroid of a tone", f.Spectrum.Centroid, 1000, 2)
	about(t, "middle", f.Spectrum.Middle, 1, 1e-3)
	about(t, "flatness of a tone", f.Spectrum.Flatness, 0, 0.01)
	f = measure(t, 44100, 1, noise(44100, 5, 20, 22050, -20, 3))
	about(t, "centroid of white noise", f.Spectrum.Centroid, 11025, 60)
	about(t, "tilt of white noise", f.Spectrum.Tilt, 0, 0.25)
	about(t, "flatness of white noise", f.Spectrum.Flatness, math.Exp(-0.5772), 0.03)
	about(t, "shares", f.Spectrum.Low+f.Spectrum.Middle+f.Spectrum.High, 1, 1e-9)
}

func TestMainsHumInPauses(t *testing.T) {
	voice := talk(44100, 10, 140)
	room := noise(44100, 14, 50, 10000, -70, 4)
	x := mix(join(voice[:seconds(44100, 5)], silence(44100, 4), voice[seconds(44100, 5):]), room)
	for _, base := range []float64{50, 60} {
		for _, level := range []float64{-40, -50} {
			f := measure(t, 44100, 1, mix(x, comb(44100, 14, base, level)))
			if !f.Hum.Present || f.Hum.Base != base || !f.Hum.Pauses || f.Hum.Excess < 15 {
				t.Errorf("%.0f Hz at %.0f dBFS: %+v", base, level, f.Hum)
			}
		}
	}
	if f := measure(t, 44100, 1, x); !f.Hum.Known || f.Hum.Present || f.Hum.Excess > 4 {
		t.Errorf("no hum: %+v", f.Hum)
	}
}

func TestMainsHumInSteadySound(t *testing.T) {
	x := noise(48000, 8, 20, 15000, -30, 4)
	if f := measure(t, 48000, 1, mix(x, comb(48000, 8, 50, -40))); !f.Hum.Present || f.Hum.Base != 50 || f.Hum.Pauses {
		t.Errorf("%+v", f.Hum)
	}
	if f := measure(t, 48000, 1, x); !f.Hum.Known || f.Hum.Present {
		t.Errorf("no hum: %+v", f.Hum)
	}
}

func TestBassNotesNotHum(t *testing.T) {
	x := melody(44100, 12, 0.4, 49, 98, 65.4, 55, 73.4)
	if f := measure(t, 44100, 1, x); f.Hum.Present {
		t.Errorf("%+v", f.Hum)
	}
}

func TestPitchRange(t *testing.T) {
	for _, rate := range []int{8000, 16000, 44100, 48000} {
		for _, hz := range []float64{70, 110, 220, 440, 700} {
			x := silence(rate, 2)
			for h := 1.0; h <= 5; h++ {
				x = mix(x, tone(rate, 2, h*hz, -20-3*h))
			}
			f := measure(t, rate, 1, x)
			if !f.Pitch.Known {
				t.Errorf("%.0f Hz at a rate of %d: %+v", hz, rate, f.Pitch)
				continue
			}
			about(t, "pitch", f.Pitch.Median, hz, 0.01*hz)
			about(t, "share", f.Pitch.Share, 1, 0.05)
		}
	}
	if f := measure(t, 44100, 1, noise(44100, 4, 50, 20000, -20, 3)); f.Pitch.Known {
		t.Errorf("noise has no pitch: %+v", f.Pitch)
	}
}

func TestGlidingPitch(t *testing.T) {
	x := make([]float32, seconds(44100, 4))
	phase := 0.0
	for i := range x { // 100 to 200 Hz, evenly in time
		phase += 2 * math.Pi * (100 + 100*float64(i)/float64(len(x))) / 44100
		x[i] = float32(0.2*math.Sin(phase) + 0.1*math.Sin(2*phase))
	}
	f := measure(t, 44100, 1, x)
	about(t, "low", f.Pitch.Low, 110, 2)
	about(t, "median", f.Pitch.Median, 150, 2)
	about(t, "high", f.Pitch.High, 190, 2)
}
