package asr

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
	"omniscope/perceive"
)

func opened(t *testing.T, path string) *perceive.Clip {
	t.Helper()
	need.FFmpeg(t)
	c, err := perceive.Open(t.Context(), omniscope.Clip{Path: path})
	fixture.OK(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// An engine that invents words for whatever it hears must not get to hear what
// is no speech.
func TestLongKnownClipsWithInventingEngine(t *testing.T) {
	for _, k := range golden.Clips(t) {
		t.Run(k.File, func(t *testing.T) {
			e := &ear{info: EngineInfo{Name: "inventor", Quotes: true}, heard: []Segment{{End: time.Hour, Text: "Thanks for watching!", Sure: sure(-0.1)}}}
			a, err := New(Options{Engines: []Engine{e}}).Observe(t.Context(), opened(t, golden.Path(t, "media", k.File)), "What is said?")
			fixture.OK(t, err)
			kinds := make(map[perceive.Kind]int)
			for _, o := range a.Observations {
				kinds[o.Kind]++
			}
			switch spoken := len(k.Content.Speech) > 0; {
			case k.Audio == nil:
				if kinds[perceive.Absence] != 1 || len(a.Observations) != 1 {
					t.Errorf("without a sound track: %+v", a)
				}
			case k.Audio.Peak == nil:
				if kinds[perceive.Silence] != 1 || len(a.Observations) != 1 {
					t.Errorf("with a silent sound track: %+v", a)
				}
			case !spoken && (len(a.Observations) > 0 || len(e.calls) > 0):
				t.Errorf("invented speech: %+v", a)
			case spoken && kinds[perceive.Speech] == 0 && k.File != "countdown.mp3": // isolated numbers are not detected
				t.Errorf("no speech: %+v", a)
			}
			t.Logf("%d requests, %s", len(e.calls), strings.ReplaceAll(a.Text, "\n", "\n\t"))
		})
	}
}

func TestPocketsphinxNeverQuoted(t *testing.T) {
	if missing := (Pocketsphinx{}).Info().Missing; missing != "" {
		t.Skip(missing)
	}
	clip := opened(t, speechMade(t))
	tool := New(Options{})
	a, err := tool.Observe(t.Context(), clip, "What is said?")
	fixture.OK(t, err)
	for _, o := range a.Observations {
		if o.Quote != "" || o.Kind != perceive.Speech || !strings.HasPrefix(o.What, "speech is heard, not intelligible") {
			t.Errorf("%+v", o)
		}
	}
	t.Logf("%s:\n%s", tool.Engines(), a.Text)
}

// speechMade is a file of speech that espeak-ng says.
func speechMade(t *testing.T) string {
	t.Helper()
	need.Program(t, "espeak-ng")
	path := filepath.Join(t.TempDir(), "speech.wav")
	text := "The harbour master opened the narrow gate and counted seven yellow boats before the evening train arrived."
	if out, err := exec.Command("espeak-ng", "-w", path, text).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}
