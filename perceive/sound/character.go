package sound

import (
	"fmt"
	"math"
	"strings"

	"omniscope/media/signal"
	"omniscope/perceive"
)

// Words for pitch in Hz. They name registers, never who or what sounds.
var registers = []grade{{520, "very high"}, {250, "high"}, {150, "middle"}, {60, "low"}, {0, "very low"}}

// Hints about sources are held back more than facts: their textures are
// measured, and their lists of sources are not complete.
const (
	leastHint = 0.55
	mostSure  = 0.75
	mostHints = 3
)

// leastPitched is the share of the sound with a pitch from which on a register
// is named. In echoes and noise less has one, and that may be an octave off.
const leastPitched = 0.4

// mostPauses is the share of silences up to which a level may be called steady:
// how steady it is, is measured without them.
const mostPauses = 0.05

// onePitch is how much higher, as a ratio, the highest of pitches may be than the
// lowest if they are reported as one.
const onePitch = 1.02

// register says where most pitches lie, and names the registers of both ends.
func register(p *signal.Pitch) string {
	low, high := graded(registers, p.Low), graded(registers, p.High)
	where := fmt.Sprintf("between %.0f and %.0f Hz", p.Low, p.High)
	if p.High <= onePitch*p.Low {
		where = fmt.Sprintf("near %.0f Hz", p.Median)
	}
	if low == high {
		return fmt.Sprintf("%s, in a %s register", where, low)
	}
	return fmt.Sprintf("%s, from a %s to a %s register", where, low, high)
}

// character says what all of it sounds like.
func (l *listening) character() (list []perceive.Observation) {
	if s := &l.facts.Spectrum; isReported(s.Evidence) {
		if word := colour(s.Low, s.High); word != "" {
			list = append(list, whole(0.8*s.Sure, fmt.Sprintf("the sound is %s: about %.0f %% of its power is below 250 Hz, about %.0f %% above 2 kHz", word, 100*s.Low, 100*s.High),
				map[string]float64{"low_share": s.Low, "high_share": s.High, "centroid_hz": s.Centroid}))
		}
	}
	if t := &l.facts.Texture; isReported(t.Evidence) && t.Steady && l.facts.Silences.Share <= mostPauses {
		list = append(list, whole(t.Sure, fmt.Sprintf("the level is steady, within %.1f dB", t.Steadiness), map[string]float64{"steadiness_db": t.Steadiness}))
	}
	if p := &l.facts.Pitch; isReported(p.Evidence) && p.Share >= leastPitched {
		list = append(list, whole(0.85*p.Sure, "of the pitches from 60 to 800 Hz most lie "+register(p),
			map[string]float64{"pitch_hz": p.Median, "pitch_low_hz": p.Low, "pitch_high_hz": p.High, "pitched_share": p.Share}))
	}
	return append(list, l.hints()...)
}

// colour is a word for a spectrum that leans to one side.
func colour(low, high float64) string {
	switch {
	case low >= 0.85:
		return "dark, mostly low frequencies"
	case high >= 0.6:
		return "bright, mostly high frequencies"
	}
	return ""
}

// hints say what the sound is consistent with.
func (l *listening) hints() (list []perceive.Observation) {
	for _, h := range l.facts.Hints {
		// The lines of a hum are reported among the faults.
		if h.Sure < leastHint || len(list) == mostHints || h.Basis == l.facts.Hum.Basis {
			continue
		}
		list = append(list, whole(math.Min(mostSure, h.Sure),
			fmt.Sprintf("%s, consistent with %s, or with something else", h.Texture, oneOf(h.ConsistentWith)), nil))
	}
	return list
}

// oneOf lists choices.
func oneOf(items []string) string {
	if n := len(items); n > 1 {
		return strings.Join(items[:n-1], ", ") + " or " + items[n-1]
	}
	return strings.Join(items, "")
}
