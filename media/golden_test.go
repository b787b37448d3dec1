package media

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
)

// A knownClip is what is known of a real clip.
type knownClip struct {
	File    string
	SHA256  string
	Streams []struct {
		Kind  string `json:"codec_type"`
		Cover int    `json:"attached_pic"`
	}
	Content struct {
		Cuts    []float64 `json:"hard_cuts_s"`
		Gradual []struct{ T0, T1 float64 }
		Sounds  []string
	}
	Audio *struct {
		LUFS float64  `json:"lufs"`
		Peak *float64 `json:"true_peak_dbtp"`
	} `json:"measured_audio"`
}

func TestLongRealClips(t *testing.T) {
	need.FFmpeg(t)
	text, err := os.ReadFile(golden.Path(t, "media", "MANIFEST.json"))
	var manifest struct{ Files []knownClip }
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	fixture.OK(t, err)
	cuts, found, wrong, worst := 0, 0, 0, 0.
	for _, c := range manifest.Files {
		f := probedFile(t, golden.Path(t, "media", c.File))
		c.streamsAre(t, f)
		s, err := RunSurvey(t.Context(), f, SurveyOptions{})
		if err != nil || len(s.Warnings) > 0 {
			t.Errorf("%s: %v %v", c.File, err, s.Warnings)
			continue
		}
		if s.Audio != nil {
			worst = max(worst, c.loudnessIs(t, s.Audio))
		}
		if s.Video != nil {
			c.timesAre(t, f, s.Video)
			hits, extra := c.cutsAre(s.Video.Cuts)
			t.Logf("%s: %d of %d cuts, %d wrong", c.File, hits, len(c.Content.Cuts), extra)
			cuts, found, wrong = cuts+len(c.Content.Cuts), found+hits, wrong+extra
		}
	}
	t.Logf("%d of %d cuts found, %d wrong; loudness off by at most %.1f LU", found, cuts, wrong, worst)
	if recall := float64(found) / float64(cuts); recall < 0.85 || wrong > 3 {
		t.Errorf("recall %.2f, %d wrong cuts; want 0.85 and at most 3", recall, wrong)
	}
}

func (c *knownClip) streamsAre(t *testing.T, f *File) {
	video, audio := false, false
	for _, s := range c.Streams {
		video = video || s.Kind == "video" && s.Cover == 0
		audio = audio || s.Kind == "audio"
	}
	if (f.Video != nil) != video || (f.Audio != nil) != audio {
		t.Errorf("%s: video %v, audio %v; want %t, %t", c.File, f.Video, f.Audio, video, audio)
	}
	if d, err := f.Digest(t.Context()); d != c.SHA256 || err != nil {
		t.Errorf("%s: digest %s, %v", c.File, d, err)
	}
	if len(f.Warnings) > 0 {
		t.Errorf("%s: %v", c.File, f.Warnings)
	}
	if c.File == "nasa_13013.mp4" && (f.Video.Index != 3 || f.Audio.Index != 4) {
		t.Errorf("%s: streams %d and %d, want the larger picture and the 16 kHz sound", c.File, f.Video.Index, f.Audio.Index)
	}
}

// loudnessIs returns by how many LU the loudness differs. Loudness of silence
// is not measured; the manifest says -70.
func (c *knownClip) loudnessIs(t *testing.T, h *AudioSurvey) (off float64) {
	if h.Silent() != (c.Audio.Peak == nil) || h.Silent() != (h.Loudness == nil) {
		t.Errorf("%s: silent %t, loudness %v", c.File, h.Silent(), h.Loudness)
	}
	if h.Loudness == nil {
		return 0
	}
	off = math.Abs(h.Loudness.Integrated - c.Audio.LUFS)
	if off > 0.5 || math.Abs(h.Loudness.TruePeak-*c.Audio.Peak) > 0.5 {
		t.Errorf("%s: %+v, want %+v", c.File, *h.Loudness, *c.Audio)
	}
	return off
}

// timesAre compares the frames decoded with the timeline read without decoding.
func (c *knownClip) timesAre(t *testing.T, f *File, s *VideoSurvey) {
	line, err := f.Timeline(t.Context())
	fixture.OK(t, err)
	var pts []int64
	for _, m := range s.Moments {
		pts = append(pts, m.PTS)
	}
	if !slices.Equal(pts, line.PTS) {
		t.Errorf("%s: %d frames decoded, %d in the timeline", c.File, len(pts), len(line.PTS))
	}
}

// cutsAre counts the known cuts that were found to 0.09 s, and what was found
// that is neither one of them nor within a gradual transition.
func (c *knownClip) cutsAre(cuts []Cut) (hits, wrong int) {
	const close = 0.09
	used := make([]bool, len(c.Content.Cuts))
	for _, cut := range cuts {
		at := cut.Time.Seconds()
		i := slices.IndexFunc(c.Content.Cuts, func(want float64) bool { return math.Abs(want-at) <= close })
		inside := slices.ContainsFunc(c.Content.Gradual, func(g struct{ T0, T1 float64 }) bool { return at >= g.T0-close && at <= g.T1+close })
		switch {
		case i >= 0 && !used[i]:
			used[i] = true
			hits++
		case i < 0 && !inside:
			wrong++
		}
	}
	return hits, wrong
}

func TestRealClipFrameTimes(t *testing.T) {
	need.FFmpeg(t)
	for _, name := range []string{"bbb_trailer.webm", "nasa_13013.mp4", "flower.mp4"} {
		path := golden.Path(t, "media", name)
		f := probedFile(t, path)
		p, _ := Profile("qwen3-omni")
		taken, err := Frames(t.Context(), f, p, omniscope.Span{End: 5 * time.Second}, "")
		want := ffprobeStamps(t, path, strconv.Itoa(f.Video.Index))
		if err != nil || len(taken.Frames) != len(taken.Plan.Indices) {
			t.Fatal(name, err)
		}
		for _, frame := range taken.Frames {
			if frame.PTS != want[frame.Index] {
				t.Errorf("%s: frame %d has PTS %d, want %d", name, frame.Index, frame.PTS, want[frame.Index])
			}
		}
	}
}
