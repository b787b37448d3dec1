package perceive

import (
	"bytes"
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
)

func openMade(t *testing.T) *Clip {
	t.Helper()
	c, err := Open(t.Context(), omniscope.Clip{Path: clips.Made(t, "clip.mp4", "-f lavfi -i testsrc2=s=320x180:r=10:d=4")})
	fixture.OK(t, err)
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
	fixture.OK(t, c.Close())
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

// A looker is a tool that asks a clip for frames of its own.
type looker struct {
	Tool
	info Info
}

func (l looker) Info() Info { return l.info }

// TestFramesOnTheWay has the look take the frames that observers will ask for: they then need no decoder, and are those that
// an observer without a look gets.
func TestFramesOnTheWay(t *testing.T) {
	c := openMade(t)
	defer c.Close()
	few, own := media.Policy{Frames: 3, MaxPixels: 160 * 90}, media.Policy{FPS: 1}
	same := c.sampling()
	models := []Tool{looker{info: Info{Model: "m", Frames: &few}}, looker{info: Info{Model: "n", Frames: &few}}, looker{info: Info{Model: "o", Frames: &same}}}
	if c.Expect(models); len(c.expected) != 0 {
		t.Error("a clip is decoded as a whole for models alone, which ask for a few frames")
	}
	c.Expect(append(models, looker{info: Info{Looks: true}}))
	c.Expect([]Tool{looker{info: Info{Looks: true, Frames: &few}}})
	look, err := c.Look(t.Context())
	if err != nil || len(look.Samples) != 2 || len(look.Frames) != 8 {
		t.Fatalf("%v, %d samples", err, len(look.Samples))
	}
	for range cap(decoding) { // a decoder is not to be had
		decoding <- struct{}{}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	for _, p := range []media.Policy{few, same} {
		if _, err := c.Frames(ctx, p); err != nil {
			t.Error("frames that the look has taken are taken anew")
		}
	}
	if _, err := c.Frames(ctx, own); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("frames of which the look knew nothing: %v", err)
	}
	for range cap(decoding) {
		<-decoding
	}
	taken, err := c.Frames(t.Context(), few)
	fixture.OK(t, err)
	alone, err := media.Frames(t.Context(), c.File, few, omniscope.Span{}, "")
	if err != nil || len(alone.Frames) != 3 || len(taken.Frames) != 3 {
		t.Fatalf("%v, %d and %d frames", err, len(alone.Frames), len(taken.Frames))
	}
	for i := range alone.Frames {
		data, err := taken.Frames[i].Bytes()
		if err != nil || !bytes.Equal(data, alone.Frames[i].JPEG) || taken.Frames[i].Time != alone.Frames[i].Time {
			t.Errorf("frame %d is another one: %v", i, err)
		}
	}
}
