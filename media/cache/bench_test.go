package cache

import (
	"testing"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
)

// As a model asks for a clip: 20 frames of 256×28×28 pixels, and the sound.
var modelPolicy = media.Policy{Count: media.QwenUtils, Factor: 28, FPS: 2, MaxFrames: 200, MaxPixels: 256 * 28 * 28}

// busyClip is 10 seconds of moving pictures with noise, 1280×720, and stereo
// sound.
func busyClip(b *testing.B) string {
	return clips.Made(b, "busy.mp4", "-f lavfi -i testsrc2=s=1280x720:r=25,noise=alls=12:allf=t,format=yuv420p "+
		"-f lavfi -i aevalsrc=0.2*sin(880*PI*t)+0.1*random(0)|0.2*sin(660*PI*t):s=44100 -t 10 "+
		"-c:v libx264 -preset ultrafast -crf 30 -g 67 -c:a aac")
}

func ask(b *testing.B, c *Cache, path string) {
	k, err := c.Clip(b.Context(), path)
	fixture.OK(b, err)
	frames, err := k.Frames(b.Context(), modelPolicy, omniscope.Span{})
	if err != nil || len(frames.Frames) != 20 {
		b.Fatal(err, len(frames.Frames))
	}
	if _, err := k.Sound(b.Context(), SoundPolicy{}, omniscope.Span{}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(k.File.Bytes)
}

// BenchmarkMiss is the first model's request for a clip.
func BenchmarkMiss(b *testing.B) {
	path := busyClip(b)
	for b.Loop() {
		b.StopTimer()
		c, _ := opened(b, b.TempDir(), Options{})
		b.StartTimer()
		ask(b, c, path)
	}
}

// BenchmarkHit is the second model's: by a cache that was opened anew.
func BenchmarkHit(b *testing.B) {
	path, dir := busyClip(b), b.TempDir()
	c, _ := opened(b, dir, Options{})
	ask(b, c, path)
	for b.Loop() {
		c, _ := opened(b, dir, Options{})
		ask(b, c, path)
	}
}
