package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
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
	before string           // source as earlier versions wrote it; "" = in the same way
	model  string           // as the endpoint calls it
	known  string           // provider or route, if answers of one model name at one address differ by it
	any    bool             // transcripts of any address will do
	once   func() *run.Once // of the run's journal; nil = nothing is remembered
}

// A transcript is what the journal keeps of a stretch. Its text and error are called as those of models' answers, so that all who
// show calls can show it.
type transcript struct {
	Text     string        `json:"text,omitempty"`
	Error    string        `json:"error,omitempty"`
	Segments []asr.Segment `json:"segments,omitempty"`
}

// Info implements asr.Engine.
func (e rememberedEngine) Info() asr.EngineInfo {
	info := e.Engine.Info()
	if info.Name += e.known; e.any {
		info.Name = e.model + e.known
	}
	return info
}

// Transcribe implements asr.Engine.
func (e rememberedEngine) Transcribe(ctx context.Context, s asr.Sound) ([]asr.Segment, error) {
	once := e.once()
	if once == nil {
		return e.Engine.Transcribe(ctx, s)
	}
	sound := sha256.Sum256(s.PCM)
	request, key := transcriptKey("transcript/2", e.model+e.known, sound, s.Duration())
	entry := &run.Entry{
		Key: key, Step: fmt.Sprintf("transcript/%.6x", sound), Attempt: 1, Kind: "transcript", Source: e.source,
		Request: request, Started: time.Now(),
	}
	for _, source := range []string{e.source, cmp.Or(e.before, e.source)} {
		name := strings.Replace(e.Engine.Info().Name, e.source, source, 1) // with the address in it
		_, earlier := transcriptKey("transcript/1", name+e.known, sound, s.Duration())
		there, err := once.Journal.Lookup(ctx, earlier, source)
		if err != nil {
			return nil, err
		}
		if there != nil {
			entry.Key, entry.Source = earlier, source
		}
	}
	entry, _, err := once.Do(ctx, entry, func(ctx context.Context, to *run.Entry) (err error) {
		took := run.NewTally(to.Started)
		heard, err := e.Engine.Transcribe(run.WithTally(ctx, took), s)
		if sum := took.Sum(); sum.Models > 0 {
			to.Cost = sum.Cost
			run.TallyOf(ctx).AddModel(to.Cost)
		}
		if err != nil {
			to.Outcome = omniscope.OutcomeOf(err)
			to.Result, _ = json.Marshal(transcript{Error: err.Error()})
			return err
		}
		to.Outcome = omniscope.OK
		kept := transcript{Segments: heard}
		for _, part := range heard {
			kept.Text = strings.TrimSpace(kept.Text + " " + strings.TrimSpace(part.Text))
		}
		to.Result, err = json.Marshal(kept)
		return err
	})
	if err != nil {
		return nil, err
	}
	var kept transcript
	if err := json.Unmarshal(entry.Result, &kept); err != nil {
		return nil, fmt.Errorf("journal entry %s: %w", entry.Key, err)
	}
	return kept.Segments, nil
}

// transcriptKey returns the request for a transcript, and the key that it is found under.
func transcriptKey(form, engine string, sound [sha256.Size]byte, length time.Duration) ([]byte, run.Key) {
	request, _ := json.Marshal(struct { // texts and a finite number
		Engine  string  `json:"engine"`
		Sound   string  `json:"sound"` // SHA-256 of its samples, 16 bits, mono, 16 kHz
		Seconds float64 `json:"seconds"`
	}{engine, fmt.Sprintf("%x", sound), length.Seconds()})
	key := sha256.Sum256(append([]byte(form+"\x00"), request...))
	return request, run.Key(key[:len(run.Key{})])
}
