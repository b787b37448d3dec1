package speech

import (
	"context"
	"fmt"
	"slices"
	"time"

	"omniscope/media"
	"omniscope/perceive/speech/onnx"
)

// frameSamples is how many samples at media.SpeechRate a frame of the voice
// detector has, 32 ms. The detector also sees the end of the frame before.
const (
	frameSamples = 512
	seenBefore   = 64
)

// Frame is how long a frame is.
const Frame = frameSamples * time.Second / media.SpeechRate

// Voice returns, for each frame of mono sound at media.SpeechRate, samples
// between -1 and 1, the probability that somebody speaks. The last frame is
// filled up with silence.
func (p *Pack) Voice(ctx context.Context, samples []float32) ([]float32, error) {
	state := onnx.Floats(make([]float32, 2*128), 2, 1, 128)
	rate := onnx.Ints([]int64{media.SpeechRate})
	window := make([]float32, seenBefore+frameSamples)
	var list []float32
	for at := 0; at < len(samples); at += frameSamples {
		copy(window, window[frameSamples:])
		n := copy(window[seenBefore:], samples[at:])
		clear(window[seenBefore+n:])
		out, err := p.voice.Run(ctx, map[string]*onnx.Tensor{"input": onnx.Floats(window, 1, len(window)), "state": state, "sr": rate})
		if err != nil {
			return nil, err
		}
		chance := out["output"]
		if state = out["stateN"]; chance == nil || len(chance.F) != 1 || state == nil {
			return nil, fmt.Errorf("the voice detector returned no probability")
		}
		list = append(list, chance.F[0])
	}
	return list, nil
}

// How frames become spans, as in Silero's own get_speech_timestamps.
const (
	begins = 0.5  // speech begins at this probability
	ends   = 0.35 // and has ended when it stays under this one for `pause`
	pause  = 300 * time.Millisecond
	least  = 200 * time.Millisecond // shorter spans are none

	// voiced is the share of a span's frames in which speech is likely. In speech nearly all are, while
	// instruments have short bursts of them.
	voiced = 0.5
)

// A stretch is a range of samples in which somebody speaks.
type stretch struct{ from, to int }

func samplesIn(d time.Duration) int { return int(d * media.SpeechRate / time.Second) }

func timeOf(samples int) time.Duration {
	return time.Duration(samples) * time.Second / media.SpeechRate
}

// spoken returns where somebody speaks.
func spoken(chances []float32) (list []stretch) {
	from, quiet, likely := -1, 0, 0 // of the stretch; how many frames it has been quiet; in how many speech is likely
	add := func(to int) {
		s := stretch{from * frameSamples, to * frameSamples}
		if s.to-s.from >= samplesIn(least) && likely*frameSamples >= samplesIn(least) && float64(likely) >= voiced*float64(to-from) {
			list = append(list, s)
		}
		from, quiet, likely = -1, 0, 0
	}
	for i, c := range chances {
		if c >= begins {
			likely++
		}
		switch {
		case from < 0 && c >= begins:
			from = i
		case from >= 0 && c < ends:
			if quiet++; quiet*frameSamples >= samplesIn(pause) {
				add(i + 1 - quiet)
			}
		case from >= 0:
			quiet = 0
		}
	}
	if from >= 0 {
		add(len(chances) - quiet)
	}
	return list
}

// How stretches become what the recogniser hears at once. It goes by context,
// but was trained on no more than 30 s, and beyond 20 s gets slower and worse.
const (
	joined  = 2 * time.Second        // pauses up to this do not divide; with 1 s, words alone were misheard
	longest = 20 * time.Second       // before the edges are added
	edge    = 500 * time.Millisecond // with half of it, first words were cut
)

// phrases joins near stretches, divides long ones where the detector is the
// least sure of speech, and adds some sound on both sides.
func phrases(list []stretch, chances []float32, samples int) (found []stretch) {
	for _, s := range list {
		if n := len(found); n > 0 && s.from-found[n-1].to <= samplesIn(joined) && s.to-found[n-1].from <= samplesIn(longest) {
			found[n-1].to = s.to
			continue
		}
		for s.to-s.from > samplesIn(longest) {
			at := lull(chances, s.from+samplesIn(longest)/2, s.from+samplesIn(longest))
			found = append(found, stretch{s.from, at})
			s.from = at
		}
		found = append(found, s)
	}
	padded := slices.Clone(found)
	for i := range padded {
		before, after := 0, samples
		if i > 0 {
			before = (found[i-1].to + found[i].from) / 2
		}
		if i+1 < len(found) {
			after = (found[i].to + found[i+1].from) / 2
		}
		padded[i] = stretch{max(before, found[i].from-samplesIn(edge)), min(after, found[i].to+samplesIn(edge))}
	}
	return padded
}

// lull is the end of the frame with the lowest probability between two samples.
func lull(chances []float32, from, to int) int {
	best := from / frameSamples
	for i := best; i < to/frameSamples && i < len(chances); i++ {
		if chances[i] < chances[best] {
			best = i
		}
	}
	return (best + 1) * frameSamples
}
