package tokens

import "testing"

// TestKnownTokens compares with figures that the processors' rules give: 720p for 60 s.
func TestKnownTokens(t *testing.T) {
	qwen := Models[0]
	for _, c := range []struct {
		name          string
		sampling      Sampling
		seconds       float64
		width, height int
		want          int
	}{
		{"720p for 60 s at our cap", Ours, 60, 1280, 720, 7200},
		{"720p for 60 s at the library's cap", Sampling{2, 768, 602112}, 60, 1280, 720, 43200},
		{"720p for 10 s", Ours, 10, 1280, 720, 1200},
		{"beyond the most frames", Ours, 300, 1280, 720, 7200},
		{"600 frames share the tokens of a video", Sampling{2, 768, 602112}, 300, 1280, 720, 300 * 26 * 14},
		{"a small picture is made larger", Ours, 10, 160, 120, 10 * 14 * 10},
	} {
		rate := 30.0
		got, err := qwen.Video(c.sampling, c.seconds, rate, int(c.seconds*rate), c.width, c.height)
		if err != nil || got != c.want {
			t.Errorf("%s: %d, %v; want %d", c.name, got, err, c.want)
		}
	}
	if got := qwen.Audio(60); got != 1500 {
		t.Errorf("60 s of sound: %d tokens, want 1500", got)
	}
}

// TestFramesTaken follows smart_nframes by hand.
func TestFramesTaken(t *testing.T) {
	for _, c := range []struct {
		rate   float64
		frames int
		want   int
	}{
		{30, 300, 20}, {30, 330, 22}, {30, 315, 20}, {30, 30, 4}, {30, 3, 2}, {1, 10, 10}, {30, 30 * 600, 120}, {0, 10, 0},
	} {
		if got := Ours.Frames(float64(c.frames)/max(c.rate, 1), c.rate, c.frames); got != c.want {
			t.Errorf("%d frames at %g a second: %d, want %d", c.frames, c.rate, got, c.want)
		}
	}
}
