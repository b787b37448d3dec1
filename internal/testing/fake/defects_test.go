package fake

import (
	"slices"
	"testing"
)

// perceived sends the same media to a server with a defect. What the callback
// returns is what can be perceived of them while the request is answered.
func perceived(t *testing.T, d Defect, request object) (seen *Seen, levels []int, channels [][]float64) {
	t.Helper()
	o := &Media{Dialect: VLLM, Answer: func(s *Seen) string {
		for _, i := range s.Images {
			picture, err := i.Picture()
			if err != nil {
				t.Error(err)
				continue
			}
			if size := picture.Bounds().Size(); size.X != i.Width || size.Y != i.Height {
				t.Errorf("a picture of %v, said to be %dx%d", size, i.Width, i.Height)
			}
			levels = append(levels, levelOf(picture))
		}
		for _, v := range s.Videos {
			frames, err := v.Pictures(t.Context())
			if err != nil || len(frames) != v.Frames {
				t.Errorf("%d frames, want %d: %v", len(frames), v.Frames, err)
			}
			for _, f := range frames {
				levels = append(levels, levelOf(f))
			}
		}
		for _, a := range s.Sounds() {
			samples, err := a.Samples(t.Context())
			if err != nil {
				t.Error(err)
			}
			channels = append(channels, samples...)
		}
		return "fine"
	}}
	if d != "" {
		o.Defects = []Defect{d}
	}
	request["mm_processor_kwargs"] = object{"use_audio_in_video": true}
	seen = accepted(t, o.Start(t), request)
	return seen, levels, channels
}

// A clip of 40 s whose brightness rises from frame to frame, 1 frame a second,
// with a tone in the left channel alone.
const rising = "-f lavfi -i color=black:s=448x252:r=1:d=40,format=gray,geq=lum='16+5*N' -f lavfi -i aevalsrc='sin(2000*t)|0':s=16000:d=40 -c:v libx264 -crf 4 -pix_fmt yuv420p -c:a aac -b:a 64k"

func TestLongDefectsOfVideo(t *testing.T) {
	clip := made(t, "a.mp4", rising)
	request := func() object { return userMessage(addressed("video_url", dataURL("video/mp4", clip))) }
	whole, levels, channels := perceived(t, "", request())
	if len(levels) != 40 || !slices.IsSorted(levels) || levels[39]-levels[0] < 150 || len(channels) != 2 || len(channels[0]) < 39*heardRate {
		t.Fatalf("without a defect: levels %v, %d channels", levels, len(channels))
	}
	perFrame := 16 * 9
	for _, c := range []struct {
		defect Defect
		right  func(s *Seen, levels []int, channels [][]float64) bool
	}{
		{DropsAudio, func(s *Seen, levels []int, channels [][]float64) bool {
			return len(channels) == 0 && len(levels) == 40 && s.PromptTokens == 2+20*perFrame
		}},
		{KeepsFirst30s, func(s *Seen, levels []int, channels [][]float64) bool {
			return len(levels) == 30 && s.Videos[0].Seconds == 30 && len(channels[0]) == 30*heardRate && s.PromptTokens == 2+15*perFrame+750
		}},
		{ShufflesFrames, func(s *Seen, levels []int, _ [][]float64) bool {
			sorted := slices.Sorted(slices.Values(levels))
			return len(levels) == 40 && !slices.IsSorted(levels) && sorted[39]-sorted[0] > 150 && s.PromptTokens == whole.PromptTokens
		}},
		{HalvesFrames, func(s *Seen, levels []int, _ [][]float64) bool {
			return len(levels) == 20 && slices.IsSorted(levels) && s.Videos[0].FPS == 0.5 && whole.PromptTokens-s.PromptTokens == 10*perFrame
		}},
		{IgnoresVideo, func(s *Seen, levels []int, channels [][]float64) bool {
			return len(levels) == 0 && len(s.Videos) == 0 && len(channels) == 2 && whole.PromptTokens-s.PromptTokens == 20*perFrame
		}},
		{MixesChannels, func(s *Seen, _ []int, channels [][]float64) bool {
			return len(channels) == 1 && s.Videos[0].Sound.Channels == 1
		}},
		{DownsizesTo224, func(s *Seen, levels []int, _ [][]float64) bool {
			return len(levels) == 40 && s.Videos[0].Width == 224 && s.Videos[0].Height == 126 && whole.PromptTokens-s.PromptTokens == 20*(16*9-8*5)
		}},
	} {
		t.Run(string(c.defect), func(t *testing.T) {
			seen, levels, channels := perceived(t, c.defect, request())
			if !c.right(seen, levels, channels) {
				t.Errorf("levels %v, %d channels, %s", levels, len(channels), seen.Facts())
			}
		})
	}
}

