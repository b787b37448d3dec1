package perceive

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"omniscope"
	"omniscope/media"
)

func openMade(t *testing.T) *Clip {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed")
	}
	path := filepath.Join(t.TempDir(), "clip.mp4")
	out, err := exec.Command("ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=4", path).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	c, err := Open(t.Context(), omniscope.Clip{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestFramesOnce has several observers ask for frames at the same time: those of one policy are taken once,
// and go when the clip is closed.
func TestFramesOnce(t *testing.T) {
	c := openMade(t)
	var asking sync.WaitGroup
	var got [4]*media.SampledFrames
	for i := range got {
		asking.Go(func() {
			var err error
			if got[i], err = c.Frames(t.Context(), media.Policy{FPS: float64(1 + i%2)}); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
	if got[0] != got[2] || got[1] != got[3] || got[0] == got[1] || len(got[0].Frames) != 4 || len(got[1].Frames) != 8 {
		t.Fatalf("taken: %p %p %p %p, %d and %d frames", got[0], got[1], got[2], got[3], len(got[0].Frames), len(got[1].Frames))
	}
	frame := &got[1].Frames[7]
	if data, err := frame.Bytes(); err != nil || len(data) < 1000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(frame.Path); !os.IsNotExist(err) {
		t.Errorf("a frame is left: %v", err)
	}
}

// TestMadeOnce has a file be made again after it failed, and then never again.
func TestMadeOnce(t *testing.T) {
	c := openMade(t)
	defer c.Close()
	calls := 0
	write := func(path string) error {
		if calls++; calls == 1 {
			return errors.New("the disk is full")
		}
		return os.WriteFile(path, []byte("sound"), 0o600)
	}
	for i, fails := range []bool{true, false, false} {
		data, err := c.Made(t.Context(), "sound.wav", write)
		if (err != nil) != fails || !fails && string(data) != "sound" {
			t.Errorf("call %d: %q, %v", i, data, err)
		}
	}
	if calls != 2 {
		t.Errorf("made %d times", calls)
	}
}

// TestDecodingWaits has as many clips decoded at a time as there are cores; who waits can be told to end.
func TestDecodingWaits(t *testing.T) {
	c := openMade(t)
	defer c.Close()
	for range cap(decoding) {
		decoding <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Look(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v while all cores are taken", err)
	}
	for range cap(decoding) {
		<-decoding
	}
	if _, err := c.Look(t.Context()); err != nil || len(decoding) != 0 {
		t.Errorf("error %v, %d are taken", err, len(decoding))
	}
}
