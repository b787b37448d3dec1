package media

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

func TestChromaprint(t *testing.T) {
	f := probedFile(t, clips.Made(t, "a.wav", "-f lavfi -i anoisesrc=d=5:seed=3:r=22050"))
	words, err := Chromaprint(t.Context(), f)
	fixture.OK(t, err)
	if want := int((5*time.Second-ChromaprintSpan)/ChromaprintStep) + 1; len(words) != want {
		t.Errorf("%d words of 5 s, want %d", len(words), want)
	}
	again, err := Chromaprint(t.Context(), f)
	if err != nil || !slices.Equal(words, again) {
		t.Errorf("%v, then %v, %v", words, again, err)
	}
	short := probedFile(t, clips.Made(t, "short.wav", "-f lavfi -i anoisesrc=d=2.5:r=22050"))
	if words, err := Chromaprint(t.Context(), short); err != nil || len(words) != 0 {
		t.Errorf("2.5 s of sound: %d words, %v, want none", len(words), err)
	}
	mute := probedFile(t, clips.Made(t, "mute.mp4", counting+"-t 1 "+x264))
	if _, err := Chromaprint(t.Context(), mute); !errors.Is(err, ErrNoAudio) {
		t.Errorf("no sound: %v", err)
	}
}

func TestCutFullSize(t *testing.T) {
	f := probedFile(t, clips.Made(t, "a.mkv", "-f lavfi -i testsrc=s=801x601:rate=10 -f lavfi -i sine=300 -t 3 -c:v mjpeg -c:a flac"))
	span := omniscope.Span{Start: time.Second, End: 2500 * time.Millisecond}
	var texts [2][]byte
	for i := range texts {
		to := filepath.Join(t.TempDir(), "cut.mp4")
		fixture.OK(t, CutFullSize(t.Context(), f, span, to))
		c := probedFile(t, to)
		if c.Video.Width != 800 || c.Video.Height != 600 || c.Audio == nil || (c.End()-1500*time.Millisecond).Abs() > 100*time.Millisecond {
			t.Errorf("%d×%d, %v, want 800×600 and 1.5 s with sound", c.Video.Width, c.Video.Height, c.End())
		}
		var err error
		if texts[i], err = os.ReadFile(to); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("the same span was cut into other bytes the second time")
	}
}