func TestDefectsOfImagesAndSounds(t *testing.T) {
	var parts []object
	for i := range 4 {
		parts = append(parts, textPart([]string{"0s", "1s", "2s", "3s"}[i]), addressed("image_url", dataURL("image/jpeg", jpegOf(t, 448, 224, uint8(50*i)))))
	}
	parts = append(parts, inputAudio(base64ed(made(t, "a.wav", "-f lavfi -i aevalsrc='sin(2000*t)|0':s=16000:d=31")), "wav"))
	times := func(s *Seen) (all []Time) {
		for _, i := range s.Images {
			all = append(all, *i.Time)
		}
		return all
	}
	for _, c := range []struct {
		defect Defect
		right  func(s *Seen, levels []int) bool
	}{
		{"", func(s *Seen, levels []int) bool {
			return slices.IsSorted(levels) && len(levels) == 4 && s.Audios[0].Seconds == 31 && s.PromptTokens == 2+4+4*16*8+775
		}},
		{DropsAudio, func(s *Seen, levels []int) bool { return len(levels) == 4 && len(s.Audios) == 0 }},
		{KeepsFirst30s, func(s *Seen, levels []int) bool { return len(levels) == 4 && s.Audios[0].Seconds == 30 }},
		{ShufflesFrames, func(s *Seen, levels []int) bool {
			return levels[0] > 40 && !slices.IsSorted(levels) && slices.Equal(times(s), []Time{0, 1, 2, 3})
		}},
		{HalvesFrames, func(s *Seen, levels []int) bool {
			return len(levels) == 2 && levels[1] > 90 && slices.Equal(times(s), []Time{0, 2})
		}},
		{IgnoresVideo, func(s *Seen, levels []int) bool { return len(levels) == 0 && len(s.Audios) == 1 }},
		{MixesChannels, func(s *Seen, _ []int) bool { return s.Audios[0].Channels == 1 }},
		{DownsizesTo224, func(s *Seen, _ []int) bool { return s.Images[0].Width == 224 && s.Images[0].Height == 112 }},
	} {
		seen, levels, _ := perceived(t, c.defect, userMessage(parts...))
		if !c.right(seen, levels) {
			t.Errorf("%q: levels %v, %s", c.defect, levels, seen.Facts())
		}
	}
}

func TestMixedChannelsAreHeardAsOne(t *testing.T) {
	request := userMessage(inputAudio(base64ed(made(t, "a.wav", "-f lavfi -i aevalsrc='0.5*sin(2000*t)|0':s=16000:d=1")), "wav"))
	loudest := func(samples []float64) float64 { return slices.Max(samples) }
	_, _, apart := perceived(t, "", request)
	_, _, mixed := perceived(t, MixesChannels, request)
	if len(apart) != 2 || !near(loudest(apart[0]), 0.5, 0.01) || loudest(apart[1]) != 0 || len(mixed) != 1 || !near(loudest(mixed[0]), 0.25, 0.01) {
		t.Errorf("apart %d, mixed %d channels", len(apart), len(mixed))
	}
}

func TestMediaGoneAfterAnswer(t *testing.T) {
	s := (&Media{}).Start(t)
	seen := accepted(t, s, userMessage(addressed("image_url", dataURL("image/png", pngOf(t, 8, 8)))))
	if _, err := seen.Images[0].Picture(); err == nil {
		t.Error("the picture of an answered request can be opened")
	}
}

func TestUnknownOptions(t *testing.T) {
	for _, m := range []*Media{{Dialect: "gopher"}, {Defects: []Defect{"sleeps"}}} {
		if err := m.Listen(Config{}); err == nil {
			m.Close()
			t.Errorf("dialect %q, defects %q are accepted", m.Dialect, m.Defects)
		}
	}
}
