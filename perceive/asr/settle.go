package asr

import (
	"encoding/binary"
	"math"
	"time"

	"omniscope"
)

// Where a stretch of sound may begin and end: where it is quiet for a while, so that no
// word is cut. Speech spans are to within half a second, and words at their ends often
// fade below the measured levels.
const (
	quietStep  = 20 * time.Millisecond
	quietLeast = 160 * time.Millisecond // pauses between words are longer, closures of p, t and k shorter
	farthest   = 2 * time.Second        // from where the stretch would begin or end
	nearCut    = time.Second            // the same between two parts of a stretch, both ways
	underVoice = 25.0                   // dB below the loud parts: quiet
	overFloor  = 6.0                    // dB above the floor: quiet as well
)

// settled moves the limits of stretches to where the sound is quiet: outwards at the
// ends, to the quietest place near by between parts that follow each other.
func (h *hearing) settled(chunks []omniscope.Span) ([]omniscope.Span, error) {
	length := h.look.Signal.Duration
	for i := range chunks {
		c := &chunks[i]
		if i == 0 || chunks[i-1].End < c.Start {
			start, err := h.quiet(c.Start, -1)
			if err != nil {
				return nil, err
			}
			c.Start = start
			if i > 0 {
				c.Start = max(start, chunks[i-1].End)
			}
		}
		if i+1 < len(chunks) && chunks[i+1].Start == c.End {
			at, err := h.quietest(c.End)
			if err != nil {
				return nil, err
			}
			if at > c.Start && at < chunks[i+1].End {
				c.End, chunks[i+1].Start = at, at
			}
			continue
		}
		end, err := h.quiet(c.End, +1)
		if err != nil {
			return nil, err
		}
		c.End = min(end, length)
		if i+1 < len(chunks) {
			c.End = min(c.End, chunks[i+1].Start)
		}
		if most := h.info.Longest; most > 0 {
			c.End = min(c.End, c.Start+most)
		}
	}
	return chunks, nil
}

// quiet returns the time at or after (direction +1), or at or before (-1), another at
// which the sound has been quiet for quietLeast; the farthest it looks, if it never is.
func (h *hearing) quiet(at time.Duration, direction time.Duration) (time.Duration, error) {
	from, to := at, min(at+farthest, h.look.Signal.Duration)
	if direction < 0 {
		from, to = max(0, at-farthest), at
	}
	levels, err := h.levels(from, to)
	if err != nil {
		return at, err
	}
	limit := h.quietLimit()
	run := 0
	for k := range levels {
		i := k
		if direction < 0 {
			i = len(levels) - 1 - k
		}
		if run++; levels[i] > limit {
			run = 0
		}
		if time.Duration(run)*quietStep < quietLeast {
			continue
		}
		if k+1 == run { // quiet from the start
			return at, nil
		}
		return at + direction*time.Duration(k+1)*quietStep, nil
	}
	if direction < 0 {
		return from, nil
	}
	return to, nil
}

// quietest returns the middle of the quietest stretch of quietLeast near a time.
func (h *hearing) quietest(at time.Duration) (time.Duration, error) {
	from, to := max(0, at-nearCut), min(at+nearCut, h.look.Signal.Duration)
	levels, err := h.levels(from, to)
	if err != nil {
		return at, err
	}
	width := int(quietLeast / quietStep)
	best, least := at, math.Inf(1)
	for i := 0; i+width <= len(levels); i++ {
		top := levels[i]
		for _, l := range levels[i+1 : i+width] {
			top = max(top, l)
		}
		middle := from + time.Duration(i)*quietStep + quietLeast/2
		if top < least || top == least && (middle-at).Abs() < (best-at).Abs() {
			best, least = middle, top
		}
	}
	return best, nil
}

// quietLimit is the level under which the sound counts as quiet, in dBFS.
func (h *hearing) quietLimit() float64 {
	l := &h.look.Signal.Level
	if !l.Known {
		return -50
	}
	return max(l.Loud-underVoice, min(l.Floor+overFloor, l.Loud-underVoice/2))
}

// levels has the level of each quietStep between two times, in dBFS.
func (h *hearing) levels(from, to time.Duration) ([]float64, error) {
	sound, err := h.read(omniscope.Span{Start: from, End: to})
	if err != nil {
		return nil, err
	}
	const step = int(quietStep * bytesPerSecond / time.Second)
	var levels []float64
	for pcm := sound.PCM; len(pcm) >= step; pcm = pcm[step:] {
		sum := 0.0
		for i := 0; i < step; i += 2 {
			v := float64(int16(binary.LittleEndian.Uint16(pcm[i:]))) / (1 << 15)
			sum += v * v
		}
		levels = append(levels, 10*math.Log10(sum/float64(step/2)+1e-12))
	}
	return levels, nil
}
