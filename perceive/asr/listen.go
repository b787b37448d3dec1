package asr

import (
	"context"
	"fmt"
	"time"

	"omniscope"
)

// listen finds where somebody speaks: the engine says it if it can, else what was measured of the sound does.
func (h *hearing) listen(ctx context.Context) error {
	facts := h.look.Signal
	ear, ok := h.engine.(Listener)
	if !ok || facts.Stereo.Known && facts.Stereo.Inverted { // mixed to mono there is nothing to hear
		if facts.Speech.Known && facts.Speech.Present {
			h.speech = facts.Speech.Spans
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
	return nil
}
