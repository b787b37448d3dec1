package media

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"omniscope/internal/testing/clips"
)

func TestShownSize(t *testing.T) {
	for _, c := range []struct {
		stream        Stream
		side          int
		width, height int
	}{
		{Stream{Width: 1920, Height: 1080}, 960, 960, 540},
		{Stream{Width: 641, Height: 359}, 960, 642, 360},
		{Stream{Width: 1080, Height: 1920}, 960, 540, 960},
		{Stream{Width: 720, Height: 576, PixelForm: Rational{16, 11}}, 0, 1048, 576},
		{Stream{Width: 576, Height: 720, PixelForm: Rational{16, 11}, Rotation: 90}, 0, 576, 1048},
		{Stream{Width: 5000, Height: 3}, 960, 960, 2},
	} {
		if w, h := c.stream.ShownSize(c.side); w != c.width || h != c.height {
			t.Errorf("%+v: %d×%d, want %d×%d", c.stream, w, h, c.width, c.height)
		}
	}
}

func TestEncodeProxy(t *testing.T) {
	// A time base of 1/25 s is too coarse, and one that starts late is shifted.
	film := probedFile(t, clips.Made(t, "a.avi", counting+"-t 2 -c:v mpeg4 -q:v 2"))
	to := filepath.Join(t.TempDir(), "proxy.mp4")
	if warnings, err := EncodeProxy(t.Context(), film, 32, to, nil); err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	proxy := probedFile(t, to)
	timeline, err := proxy.Timeline(t.Context())
	if err != nil || timeline.Frames() != 50 || timeline.At(49) != 1960*time.Millisecond || proxy.Video.Width != 32 || proxy.Video.TimeBase.Den < leastTicks {
		t.Errorf("%v, %+v, %v", proxy.Video, timeline, err)
	}
	sound := probedFile(t, clips.Made(t, "a.wav", "-f lavfi -i sine=440 -t 1"))
	samples := 0
	if _, err := EncodeProxy(t.Context(), sound, 32, to, func(c Chunk) error { samples += len(c.Samples) / c.Channels; return nil }); err != nil || samples != proxyRate {
		t.Errorf("%d samples, %v", samples, err)
	}
	if err := CopyPicture(t.Context(), probedFile(t, to), to); !errors.Is(err, ErrNoVideo) {
		t.Errorf("the picture of a sound: %v", err)
	}
}
