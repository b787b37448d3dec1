package segment

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/media/pdac"
)

// Energy takes loudness for speech. It needs no model, takes music and noise for speech,
// and is a substitute for SHAS's model.
//
// The level of a frame becomes a probability by a logistic function between
// the quietest and the loudest frames of the talk. A moving average over half a
// second makes longer pauses deeper than short ones.
type Energy struct{}

// How levels become probabilities.
const (
	quietest = 0.10 // this part of the frames is background
	loudest  = 0.95 // the rest is as loud as speech gets
	middle   = 0.35 // between those two the probability is a half
	average  = 25   // frames
	noSpeech = -70  // dBFS; a talk that is quieter throughout has no speech
)

// Origin says that this is a substitute.
func (Energy) Origin() origin { return origin{Name: "energy", Substitute: true} }

// Of returns the probabilities of a talk.
func (Energy) Of(ctx context.Context, t talkPart) ([]float64, error) {
	m := &powerMeter{power: make([]float64, t.Frames()), samples: make([]int, t.Frames())}
	f, err := media.Probe(ctx, t.path)
	if err != nil {
		return nil, err
	}
	if _, err := media.Speech(ctx, f, omniscope.Span{}, m); err != nil {
		return nil, err
	}
	return logistic(m.levels()), nil
}

// A powerMeter sums up the power of each frame of 16-bit samples at
// media.SpeechRate.
type powerMeter struct {
	power   []float64
	samples []int
	at      int // samples so far
}

func (m *powerMeter) Write(p []byte) (int, error) {
	for i := 0; i+1 < len(p) && len(m.power) > 0; i += 2 {
		v := float64(int16(binary.LittleEndian.Uint16(p[i:]))) / (1 << 15)
		k := min(int(float64(m.at)*pdac.FrameRate/media.SpeechRate), len(m.power)-1)
		m.power[k] += v * v
		m.samples[k]++
		m.at++
	}
	return len(p), nil
}

// levels are in dBFS, -100 at the least.
func (m *powerMeter) levels() []float64 {
	out := make([]float64, len(m.power))
	for i, p := range m.power {
		out[i] = 10 * math.Log10(p/float64(max(m.samples[i], 1))+1e-10)
	}
	return out
}

// logistic makes probabilities of the levels of a talk's frames.
func logistic(levels []float64) []float64 {
	out := make([]float64, len(levels))
	if len(levels) == 0 || slices.Max(levels) < noSpeech {
		return out
	}
	sorted := slices.Sorted(slices.Values(levels))
	floor, top := quantile(sorted, quietest), quantile(sorted, loudest)
	mid := floor + middle*(top-floor)
	scale := max((top-floor)/12, 0.5)
	for i, l := range levels {
		out[i] = 1 / (1 + math.Exp((mid-l)/scale))
	}
	return smoothed(out)
}

// quantile of sorted numbers, with linear interpolation.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// smoothed is the mean of the frames around each frame.
func smoothed(values []float64) []float64 {
	sums := make([]float64, len(values)+1)
	for i, v := range values {
		sums[i+1] = sums[i] + v
	}
	out := make([]float64, len(values))
	for i := range values {
		from, to := max(0, i-average/2), min(len(values), i+average/2+1)
		out[i] = min(max((sums[to]-sums[from])/float64(to-from), 0), 1)
	}
	return out
}

// A voice finds speech in mono sound at media.SpeechRate, such as a
// speech.Pack: a probability for each of its own frames.
type voice interface {
	Voice(ctx context.Context, samples []float32) ([]float32, error)
}

// A VoiceDetector takes the probabilities of a voice, as a substitute for
// SHAS's model. It holds a talk in memory, 230 MB for an hour.
type VoiceDetector struct {
	Name  string
	Voice voice
	Frame time.Duration // of the voice
}

// Origin says that this is a substitute.
func (d VoiceDetector) Origin() origin { return origin{Name: d.Name, Substitute: true} }

// Of returns the probabilities of a talk.
func (d VoiceDetector) Of(ctx context.Context, t talkPart) ([]float64, error) {
	f, err := media.Probe(ctx, t.path)
	if err != nil {
		return nil, err
	}
	samples := &floats{}
	if _, err := media.Speech(ctx, f, omniscope.Span{}, samples); err != nil {
		return nil, err
	}
	found, err := d.Voice.Voice(ctx, samples.list)
	if err != nil {
		return nil, err
	}
	return resampled(found, d.Frame.Seconds(), t.Frames()), nil
}

// floats collects 16-bit samples as numbers from -1 to 1.
type floats struct{ list []float32 }

func (f *floats) Write(p []byte) (int, error) {
	for i := 0; i+1 < len(p); i += 2 {
		f.list = append(f.list, float32(int16(binary.LittleEndian.Uint16(p[i:])))/(1<<15))
	}
	return len(p), nil
}

// resampled takes probabilities of frames of so many seconds to n frames of pdac, by linear
// interpolation between the middles of frames.
func resampled(from []float32, frame float64, n int) []float64 {
	out := make([]float64, n)
	if len(from) == 0 {
		return out
	}
	for i := range out {
		at := (float64(i)+0.5)/pdac.FrameRate/frame - 0.5
		j := int(math.Floor(at))
		a, b := from[min(max(j, 0), len(from)-1)], from[min(max(j+1, 0), len(from)-1)]
		out[i] = min(max(float64(a)+(at-math.Floor(at))*float64(b-a), 0), 1)
	}
	return out
}
