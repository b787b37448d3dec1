package ocr

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
	"omniscope/perceive"
)

// unread are known texts that are a logo, drawn rather than set.
var unread = []string{"Big Buck BUNNY (logo)"}

// wanted are the words of known clips whose list describes the text instead of
// quoting it.
var wanted = map[string][]string{
	"smpte_2997.mp4":        {"00:00:00;00 … 00:00:10;00"},
	"testcard_timecode.mp4": {"1024 x 768 25 fps Photo JPEG 75%", "00:00:00:00 … 00:00:15:24"},
}

// extra are words that stand there and are not in the list.
var extra = map[string]func(quote string) bool{
	"smpte_2997.mp4": func(quote string) bool { return digits(quote) == letters(quote) },
}

func TestLongKnownClips(t *testing.T) {
	need.Programs(t, "ffmpeg", "ffprobe", program)
	texts, found, invented := 0, 0, 0
	for _, k := range golden.Clips(t) {
		clip := omniscope.Clip{Path: golden.Path(t, "media", k.File)}
		if !k.HasPicture() {
			if a := observed(t, clip); len(a.Observations) != 1 || a.Observations[0].Kind != perceive.Absence {
				t.Errorf("%s has no picture, and is answered %q", k.File, a.Text)
			}
			continue
		}
		// Film without text takes long to read: a stretch of it must do, unless
		// all is asked for.
		if len(k.Content.Text) == 0 && os.Getenv("OMNISCOPE_MEDIA") == "" {
			clip.Span = omniscope.Span{Start: 2 * time.Second, End: 7 * time.Second}
			if k.Seconds < 8 {
				clip.Span = omniscope.Span{}
			}
		}
		start := time.Now()
		a := observed(t, clip)
		known, hits := textsIn(&k, a)
		left := leftover(k.File, known, a)
		t.Logf("%-40s texts %d of %d, invented %d words %q, %.1f s", k.File, hits, len(known), words(left), left, time.Since(start).Seconds())
		texts, found, invented = texts+len(known), found+hits, invented+words(left)
		for _, o := range a.Observations {
			t.Logf("    %.2f %s", o.Sure, o.What)
		}
	}
	t.Logf("all: %d of %d texts word for word, %d invented words", found, texts, invented)
	if found < texts-len(unread) || invented > 0 {
		t.Errorf("%d of %d texts and %d invented words: want all but the logo, and none", found, texts, invented)
	}
}

// textsIn are what can be read in a clip, and how many of them were, letter by
// letter, at about their time.
func textsIn(k *golden.Clip, a *perceive.Answer) (known []string, hits int) {
	if list, ok := wanted[k.File]; ok {
		for _, text := range list {
			if slices.ContainsFunc(a.Observations, func(o perceive.Observation) bool { return o.Quote == text }) {
				hits++
			}
		}
		return list, hits
	}
	for _, text := range k.Content.Text {
		known = append(known, text.Text)
		if slices.ContainsFunc(a.Observations, func(o perceive.Observation) bool {
			const near = 0.6 // frames are half a second apart, and cards fade
			return o.Quote == strings.ReplaceAll(text.Text, " / ", " ") && o.Span.Start.Seconds() <= text.Start+near && o.Span.End.Seconds() >= text.End-near
		}) {
			hits++
		}
	}
	return known, hits
}

// leftover is what was read and is not known to stand there.
func leftover(file string, known []string, a *perceive.Answer) (list []string) {
	for _, o := range a.Observations {
		is := func(text string) bool { return strings.Contains(folded(text), folded(o.Quote)) }
		if !slices.ContainsFunc(known, is) && (extra[file] == nil || !extra[file](o.Quote)) {
			list = append(list, o.Quote)
		}
	}
	return list
}

func words(list []string) int { return len(strings.Fields(strings.Join(list, " "))) }
