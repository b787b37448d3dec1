package signal

import (
	"testing"

	"omniscope/internal/testing/fixture"
)

// BenchmarkAnalyzer reports the real-time factor: seconds of one core for a
// second of sound.
func BenchmarkAnalyzer(b *testing.B) {
	for _, c := range []struct {
		name           string
		rate, channels int
	}{
		{"44100 Hz stereo", 44100, 2}, {"48000 Hz stereo", 48000, 2}, {"16000 Hz mono", 16000, 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			const length = 20
			x := talk(c.rate, length, 120)
			if c.channels == 2 {
				x = stereo(x, noise(c.rate, length, 50, 7000, -40, 1))
			}
			for b.Loop() {
				a, err := New(c.rate, c.channels)
				fixture.OK(b, err)
				a.Add(x)
				if f := a.Facts(); !f.Level.Known {
					b.Fatal("nothing was measured")
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/length, "RTF")
		})
	}
}
