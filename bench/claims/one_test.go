package claims

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/captionstest"
	"omniscope/internal/testing/fixture"
)

// TestOneCaption audits a caption of one clip, given as a text or in a file.
func TestOneCaption(t *testing.T) {
	media := clips(t, "a")
	clip, text := filepath.Join(media, "a.wav"), fixture.File(t, "mine.txt", "A bus. A dog.")
	s := setting{media: clip, seen: one(func(_, claim string) string {
		return map[string]string{"A bus.": "supported", "A dog.": "contradicted"}[claim]
	})}
	for name, c := range map[string]struct{ text, predictions, system string }{
		"a text":      {"A bus. A dog.", bench.NoPredictions, "text"},
		"a text file": {"", text, "mine"},
	} {
		b, in := s.of(t, bench.Strict)
		b.(*benchmark).text, in.Predictions = c.text, c.predictions
		r := captionstest.Score(t, b, in)
		if wantScore(t, r, "precision", 0.5); r.System != c.system || r.Samples != 1 {
			t.Errorf("%s: system %s, %d samples", name, r.System, r.Samples)
		}
	}
	for says, c := range map[string]struct{ text, predictions, media string }{
		"rows.jsonl has captions of several":       {"", fixture.File(t, "rows.jsonl", twoCaptions), clip},
		"is not a caption":                         {"", fixture.File(t, "mine.txt", "a\x00b"), clip},
		"is the caption, and":                      {"A bus.", text, clip},
		"is the caption of one clip":               {"A bus.", bench.NoPredictions, media},
		"the folder with the clips' files with --": {"A bus.", bench.NoPredictions, ""},
	} {
		b, in := s.of(t, bench.Strict)
		b.(*benchmark).text, b.(*benchmark).media, in.Predictions = c.text, c.media, c.predictions
		err := b.(*benchmark).Check(in)
		if err == nil {
			_, err = b.Open(t.Context(), in)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// TestRecordingsOfOneStem keeps captions apart that name recordings of one stem in two folders.
func TestRecordingsOfOneStem(t *testing.T) {
	media := t.TempDir()
	for _, folder := range []string{"x", "y"} {
		fixture.OK(t, os.Mkdir(filepath.Join(media, folder), 0o700))
		fixture.OK(t, os.Rename(filepath.Join(clips(t, folder), folder+".wav"), filepath.Join(media, folder, "clip.wav")))
	}
	r := setting{media: media, captions: `{"clip": "x/clip.wav", "caption": "A bus."}` + "\n" + `{"clip": "y/clip", "caption": "A dog."}`, seen: one(func(_, claim string) string {
		return map[string]string{"A bus.": "supported", "A dog.": "contradicted"}[claim]
	})}.score(t)
	if wantScore(t, r, "precision", 0.5); whole(r)["precision"].Clusters != 2 {
		t.Errorf("%d clusters, want 2", whole(r)["precision"].Clusters)
	}
}
