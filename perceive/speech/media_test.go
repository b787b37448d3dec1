package speech

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
	"omniscope/metric"
	"omniscope/metric/textnorm"
	"omniscope/perceive/asr"
)

// pack is the installed pack.
func pack(t *testing.T) *Pack {
	t.Helper()
	if m := missing(Folder()); m != "" {
		t.Skip(m)
	}
	p, err := Open(Folder())
	fixture.OK(t, err)
	return p
}

// soundOf decodes a clip.
func soundOf(t *testing.T, path string) asr.Sound {
	t.Helper()
	need.FFmpeg(t)
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-i", path, "-ac", "1", "-ar", "16000", "-f", "s16le", "-")
	cmd.Stdout = &out
	fixture.OK(t, cmd.Run())
	return asr.Sound{PCM: out.Bytes()}
}

func normal(t *testing.T, text string) string {
	t.Helper()
	n, err := textnorm.English(text)
	fixture.OK(t, err)
	return n
}

// believed is what perceive/asr quotes of the segments, apart from loops.
func believed(list []asr.Segment) string {
	var parts []string
	for _, s := range list {
		if s.Sure.LogProb >= asr.DefaultLeastLogProb {
			parts = append(parts, s.Text)
		}
	}
	return strings.Join(parts, " ")
}

// The pack is worth its megabytes when real speech comes out nearly right, and
// nothing else is taken for speech.
func TestLongKnownClips(t *testing.T) {
	pack(t)
	e := NewEngine("")
	var all metric.Edits
	var busy, lasted time.Duration
	for _, k := range golden.Clips(t) {
		if k.Audio == nil || k.Audio.Peak == nil {
			continue
		}
		sound := soundOf(t, golden.Path(t, "media", k.File))
		start := time.Now()
		list, err := e.Transcribe(t.Context(), sound)
		fixture.OK(t, err)
		took := time.Since(start)
		busy, lasted = busy+took, lasted+sound.Duration()
		for _, s := range list {
			t.Logf("%s %.2f to %.2f s, %.3f: %s", k.File, s.Start.Seconds(), s.End.Seconds(), s.Sure.LogProb, s.Text)
		}
		if len(k.Content.Speech) == 0 {
			if said := believed(list); said != "" {
				t.Errorf("%s: invented %q", k.File, said)
			}
			continue
		}
		var texts, heard []string
		for _, s := range k.Content.Speech {
			texts = append(texts, s.Text)
		}
		for _, s := range list {
			heard = append(heard, s.Text)
		}
		if k.File == "countdown.mp3" {
			texts = []string{"9, 8, 7, 6, 5, 4, 3, 2, 1, 0"} // as words they would be normalised to one number
		}
		edits := metric.Align(strings.Fields(normal(t, strings.Join(texts, " "))), strings.Fields(normal(t, strings.Join(heard, " "))))
		all = all.Add(edits)
		rate, _ := edits.Rate()
		t.Logf("%s: WER %.1f %% of %d words, %.2f of real time", k.File, 100*rate, edits.Words(), took.Seconds()/sound.Duration().Seconds())
	}
	rate, _ := all.Rate()
	t.Logf("all: WER %.1f %% of %d words, %.3f of real time", 100*rate, all.Words(), busy.Seconds()/lasted.Seconds())
	if rate > 0.15 {
		t.Errorf("word error rate %.3f", rate)
	}
}

// Of other languages nothing may be believed, though the recogniser hears
// English in them.
func TestOtherLanguages(t *testing.T) {
	pack(t)
	need.Program(t, "espeak-ng")
	e := NewEngine("")
	for voice, text := range map[string]string{
		"de": "Der alte Hafenmeister öffnete am frühen Morgen das schmale Tor und zählte die gelben Boote, bevor der Zug am Abend kam.",
		"it": "Il vecchio guardiano del porto aprì il cancello stretto e contò sette barche gialle prima che arrivasse il treno della sera.",
		"fr": "Le vieux maître du port ouvrit la porte étroite et compta sept bateaux jaunes avant que le train du soir arrive.",
		"es": "El viejo capitán del puerto abrió la puerta estrecha y contó siete barcos amarillos antes de que llegara el tren de la tarde.",
	} {
		path := filepath.Join(t.TempDir(), voice+".wav")
		if out, err := exec.CommandContext(t.Context(), "espeak-ng", "-v", voice, "-w", path, text).CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, out)
		}
		list, err := e.Transcribe(t.Context(), soundOf(t, path))
		fixture.OK(t, err)
		for _, s := range list {
			t.Logf("%s %.2f to %.2f s, %.3f: %s", voice, s.Start.Seconds(), s.End.Seconds(), s.Sure.LogProb, s.Text)
		}
		if said := believed(list); said != "" {
			t.Errorf("%s: believed %q", voice, said)
		}
	}
}
