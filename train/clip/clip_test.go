package clip

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
)

const (
	moving = "-f lavfi -i testsrc2=d=4:s=96x64:r=25"
	tone   = "-f lavfi -i sine=440:d=4:r=16000"
)

func measured(t *testing.T, path string) *Measured {
	t.Helper()
	m, err := Measure(t.Context(), path)
	fixture.OK(t, err)
	return m
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.05 }

// TestWhatIsMeasured makes files with one property each.
func TestWhatIsMeasured(t *testing.T) {
	good := measured(t, clips.Made(t, "good.mp4", moving+" "+tone+" -c:v libx264 -c:a aac"))
	if p, s := good.Picture, good.Sound; p.Variable || !near(p.Start, 0) || !near(p.Seconds, 4) || p.Frames != 100 || p.Width != 96 || p.Height != 64 || p.Still > 0.1 ||
		!near(s.Start, 0) || !near(s.Seconds, 4) || s.Silent || s.Quiet > 0.1 || good.Broken != "" || len(good.SHA256) != 64 {
		t.Errorf("a good file: %+v %+v %q", *p, *s, good.Broken)
	}
	mute := measured(t, clips.Made(t, "mute.mp4", moving+" -f lavfi -i anullsrc=d=4 -c:v libx264 -c:a aac -shortest"))
	if !mute.Sound.Silent || mute.Sound.Quiet != 1 {
		t.Errorf("a mute file: %+v", *mute.Sound)
	}
	if without := measured(t, clips.Made(t, "without.mp4", moving+" -c:v libx264")); without.Sound != nil {
		t.Errorf("a file without sound has %+v", *without.Sound)
	}
	if still := measured(t, clips.Made(t, "still.mp4", "-f lavfi -i color=red:d=4:s=96x64 -c:v libx264")); still.Picture.Still < 0.9 {
		t.Errorf("a still file: %+v", *still.Picture)
	}
	if varies := measured(t, clips.Made(t, "varies.mkv", moving+" -vf select='not(between(mod(n\\,10)\\,3\\,5))' -vsync vfr -c:v libx264")); !varies.Picture.Variable {
		t.Errorf("a variable frame rate: %+v", *varies.Picture)
	}
	if ntsc := measured(t, clips.Made(t, "ntsc.mkv", "-f lavfi -i testsrc2=d=4:s=96x64:r=30000/1001 -c:v libx264")); ntsc.Picture.Variable {
		t.Errorf("29.97 frames a second in whole milliseconds: %+v", *ntsc.Picture)
	}
	if late := measured(t, clips.Made(t, "late.mp4", moving+" -itsoffset 0.7 "+tone+" -c:v libx264 -c:a aac")); math.Abs(late.Sound.Start-0.7) > 0.1 || !near(late.Picture.Start, 0) {
		t.Errorf("late sound: %+v %+v", *late.Sound, *late.Picture)
	}
	wav := measured(t, clips.Made(t, "sound.wav", tone))
	if wav.Picture != nil || !near(wav.Seconds(), 4) {
		t.Errorf("a sound file: %+v", wav)
	}
	whole := clips.Made(t, "whole.mp4", moving+" "+tone+" -c:v libx264 -c:a aac -movflags +faststart")
	text, err := os.ReadFile(whole)
	fixture.OK(t, err)
	os.WriteFile(whole, text[:len(text)*6/10], 0o644)
	if cut := measured(t, whole); cut.Broken == "" {
		t.Error("a file that is cut off decodes whole")
	}
}

// TestLongSteadyFiles makes steady files of files that are not: with gaps, with late or short sound, of a span.
func TestLongSteadyFiles(t *testing.T) {
	for name, c := range map[string]struct {
		args  string
		span  omniscope.Span
		want  float64
		sound bool
	}{
		"gaps":        {moving + " " + tone + " -vf select='not(between(mod(n\\,10)\\,3\\,5))' -vsync vfr -c:v libx264 -c:a aac", omniscope.Span{}, 4, true},
		"late sound":  {moving + " -itsoffset 0.7 " + tone + " -c:v libx264 -c:a aac", omniscope.Span{}, 4.7, true},
		"short sound": {moving + " -f lavfi -i sine=440:d=2:r=16000 -c:v libx264 -c:a aac", omniscope.Span{}, 4, true},
		"a span":      {moving + " " + tone + " -c:v libx264 -c:a aac", omniscope.Span{Start: time.Second, End: 2500 * time.Millisecond}, 1.5, true},
		"mute":        {moving + " -c:v libx264", omniscope.Span{}, 4, false},
	} {
		from := clips.Made(t, "from.mkv", c.args)
		f, err := media.Probe(t.Context(), from)
		fixture.OK(t, err)
		var digests []string
		for _, to := range []string{filepath.Join(t.TempDir(), "a.mp4"), filepath.Join(t.TempDir(), "b.mp4")} {
			if err := media.CutSteady(t.Context(), f, c.span, to); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			m := measured(t, to)
			digests = append(digests, m.SHA256)
			p := m.Picture
			if p.Variable || !near(p.Start, 0) || math.Abs(p.Seconds-c.want) > 0.09 || m.Broken != "" {
				t.Errorf("%s: picture %+v, %q", name, *p, m.Broken)
			}
			if (m.Sound != nil) != c.sound || c.sound && (!near(m.Sound.Start, 0) || math.Abs(m.Sound.Seconds-p.Seconds) > 0.1) {
				t.Errorf("%s: sound %+v beside %+v", name, m.Sound, *p)
			}
		}
		if digests[0] != digests[1] {
			t.Errorf("%s: the same file twice differs", name)
		}
	}
}
