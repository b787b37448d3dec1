package signal

import "testing"

func TestHeldNotes(t *testing.T) {
	scale := func(note float64) (x []float32) {
		for _, hz := range []float64{196, 222, 249, 263, 294, 329, 373, 397} {
			x = append(x, mix(tone(44100, note, hz, -20), tone(44100, note, 2*hz, -26))...)
		}
		return x
	}
	for name, c := range map[string]struct {
		x     []float32
		least float64 // share of the sound
		most  float64
	}{
		"a scale":      {scale(0.2), 0.8, 1},
		"a fast scale": {join(scale(0.12), scale(0.12)), 0.6, 1},
		"one tone":     {tone(44100, 2, 440, -20), 0.9, 1},
		"a low voice":  {talk(44100, 8, 110), 0, 0},
		"a high voice": {talk(44100, 8, 220), 0, 0},
		"noise":        {noise(44100, 3, 50, 15000, -20, 1), 0, 0},
	} {
		f := measure(t, 44100, 1, c.x)
		sum := 0.0
		for _, s := range f.Notes.Spans {
			sum += (s.End - s.Start).Seconds() / f.Duration.Seconds()
		}
		if sum < c.least || sum > c.most+0.01 {
			t.Errorf("%s: %.2f of it are held notes, want %.2f to %.2f: %v", name, sum, c.least, c.most, f.Notes.Spans)
		}
	}
}
