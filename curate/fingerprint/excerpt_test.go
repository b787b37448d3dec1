package fingerprint

import (
	"fmt"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/media"
)

func listened(t *testing.T, path string) (*media.File, *Sketch) {
	t.Helper()
	f, err := media.Probe(t.Context(), path)
	fixture.OK(t, err)
	s, err := listen(t.Context(), f)
	fixture.OK(t, err)
	return f, s
}

func TestShortExcerptsAreFoundBySound(t *testing.T) {
	need.FFmpeg(t)
	const noise = "-f lavfi -i anoisesrc=d=%s:seed=%d:r=16000:a=0.5 -af tremolo=f=3:d=0.9,aphaser=speed=0.7:decay=0.6,lowpass=2500 -c:a aac -b:a 96k"
	whole := made(t, "excerpt_whole.m4a", fmt.Sprintf(noise, "10", 71))
	other := made(t, "excerpt_other.m4a", fmt.Sprintf(noise, "10", 72))
	wf, ws := listened(t, whole)
	of, os := listened(t, other)
	for _, length := range []string{"1", "1.6", "2.4", "3"} {
		path := made(t, "excerpt_"+length+".m4a", "-i "+whole+" -ss 2.37 -t "+length+" -c:a aac -b:a 64k")
		f, s := listened(t, path)
		if !s.Comparable() || !s.Heard() {
			t.Fatalf("%s s are not comparable", length)
		}
		for _, both := range []struct {
			a, b         *Sketch
			f, g         *media.File
			sign, answer time.Duration
		}{{s, ws, f, wf, -1, 1}, {ws, s, wf, f, 1, 1}, {s, os, f, of, -1, 0}} {
			m, err := Confirm(t.Context(), both.f, both.g, Excerpt(both.a, both.b))
			fixture.OK(t, err)
			off := (both.sign*m.Offset - 2370*time.Millisecond).Abs()
			if m.Found() != (both.answer == 1) || m.Found() && off > 100*time.Millisecond {
				t.Errorf("%s s: %+v", length, m)
			}
		}
	}
}

func TestSoundThatCannotBeCompared(t *testing.T) {
	need.FFmpeg(t)
	for name, c := range map[string]struct {
		args  string
		heard bool
	}{
		"too short":  {"-f lavfi -i anoisesrc=d=0.7:seed=3:r=16000:a=0.5 -af tremolo=f=3:d=0.9", true},
		"too even":   {"-f lavfi -i sine=f=440:d=3:r=16000", true},
		"even noise": {"-f lavfi -i anoisesrc=d=3:seed=3:r=16000:a=0.2:c=white", true},
		"silent":     {"-f lavfi -i anullsrc=r=16000:cl=mono -t 2", false},
		"no sound":   {"-f lavfi -i testsrc=s=64x48:r=5:d=1 -f mp4", false},
	} {
		_, s := listened(t, made(t, "uncomparable.mkv", c.args))
		if s.Comparable() || s.Heard() != c.heard {
			t.Errorf("%s: comparable %v, heard %v", name, s.Comparable(), s.Heard())
		}
	}
}
