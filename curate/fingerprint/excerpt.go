package fingerprint

import (
	"context"
	"math"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/once"
	"omniscope/media"
	"omniscope/media/signal"
)

// Sound of less than about 3.3 s has too few words of chromaprint to be compared by them
// (wordsLeast). Its spectrum over time is looked for in that of the other file instead.
const (
	sketchHop    = compareRate / 20 // samples: 50 ms
	sketchWindow = 512              // samples: 128 ms
	sketchBands  = 16
	sketchLow    = 100.0 // Hz
	sketchHigh   = 1900.0
	sketchFloor  = 50.0 // dB below the loudest: what is lower counts as this

	// sketchSilence is the level of a band that noise of the last bit does not reach.
	sketchSilence = 60.0

	fewFrames     = 4   // pictures, one a second: with more, what has no digest is silent
	excerptLeast  = 14  // hops, 0.85 s with the window: the shortest excerpt that is looked for
	excerptVaries = 2.5 // dB: the least deviation of its spectrum over time, else any place is like it
	excerptLike   = 0.7 // least correlation of two spectra over time; samples confirm
)

// A Sketch is the spectrum of a file's sound over time, for excerpts that are too short
// for its words.
type Sketch struct {
	start time.Duration
	hops  [][sketchBands]float32 // dB
	heard bool                   // there is more than silence
}

// TooShort reports whether a file may have sound, but has too little of it for its words to
// be compared. Of files without a digest of their sound only short ones may.
func (f *Fingerprint) TooShort() bool {
	return sounding(f.Words) < wordsLeast && (f.Sound != "" || len(f.Words) == 0 && len(f.Frames) <= fewFrames)
}

// listen sketches the sound of a file.
func listen(ctx context.Context, f *media.File) (*Sketch, error) {
	if f.Audio == nil {
		return &Sketch{}, nil
	}
	samples, err := hear(ctx, f, omniscope.Span{})
	if err != nil {
		return nil, err
	}
	start := f.SoundSpan().Start
	s := &Sketch{start: start}
	top := math.Inf(-1)
	fft := signal.NewFFT(sketchWindow)
	window, _ := signal.Hann(sketchWindow)
	for at := 0; at+sketchWindow <= len(samples); at += sketchHop {
		hop := hopOf(fft, window, samples[at:at+sketchWindow])
		for _, level := range hop {
			top = max(top, float64(level))
		}
		s.hops = append(s.hops, hop)
	}
	s.heard = top > sketchSilence
	for i := range s.hops {
		for b := range s.hops[i] {
			s.hops[i][b] = max(s.hops[i][b], float32(top-sketchFloor))
		}
	}
	return s, nil
}

// hopOf gives the levels of one window of samples, in dB.
func hopOf(fft *signal.FFT, window, samples []float64) [sketchBands]float32 {
	var re, im [sketchWindow]float64
	for i, v := range samples {
		re[i] = v * window[i]
	}
	fft.Transform(re[:], im[:])
	return bandsOf(re[:], im[:])
}

// ListenTo sketches the sound of the file at a path.
func ListenTo(ctx context.Context, path string) (*Sketch, error) {
	f, err := media.Probe(ctx, path)
	if err != nil {
		return nil, err
	}
	return listen(ctx, f)
}

// Sketches keeps the sketches of files, each made when it is first asked for. The zero
// value is ready to use, by several goroutines.
type Sketches struct {
	mu  sync.Mutex
	all map[string]*once.Value[*Sketch] // by path
}

// Of returns the sketch of a file.
func (s *Sketches) Of(ctx context.Context, path string) (*Sketch, error) {
	s.mu.Lock()
	if s.all == nil {
		s.all = make(map[string]*once.Value[*Sketch])
	}
	v := s.all[path]
	if v == nil {
		v = &once.Value[*Sketch]{}
		s.all[path] = v
	}
	s.mu.Unlock()
	return v.Do(ctx, func() (*Sketch, error) { return ListenTo(ctx, path) })
}

// Heard reports whether there is more than silence.
func (s *Sketch) Heard() bool { return s.heard }

// Comparable reports whether there is sound enough, and enough change in it, to find it
// in another file.
func (s *Sketch) Comparable() bool {
	if !s.heard || len(s.hops) < excerptLeast {
		return false
	}
	_, energy := centred(s.hops)
	return math.Sqrt(energy/float64(sketchBands*len(s.hops))) >= excerptVaries
}

// Excerpt finds the place where the sound of the one with less of it is most like that
// of the other. It is a proposal, which Confirm makes sure of.
func Excerpt(a, b *Sketch) Match {
	short, long, sign := a, b, time.Duration(-1)
	if len(b.hops) < len(a.hops) {
		short, long, sign = b, a, 1
	}
	if !short.Comparable() {
		return Match{}
	}
	x, energy := centred(short.hops)
	best, at := 0.0, 0
	for offset := 0; offset+len(x) <= len(long.hops); offset++ {
		y, other := centred(long.hops[offset : offset+len(x)])
		dot := 0.0
		for i := range x {
			for k := range x[i] {
				dot += float64(x[i][k]) * float64(y[i][k])
			}
		}
		if likeness := dot / math.Sqrt(energy*other+1e-9); likeness > best {
			best, at = likeness, offset
		}
	}
	if best < excerptLike {
		return Match{}
	}
	return Match{Kind: Sounds, Score: best, Offset: a.start - b.start + sign*time.Duration(at)*sketchHop*time.Second/compareRate}
}

// centred takes from each band its mean over time, and returns what is left and its
// energy.
func centred(hops [][sketchBands]float32) (out [][sketchBands]float32, energy float64) {
	var mean [sketchBands]float32
	for i := range hops {
		for b, v := range hops[i] {
			mean[b] += v / float32(len(hops))
		}
	}
	out = make([][sketchBands]float32, len(hops))
	for i := range hops {
		for b, v := range hops[i] {
			out[i][b] = v - mean[b]
			energy += float64(out[i][b]) * float64(out[i][b])
		}
	}
	return out, energy
}

// bandsOf are the levels of bands that are evenly wide on a logarithmic scale.
func bandsOf(re, im []float64) (hop [sketchBands]float32) {
	edge := func(b int) int {
		return int(math.Round(sketchLow * math.Pow(sketchHigh/sketchLow, float64(b)/sketchBands) * sketchWindow / compareRate))
	}
	for b := range hop {
		sum := 1e-9
		for k := edge(b); k < max(edge(b)+1, edge(b+1)); k++ {
			sum += re[k]*re[k] + im[k]*im[k]
		}
		hop[b] = float32(10 * math.Log10(sum))
	}
	return hop
}
