package media

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/clips"
)

// Sound in AVI is heard where it is in the file, or a warning names the gap that is lost.
func TestSoundOfAVI(t *testing.T) {
	const film = "-f lavfi -i testsrc2=s=64x48:r=25:d=6 "
	const beeps = "-f lavfi -i aevalsrc=0.5*sin(2*PI*880*t)*lt(mod(t\\,1)\\,0.1):s=44100:d=6 "
	const gap = "-af aselect=not(between(t\\,2.3\\,3.3)) "
	for _, c := range []struct {
		name, args string
		warned     string // "": without a gap
	}{
		{"MP3", beeps + both + "-c:v mpeg4 -c:a libmp3lame", ""},
		{"MP3 of variable rate", beeps + both + "-c:v mpeg4 -c:a libmp3lame -q:a 5", ""},
		{"AC-3", beeps + both + "-c:v mpeg4 -c:a ac3", ""},
		{"PCM", beeps + both + "-c:v mpeg4 -c:a pcm_s16le", ""},
		{"badly interleaved", beeps + both + "-c:v mpeg4 -c:a libmp3lame -max_interleave_delta 1 -muxpreload 2", ""},
		{"MP3 with a gap", beeps + both + gap + "-c:v mpeg4 -c:a libmp3lame", "the first at 2.35 s: the gap of 0.99 s"},
		{"AC-3 with a gap", beeps + both + gap + "-c:v mpeg4 -c:a ac3", "the first at 2.33 s: the gap of 1.01 s"},
		{"MP3 that begins late", "-itsoffset 0.5 " + beeps + both + "-c:v mpeg4 -c:a libmp3lame", "empty chunks, the first at 0.03 s: the gap of 0.4"},
	} {
		path := clips.Made(t, "a.avi", film+c.args)
		f := probedFile(t, path)
		if got := strings.Join(f.Warnings, "; "); !strings.Contains(got, c.warned) || c.warned == "" && got != "" || strings.Contains(got, "cut off") {
			t.Errorf("%s: warned %q, want %q", c.name, got, c.warned)
		}
		if c.warned != "" {
			continue
		}
		for i, at := range heard(t, path, omniscope.Span{}) {
			// An encoder's own delay may be in the file.
			if early := float64(i) - at; early > 0.02 || early < -0.05 {
				t.Errorf("%s: beep %d at %.3f s", c.name, i, at)
			}
		}
	}
}

func TestEmptyChunksOfAnIndex(t *testing.T) {
	entry := func(id string, size byte) string {
		return id + "\x10\x00\x00\x00" + "\x00\x00\x00\x00" + string(rune(size)) + "\x00\x00\x00"
	}
	for _, c := range []struct {
		name, index string
		n, first    int64
	}{
		{"no index", "", 0, 0},
		{"all full", entry("01wb", 9) + entry("00dc", 0) + entry("01wb", 9), 0, 0},
		{"a gap", entry("01wb", 9) + entry("01wb", 0) + entry("00dc", 9) + entry("01wb", 0) + entry("01wb", 9), 2, 1},
		{"an empty end", entry("01wb", 9) + entry("01wb", 0), 0, 1},
		{"another stream", entry("02wb", 0) + entry("01wb", 9), 0, 0},
		{"a broken entry", entry("01wb", 0) + entry("01wb", 9)[:15], 0, 0},
	} {
		if n, first := emptyChunks([]byte(c.index), []byte("01wb")); n != c.n || first != c.first {
			t.Errorf("%s: %d from %d on, want %d from %d on", c.name, n, first, c.n, c.first)
		}
	}
}
