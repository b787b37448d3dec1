package media

import (
	"context"
	"encoding/binary"
	"math"
	"time"

	"omniscope"
)

// Thumbnail returns the frame on the screen at a media time as a small JPEG, no wider and
// no higher than edge pixels.
func Thumbnail(ctx context.Context, f *File, at time.Duration, edge int) ([]byte, error) {
	if f.Video == nil {
		return nil, omniscope.Invalidf("%s has no picture", f.Path)
	}
	width, height := f.Video.Width, f.Video.Height
	scale := min(1, float64(edge)/float64(max(width, height, 1)))
	even := func(n int) int { return max(2, int(math.Round(float64(n)*scale/2))*2) }
	frames, err := FramesAt(ctx, f, Policy{Count: Spread, Width: even(width), Height: even(height), Quality: 6}, []time.Duration{at}, "")
	if err != nil {
		return nil, err
	}
	if len(frames.Frames) == 0 {
		return nil, omniscope.Invalidf("%s has no frame at %s", f.Path, at)
	}
	return frames.Frames[0].Bytes()
}

// Peaks returns the largest amplitude, from 0 to 1, of n equal parts of a span of the
// sound, mixed down to one channel; the zero Span is the whole file.
func Peaks(ctx context.Context, f *File, span omniscope.Span, n int) ([]float64, error) {
	var steps peakMeter
	if _, err := Speech(ctx, f, span, &steps); err != nil {
		return nil, err
	}
	return steps.parts(n), nil
}

// peakMeter keeps the peak of each hundredth of a second of speech samples.
type peakMeter struct {
	peaks []float64
	in    int // samples of the last step
	odd   []byte
}

const peakStep = SpeechRate / 100

func (m *peakMeter) Write(p []byte) (int, error) {
	data := append(m.odd, p...)
	for ; len(data) >= 2; data = data[2:] {
		if m.in == 0 {
			m.peaks = append(m.peaks, 0)
		}
		amplitude := math.Abs(float64(int16(binary.LittleEndian.Uint16(data)))) / 32768
		last := &m.peaks[len(m.peaks)-1]
		*last = max(*last, amplitude)
		m.in = (m.in + 1) % peakStep
	}
	m.odd = append(m.odd[:0:0], data...)
	return len(p), nil
}

func (m *peakMeter) parts(n int) []float64 {
	out := make([]float64, n)
	for i, peak := range m.peaks {
		part := &out[i*n/len(m.peaks)]
		*part = max(*part, peak)
	}
	return out
}
