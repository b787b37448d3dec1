package session

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"omniscope"
	"omniscope/perceive/asr"
	"omniscope/run"
)

// A rememberedEngine remembers each stretch of sound that an endpoint transcribed. A clip has several, and its whole
// transcript is remembered last: where one of them fails or a budget is used up, those before it were paid for.
type rememberedEngine struct {
	asr.Engine
	source string
	once   func() *run.Once // of the run's journal; nil = nothing is remembered
}

// Transcribe implements asr.Engine.
func (e rememberedEngine) Transcribe(ctx context.Context, s asr.Sound) (segments []asr.Segment, err error) {
	once := e.once()
	if once == nil {
		return e.Engine.Transcribe(ctx, s)
	}
	sound := sha256.Sum256(s.PCM)
	request, err := json.Marshal(struct {
		Engine  string  `json:"engine"`
		Sound   string  `json:"sound"` // SHA-256 of its samples, 16 bits, mono, 16 kHz
		Seconds float64 `json:"seconds"`
	}{e.Info().Name, fmt.Sprintf("%x", sound), s.Duration().Seconds()})
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(append([]byte("transcript/1\x00"), request...))
	entry := &run.Entry{
		Key: run.Key(key[:len(run.Key{})]), Step: fmt.Sprintf("transcript/%.6x", sound), Attempt: 1, Kind: "transcript", Source: e.source,
		Request: request, Started: time.Now(),
	}
	entry, _, err = once.Do(ctx, entry, func(ctx context.Context, to *run.Entry) (err error) {
		heard, err := e.Engine.Transcribe(ctx, s)
		if err != nil {
			to.Outcome = omniscope.OutcomeOf(err)
			to.Result, _ = json.Marshal(map[string]string{"error": err.Error()})
			return err
		}
		to.Outcome = omniscope.OK
		to.Result, err = json.Marshal(heard)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(entry.Result, &segments); err != nil {
		return nil, fmt.Errorf("journal entry %s: %w", entry.Key, err)
	}
	return segments, nil
}
