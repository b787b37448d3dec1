package segment

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/internal/testing/need"
	"omniscope/media"
	"omniscope/media/pdac"
	"omniscope/media/wav"
)

// published are the frames and segments that were computed of a speech, four times,
// by another program with the same formula, and by SHAS.
func published(t *testing.T, id string) (probs []float64, segments []pdac.Segment) {
	t.Helper()
	text, err := os.ReadFile(golden.Path(t, "mcif", "shas_pdac.jsonl"))
	fixture.OK(t, err)
	for line := range strings.Lines(string(text)) {
		var v struct {
			ID       string
			Probs    []float64
			Segments []pdac.Segment
		}
		fixture.OK(t, json.Unmarshal([]byte(line), &v))
		if v.ID == id {
			return v.Probs, v.Segments
		}
	}
	t.Fatalf("no vector %s", id)
	return nil, nil
}

func TestEnergyOfRealSpeech(t *testing.T) {
	need.FFmpeg(t)
	want, segments := published(t, "shas-062")
	f, err := media.Probe(t.Context(), golden.Path(t, "media", "jfk.flac"))
	fixture.OK(t, err)
	var once bytes.Buffer
	if _, err := media.Speech(t.Context(), f, omniscope.Span{}, &once); err != nil {
		t.Fatal(err)
	}
	sound := bytes.Repeat(once.Bytes(), 4)
	path := filepath.Join(t.TempDir(), "talk.wav")
	fixture.OK(t, os.WriteFile(path, append(wav.Header(media.SpeechRate, 1, len(sound)), sound...), 0o666))
	probs, err := Energy{}.Of(t.Context(), talkPart{path: path, Rate: media.SpeechRate, Samples: int64(len(sound) / 2)})
	if err != nil || len(probs) != len(want) {
		t.Fatalf("%d frames, %v, want %d", len(probs), err, len(want))
	}
	worst := 0.0
	for i := range probs {
		worst = max(worst, math.Abs(probs[i]-want[i]))
	}
	if worst > 0.02 {
		t.Errorf("probabilities differ by up to %.4f", worst)
	}
	t.Logf("probabilities differ by up to %.4f", worst)
	got, err := pdac.Segments(probs, pdac.Options{Max: 8, Min: 0.2, Threshold: 0.5})
	if err != nil || len(got) != len(segments) {
		t.Fatalf("%v, %v\nwant %v", got, err, segments)
	}
	for i := range got {
		if got[i] != segments[i] {
			t.Errorf("segment %d is %+v, want %+v", i, got[i], segments[i])
		}
	}
}

func TestEnergyOfSilence(t *testing.T) {
	for name, levels := range map[string][]float64{
		"no frames": nil,
		"silence":   {-100, -100, -100},
		"hum":       {-80, -71, -100},
	} {
		for i, p := range logistic(levels) {
			if p != 0 {
				t.Errorf("%s: frame %d has probability %v", name, i, p)
			}
		}
	}
}

// A voice hears speech in frames whose samples are above a half.
type loudVoice struct{ frame int }

func (v loudVoice) Voice(_ context.Context, samples []float32) (list []float32, err error) {
	for at := 0; at < len(samples); at += v.frame {
		p := float32(0)
		if samples[at] > 0.5 {
			p = 1
		}
		list = append(list, p)
	}
	return list, nil
}

func TestVoiceDetector(t *testing.T) {
	need.FFmpeg(t)
	// One second of silence, one of full scale, one of silence.
	samples := make([]byte, 2*3*media.SpeechRate)
	for i := media.SpeechRate; i < 2*media.SpeechRate; i++ {
		samples[2*i+1] = 0x70
	}
	path := filepath.Join(t.TempDir(), "talk.wav")
	fixture.OK(t, os.WriteFile(path, append(wav.Header(media.SpeechRate, 1, len(samples)), samples...), 0o666))
	talk := talkPart{path: path, Rate: media.SpeechRate, Samples: 3 * media.SpeechRate}
	probs, err := VoiceDetector{Voice: loudVoice{512}, Frame: 32 * time.Millisecond}.Of(t.Context(), talk)
	if err != nil || len(probs) != 150 {
		t.Fatalf("%d frames, %v", len(probs), err)
	}
	got, err := pdac.Segments(probs, pdac.Default)
	if err != nil || len(got) != 1 || math.Abs(got[0].Offset-1) > 0.04 || math.Abs(got[0].Duration-1) > 0.04 {
		t.Errorf("%v, %v, want one segment from 1 to 2 s", got, err)
	}
}

func TestResampledIsLinear(t *testing.T) {
	// 32 ms frames that rise by 0.1; the middle of frame i of the result lies at (i+0.5)/49.95 s.
	got := resampled([]float32{0, 0.1, 0.2, 0.3}, 0.032, 6)
	for i, want := range []float64{0, 0.0438, 0.1064, 0.1690, 0.2315, 0.2941} {
		if math.Abs(got[i]-want) > 1e-4 {
			t.Errorf("frame %d is %.4f, want %.4f", i, got[i], want)
		}
	}
	for _, p := range resampled(nil, 0.032, 3) {
		if p != 0 {
			t.Errorf("of nothing: %v", p)
		}
	}
}

func TestPicturesAreCutWithTheSound(t *testing.T) {
	need.FFmpeg(t)
	s := newSource(t)
	clips.Make(t, filepath.Join(s.folder, "VIDEO", "a.mp4"), clips.Fields("-f lavfi -i testsrc2=s=65x49:r=10:d=5 -pix_fmt yuv444p -c:v libx264")...)
	s.run()
	if got := strings.Join(s.files("SEGMENTED_VIDEO"), " "); got != "a_0.mp4 a_1.mp4" {
		t.Fatalf("files: %s", got)
	}
	f, err := media.Probe(t.Context(), filepath.Join(s.folder, "SEGMENTED_VIDEO", "a_1.mp4"))
	if err != nil || f.Video.Width != 64 || f.Video.Height != 48 || (f.Duration-2*time.Second).Abs() > 100*time.Millisecond {
		t.Errorf("%+v, %v, want 64x48 pictures of 2 s", f, err)
	}
	if r := s.run(); !r.Unchanged {
		t.Errorf("%+v, want nothing left to do", r)
	}
	s.write("VIDEO/a.mp4", "another film")
	if _, err := Run(t.Context(), s.options()); err == nil || !strings.Contains(err.Error(), "a.mp4 is not the file that was segmented") {
		t.Errorf("%v", err)
	}
}
