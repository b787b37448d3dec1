package fingerprint

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"sync"
	"time"

	"omniscope"
	"omniscope/media"
)

// Sound is compared at 4 kHz, over at most 20 s, and a quarter of a second around the offset, which
// is known to two steps of the fingerprint.
const (
	compareRate = 4000
	compareSpan = 20 * time.Second
	searchSpan  = 250 * time.Millisecond
	emphasis    = 0.8 // of the filter that keeps hum from deciding

	each = media.SpeechRate / compareRate
	taps = 16 * each // of the filter before samples are left out, else what codecs add at high frequencies is folded down
)

// Confirm listens to two files that compare found to sound alike. A proposal that it
// does not confirm becomes the zero Match; matches of other kinds are returned as they are.
func Confirm(ctx context.Context, a, b *media.File, m Match) (Match, error) {
	if m.Kind != Sounds {
		return m, nil
	}
	x, y, err := aligned(ctx, a, b, m.Offset)
	if err != nil {
		return Match{}, err
	}
	if m.Score = correlation(x, y, int(searchSpan.Seconds()*compareRate)); m.Score < leastCorrelation {
		return Match{}, nil
	}
	return m, nil
}

// aligned returns the middle of what two files have in common, that of a with a margin around it.
func aligned(ctx context.Context, a, b *media.File, offset time.Duration) (x, y []float64, err error) {
	in, other := a.SoundSpan(), b.SoundSpan()
	from, to := max(other.Start, in.Start-offset), min(other.End, in.End-offset) // media time of b
	if spare := to - from - compareSpan; spare > 0 {
		from, to = from+spare/2, to-spare/2
	}
	if y, err = hear(ctx, b, omniscope.Span{Start: from, End: to}); err != nil {
		return nil, nil, err
	}
	before := min(searchSpan, from+offset-in.Start)
	x, err = hear(ctx, a, omniscope.Span{Start: from + offset - before, End: to + offset + searchSpan})
	pad := make([]float64, int((searchSpan-before).Seconds()*compareRate))
	return append(pad, x...), y, err
}

// hear decodes a span at compareRate, its low frequencies lowered.
func hear(ctx context.Context, f *media.File, span omniscope.Span) ([]float64, error) {
	var pcm bytes.Buffer
	if _, err := media.Speech(ctx, f, span, &pcm); err != nil {
		return nil, err
	}
	samples := make([]float64, pcm.Len()/2)
	for i := range samples {
		samples[i] = float64(int16(binary.LittleEndian.Uint16(pcm.Bytes()[2*i:])))
	}
	out := make([]float64, max(0, len(samples)-taps)/each)
	before := 0.
	for i := range out {
		sum := 0.
		for j, weight := range lowPass() {
			sum += weight * samples[i*each+j]
		}
		out[i], before = sum-emphasis*before, sum
	}
	return out, nil
}

// lowPass is a windowed sinc that ends at 0.4 of compareRate.
var lowPass = sync.OnceValue(func() []float64 {
	h := make([]float64, taps+1)
	for i := range h {
		t := float64(i - taps/2)
		h[i] = 0.8 / each
		if t != 0 {
			h[i] = math.Sin(math.Pi*t*0.8/each) / (math.Pi * t)
		}
		h[i] *= 0.5 + 0.5*math.Cos(2*math.Pi*t/(taps+1))
	}
	return h
})

// correlation is the largest normalised correlation of y with a stretch of x, from 0 to 1, that starts at any of
// the first 2*search samples. Either sign counts: a copy may be inverted.
func correlation(x, y []float64, search int) (best float64) {
	energy := func(v []float64) (sum float64) {
		for _, s := range v {
			sum += s * s
		}
		return sum
	}
	for lag := 0; lag <= 2*search && lag < len(x); lag++ {
		n := min(len(y), len(x)-lag)
		if n < len(y)/2 {
			break
		}
		window, dot := x[lag:lag+n], 0.
		for i, s := range y[:n] {
			dot += s * window[i]
		}
		if power := energy(window) * energy(y[:n]); power > 0 {
			best = max(best, math.Abs(dot)/math.Sqrt(power))
		}
	}
	return best
}
