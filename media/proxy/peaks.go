package proxy

import (
	"math"

	"omniscope/media"
)

// peaksPerSecond is how many values a second a waveform has.
const peaksPerSecond = 200

// A peakMeter keeps the largest amplitude of each part of a second, of any channel: in a
// mix of the channels those of opposite sign would be silence.
type peakMeter struct {
	peaks []byte
	in    int     // samples of the part so far
	peak  float32 // of it
}

func (m *peakMeter) add(c media.Chunk) error {
	part := c.Rate / peaksPerSecond
	for i := 0; i < len(c.Samples); i += c.Channels {
		if m.in == part || len(m.peaks) == 0 {
			m.peaks, m.in, m.peak = append(m.peaks, 0), 0, 0
		}
		m.in++
		for _, v := range c.Samples[i : i+c.Channels] {
			if v = max(v, -v); v > m.peak {
				m.peak = v
				m.peaks[len(m.peaks)-1] = byte(math.Round(min(float64(v), 1) * 255))
			}
		}
	}
	return nil
}
