package media

import (
	"bytes"
	"image/jpeg"
	"math"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// TestThumbnail takes the frame on the screen, no larger than asked for, and no larger
// than it is.
func TestThumbnail(t *testing.T) {
	f := probedFile(t, clips.Made(t, "wide.mp4", "-f lavfi -i color=black:s=320x180:r=25,format=gray,geq=lum='if(lt(N,25),16,235)',format=yuv420p -t 2 "+x264))
	for _, c := range []struct {
		at            time.Duration
		edge          int
		width, height int
		bright        bool
	}{{500 * time.Millisecond, 160, 160, 90, false}, {1500 * time.Millisecond, 160, 160, 90, true}, {time.Hour, 1000, 320, 180, true}} {
		data, err := Thumbnail(t.Context(), f, c.at, c.edge)
		fixture.OK(t, err)
		picture, err := jpeg.Decode(bytes.NewReader(data))
		fixture.OK(t, err)
		size := picture.Bounds().Size()
		level, _, _, _ := picture.At(size.X/2, size.Y/2).RGBA()
		if size.X != c.width || size.Y != c.height || (level > 1<<15) != c.bright {
			t.Errorf("at %s: %d x %d, level %d", c.at, size.X, size.Y, level)
		}
	}
	sound := probedFile(t, clips.Made(t, "sound.wav", "-f lavfi -i sine=440 -t 1 "))
	if _, err := Thumbnail(t.Context(), sound, 0, 100); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("of a sound: %v", err)
	}
}

// TestPeaks: silence, then a tone of half the range, then silence.
func TestPeaks(t *testing.T) {
	f := probedFile(t, clips.Made(t, "tone.wav", "-f lavfi -i aevalsrc='0.5*sin(880*PI*t)*between(t,1,2)':s=16000:d=3 "))
	peaks, err := Peaks(t.Context(), f, omniscope.Span{}, 6)
	fixture.OK(t, err)
	for i, want := range []float64{0, 0, 0.5, 0.5, 0, 0} {
		if math.Abs(peaks[i]-want) > 0.02 {
			t.Errorf("part %d has the peak %.3f, want %.3f", i, peaks[i], want)
		}
	}
	mute := probedFile(t, clips.Made(t, "mute.mp4", counting+"-t 1 "+x264))
	if _, err := Peaks(t.Context(), mute, omniscope.Span{}, 6); omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("without sound: %v", err)
	}
}
