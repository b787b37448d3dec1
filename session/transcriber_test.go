package session

import (
	"crypto/sha256"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/perceive/asr"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
)

// TestTranscriptionsAreBudgeted has half minutes of sound transcribed at an endpoint until the budget is used up, counts what
// each took, and refuses a budget of money without a price.
func TestTranscriptionsAreBudgeted(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		io.WriteString(w, `{"text": "one two", "usage": {"type": "duration", "seconds": 30}}`)
	}))
	defer s.Close()
	t.Setenv("OPENAI_API_KEY", "none")
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	fixture.OK(t, os.WriteFile(prices, []byte("openai/hears: {minute: 0.5}\n"), 0o600))
	calls := &Calls{MaxConcurrency: 1, Timeout: time.Minute, MaxCost: 0.6, Prices: prices}
	sound := asr.Sound{PCM: make([]byte, 30*2*media.SpeechRate)}
	var once *run.Once
	open := func(model string) (*Transcriber, error) {
		return OpenTranscriber(t.Context(), &Role{Name: ASR, Model: model, BaseURL: s.URL}, calls, &Shared{}, func() *run.Once { return once })
	}

	if _, err := open("openai/whispers"); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "openai/whispers: {minute:") {
		t.Errorf("a budget of money without a price: %v", err)
	}
	hears, err := open("openai/hears")
	fixture.OK(t, err)
	tally := run.NewTally(time.Now())
	ctx := run.WithTally(t.Context(), tally)
	for range 2 {
		if _, err := hears.engine.Transcribe(ctx, sound); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := hears.engine.Transcribe(ctx, sound); omniscope.KindOf(err) != omniscope.Budget || asked != 2 {
		t.Errorf("%v after %d requests; want the budget used up after 2", err, asked)
	}
	if sum := tally.Sum(); sum.Models != 2 || sum.Cost.USD != 0.5 {
		t.Errorf("tallied %+v", sum)
	}
	if state := strings.Join(hears.state(), ", "); !strings.Contains(state, "$0.50") {
		t.Errorf("progress says %q", state)
	}

	judge := &Role{Name: Judge, Model: "openai/hears", BaseURL: s.URL}
	if _, err := NewModel(t.Context(), judge, calls, &Shared{}); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("a model that is paid for by the minute has no price for questions, but: %v", err)
	}

	// The next command goes on where the budget was used up: what was transcribed is remembered.
	kept, err := sqlite.Open(t.TempDir())
	fixture.OK(t, err)
	defer kept.Close()
	notes, err := kept.Run(t.Context(), journal.Description{Name: "listens", Manifest: "{}"})
	fixture.OK(t, err)
	defer notes.Close()
	once, asked = &run.Once{Journal: notes}, 0
	calls.MaxCost = 0.3
	for command := range 3 {
		hears, err = open("openai/hears")
		fixture.OK(t, err)
		var heard []asr.Segment
		for stretch := range 3 {
			sound.PCM[0] = byte(stretch)
			if heard, err = hears.engine.Transcribe(t.Context(), sound); err != nil {
				break
			}
		}
		if last := command == 2; last != (err == nil) || last && (len(heard) != 1 || heard[0].Text != "one two" || heard[0].End != 30*time.Second) {
			t.Errorf("command %d: %+v, %v", command, heard, err)
		}
	}
	var shown strings.Builder
	if err := WriteInquiries(t.Context(), &shown, kept, "listens", false); err != nil || strings.Count(shown.String(), "one two") != 3 || strings.Contains(shown.String(), "DAMAGED") {
		t.Errorf("the journal shows %v\n%s", err, shown.String())
	}
	if asked != 3 {
		t.Errorf("%d requests for 3 stretches, of which the budget allows one in each command", asked)
	}
}

// TestTranscriptsGoBySound: how the address is written, and with any endpoint where it is, does not matter; transcripts of earlier
// versions, with the address in their keys, are remembered.
func TestTranscriptsGoBySound(t *testing.T) {
	asked := 0
	server := func() string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			io.WriteString(w, `{"text": "one two"}`)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	one, two := server(), server()
	kept, err := sqlite.Open(t.TempDir())
	fixture.OK(t, err)
	defer kept.Close()
	notes, err := kept.Run(t.Context(), journal.Description{Name: "listens", Manifest: "{}"})
	fixture.OK(t, err)
	defer notes.Close()
	sound := asr.Sound{PCM: make([]byte, 30*2*media.SpeechRate)}
	_, earlier := transcriptKey("transcript/1", "hears at "+one+"/v1", sha256.Sum256(sound.PCM), sound.Duration())
	fixture.OK(t, notes.Append(t.Context(), &run.Entry{Key: earlier, Attempt: 1, Kind: "transcript", Source: one + "/v1", Outcome: omniscope.OK, Result: []byte(`{"text": "three"}`), Started: time.Now()}))
	for _, c := range []struct {
		address string
		first   byte // of the sound
		any     bool
		asked   int
	}{
		{one, 0, false, 0}, // of an earlier version
		{one, 1, false, 1},
		{one + "/v1/audio/transcriptions/", 1, false, 0},
		{one + "/v1/chat/completions", 1, false, 0},
		{two, 1, true, 0},
		{two, 1, false, 1},
	} {
		asked, sound.PCM[0] = 0, c.first
		once := &run.Once{Journal: notes, AnySource: c.any}
		e, err := OpenTranscriber(t.Context(), &Role{Name: ASR, Model: "openai/hears", BaseURL: c.address}, &Calls{MaxConcurrency: 1, Timeout: time.Minute}, &Shared{}, func() *run.Once { return once })
		if err == nil {
			_, err = e.engine.Transcribe(t.Context(), sound)
		}
		if err != nil || asked != c.asked {
			t.Errorf("%+v: asked %d times, %v", c, asked, err)
		}
	}
}
