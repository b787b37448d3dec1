package scene

import (
	"math"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
	"omniscope/perceive"
)

// A cut is found if it lies this near; the finest list of times is in frames.
const nearS = 0.09

func TestLongKnownClips(t *testing.T) {
	need.FFmpeg(t)
	known, found, invented := 0, 0, 0
	for _, k := range golden.Clips(t) {
		a := observed(t, golden.Path(t, "media", k.File))
		if !k.HasPicture() {
			if len(a.Observations) != 1 || a.Observations[0].Kind != perceive.Absence {
				t.Errorf("%s has no picture, and is answered %q", k.File, a.Text)
			}
			continue
		}
		hits, extra := compared(&k, ofKind(a, perceive.Cut))
		soft, softExtra := gradual(&k, a)
		t.Logf("%-40s cuts %2d of %2d, false %d; dissolves and fades %2d of %2d, false %d", k.File, hits, len(k.Content.Cuts), extra, soft, len(k.Content.Gradual), softExtra)
		looksRight(t, k.File, a)
		known, found, invented = known+len(k.Content.Cuts), found+hits, invented+extra
		if softExtra > 0 {
			t.Errorf("%s: %d dissolves or fades that are not there:\n%s", k.File, softExtra, a.Text)
		}
		if os.Getenv("OMNISCOPE_MEDIA") != "" {
			t.Log(a.Text)
		}
	}
	t.Logf("all: %d of %d hard cuts (recall %.3f), %d false", found, known, float64(found)/float64(known), invented)
	if float64(found) < 0.85*float64(known) || invented > 3 {
		t.Errorf("%d of %d hard cuts and %d false: want at least 85 %% and at most 3", found, known, invented)
	}
}

func ofKind(a *perceive.Answer, kind perceive.Kind) (list []perceive.Observation) {
	for _, o := range a.Observations {
		if o.Kind == kind {
			list = append(list, o)
		}
	}
	return list
}

// compared counts the known cuts that were found, each by one observation, and
// the observations left over that are not at a gradual change either.
func compared(k *golden.Clip, seen []perceive.Observation) (hits, extra int) {
	taken := make(map[int]bool)
	for _, at := range k.Content.Cuts {
		for i, o := range seen {
			if !taken[i] && math.Abs(o.Span.Start.Seconds()-at) <= nearS {
				taken[i] = true
				hits++
				break
			}
		}
	}
	for i, o := range seen {
		at := o.Span.Start.Seconds()
		for _, g := range k.Content.Gradual {
			taken[i] = taken[i] || at >= g.Start-nearS && at <= g.End+nearS
		}
		if !taken[i] {
			extra++
		}
	}
	return hits, extra
}

// gradual counts the known dissolves and fades that were found, and those that
// overlap nothing known.
func gradual(k *golden.Clip, a *perceive.Answer) (hits, extra int) {
	var seen []perceive.Observation
	for _, o := range a.Observations {
		if strings.Contains(o.What, "dissolve into") || strings.Contains(o.What, "fade through black") {
			seen = append(seen, o)
		}
	}
	taken := make(map[int]bool)
	for _, g := range k.Content.Gradual {
		hit := false
		for i, o := range seen {
			if o.Span.Start.Seconds() <= g.End && o.Span.End.Seconds() >= g.Start {
				taken[i], hit = true, true
			}
		}
		if hit {
			hits++
		}
	}
	return hits, len(seen) - len(taken)
}

// looks are what is said, and what is not, of known clips.
var looks = []struct{ file, says, not string }{
	{"sintel_2s_letterbox.mp4", "above and below the picture (letterbox), 12 % and 12 %", "left and right"},
	{"smpte_2997.mp4", "left and right of the picture (pillarbox), 12 % and 12 %", "letterbox"},
	{"flower.mp4", "No cut was found: the picture seems to be one continuous shot of 5.00 s", "bars"},
	{"intel_car-detection.mp4", "the dominant colours are grey", "pan "},
	{"intel_one-by-one-person-detection.mp4", "the camera seems to be fixed", "pan "},
	{"bbb_trailer.webm", "fade through black", "bars"},
}

func looksRight(t *testing.T, file string, a *perceive.Answer) {
	t.Helper()
	for _, c := range looks {
		if c.file == file && (!strings.Contains(a.Text, c.says) || strings.Contains(a.Text, c.not)) {
			t.Errorf("%s: want %q and not %q in\n%s", c.file, c.says, c.not, a.Text)
		}
	}
}
