package signal

import (
	"fmt"
	"math"

	"omniscope"
)

// How held notes differ from speech, in frames of 20 ms. In speech the pitch glides,
// and is missing in consonants; an instrument goes from one held pitch to another.
const (
	heldLeast  = 4     // frames of one pitch
	heldRange  = 0.025 // highest to lowest of them, less 1: under half a semitone
	notesGap   = 4     // frames without a held pitch that part nothing
	notesLeast = 30    // frames of a stretch
	notesShare = 0.75  // of it: held
)

// Notes are stretches of 0.6 s or more in which one held pitch follows another, as those
// of instruments and singers do.
type Notes struct {
	Evidence
	Spans []omniscope.Span
}

// notes finds them.
func (a *Analyzer) notes() Notes {
	track := a.pitch.out
	out := Notes{Evidence: Evidence{Known: len(track) >= notesLeast, From: a.hopTime(2 * len(track))}}
	if !out.Known {
		out.Basis = "less than 0.6 s of sound"
		return out
	}
	held := heldFrames(track)
	joined := append([]bool(nil), held...)
	closeGaps(joined, notesGap)
	for _, r := range runs(joined, notesLeast) {
		n := 0
		for _, on := range held[r[0]:r[1]] {
			if on {
				n++
			}
		}
		if float64(n) >= notesShare*float64(r[1]-r[0]) {
			out.Spans = append(out.Spans, a.hopSpan(2*r[0], min(2*r[1], len(a.meter.levels))))
		}
	}
	out.Sure = 0.8
	out.Basis = fmt.Sprintf("%d stretches of held pitches", len(out.Spans))
	return out
}

// heldFrames marks the frames of one pitch.
func heldFrames(track []voicing) []bool {
	held := make([]bool, len(track))
	for start := 0; start < len(track); {
		low, high := float64(track[start].hz), float64(track[start].hz)
		end := start + 1
		for ; low > 0 && end < len(track) && track[end].hz > 0; end++ {
			hz := float64(track[end].hz)
			if math.Max(high, hz) > (1+heldRange)*math.Min(low, hz) {
				break
			}
			low, high = math.Min(low, hz), math.Max(high, hz)
		}
		if low > 0 && end-start >= heldLeast {
			for i := start; i < end; i++ {
				held[i] = true
			}
		}
		start = end
	}
	return held
}
