package asr

import (
	"context"
	"fmt"
	"time"

	"omniscope"
	"omniscope/media/signal"
)

// listen finds where somebody speaks: the engine says it if it can, else what was measured of the sound does.
func (h *hearing) listen(ctx context.Context) error {
	facts := h.look.Signal
	ear, ok := h.engine.(Listener)
	if !ok || facts.Stereo.Known && facts.Stereo.Inverted { // mixed to mono there is nothing to hear
		if facts.Speech.Known && facts.Speech.Present {
			h.speech = withoutNotes(facts.Speech.Spans, &facts.Notes)
		}
		return nil
	}
	step := h.info.Longest
	if step == 0 {
		step = facts.Duration
	}
	for from := time.Duration(0); from < facts.Duration; from += step {
		sound, err := h.read(omniscope.Span{Start: from, End: min(from+step, facts.Duration)})
		if err != nil {
			return err
		}
		spoken, err := ear.Spoken(ctx, sound)
		if err != nil {
			return fmt.Errorf("listen from %.1f s on: %w", from.Seconds(), err)
		}
		for _, s := range spoken {
			s.Start, s.End = clamp(s.Start, sound)+from, clamp(s.End, sound)+from
			h.speech = append(h.speech, s)
		}
	}
	h.speech = withoutNotes(h.speech, &facts.Notes)
	return nil
}

// mostNotes is the share of held notes from which on what was taken for speech is an
// instrument. No speaker holds one pitch after another.
const mostNotes = 0.6

// withoutNotes leaves out the spans that are mostly held notes: detectors of voices take
// wind instruments for one.
func withoutNotes(speech []signal.SpeechSpan, notes *signal.Notes) (list []signal.SpeechSpan) {
	for _, s := range speech {
		held := time.Duration(0)
		for _, n := range notes.Spans {
			held += max(0, min(n.End, s.End)-max(n.Start, s.Start))
		}
		if held == 0 || float64(held) < mostNotes*float64(s.End-s.Start) {
			list = append(list, s)
		}
	}
	return list
}
