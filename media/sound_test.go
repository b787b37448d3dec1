package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

const (
	silentTrack = "-f lavfi -i anullsrc=r=48000:cl=stereo -t 2 -c:a aac "
	opposite    = "-f lavfi -i aevalsrc=0.5*sin(880*PI*t)|-0.5*sin(880*PI*t):s=44100:d=2 "
)

func TestNoAudioAndSilentAudio(t *testing.T) {
	mute := probedFile(t, clips.Made(t, "mute.mp4", counting+"-t 1 "+x264))
	_, err := Speech(t.Context(), mute, omniscope.Span{}, &bytes.Buffer{})
	if fixture.WantError(t, err, omniscope.Invalid, "no audio stream"); !errors.Is(err, ErrNoAudio) {
		t.Error(err)
	}
	if err := CutAudio(t.Context(), mute, omniscope.Span{}, filepath.Join(t.TempDir(), "x.wav")); !errors.Is(err, ErrNoAudio) {
		t.Error(err)
	}
	s, err := RunSurvey(t.Context(), mute, SurveyOptions{Speech: &bytes.Buffer{}})
	if err != nil || s.Audio != nil || s.Video == nil {
		t.Errorf("%+v, %v", s, err)
	}
	silent := probedFile(t, clips.Made(t, "silent.mp4", counting+silentTrack+x264))
	h, err := Speech(t.Context(), silent, omniscope.Span{}, &bytes.Buffer{})
	if err != nil || !h.Silent() {
		t.Errorf("%+v, %v", h, err)
	}
	s, err = RunSurvey(t.Context(), silent, SurveyOptions{})
	if err != nil || !s.Audio.Silent() || s.Audio.Loudness != nil || len(s.Audio.Quiet) != 1 || !s.Audio.Quiet[0].Digital() {
		t.Errorf("%+v, %v", s.Audio, err)
	}
}

// The mix of opposite channels is silence, the sound is not.
func TestOppositeChannels(t *testing.T) {
	f := probedFile(t, clips.Made(t, "opposite.wav", opposite))
	var mono bytes.Buffer
	h, err := Speech(t.Context(), f, omniscope.Span{}, &mono)
	if err != nil || h.Peak > 0.001 || mono.Len() != 2*2*SpeechRate {
		t.Errorf("mixed: %+v, %v, %d bytes", h, err, mono.Len())
	}
	frames, product := 0, 0.
	h, err = Sound(t.Context(), f, omniscope.Span{}, func(c Chunk) error {
		if want := time.Duration(frames) * time.Second / 44100; c.Rate != 44100 || c.Channels != 2 || (c.Time-want).Abs() > time.Microsecond {
			t.Errorf("%d Hz, %d channels, at %v, want %v", c.Rate, c.Channels, c.Time, want)
		}
		for i := 0; i < len(c.Samples); i += 2 {
			product += float64(c.Samples[i]) * float64(c.Samples[i+1])
		}
		frames += len(c.Samples) / 2
		return nil
	})
	if err != nil || frames != 88200 || math.Abs(h.Peak-0.5) > 0.01 || product >= 0 || h.Duration != 2*time.Second {
		t.Errorf("%d frames, product %g, %+v, %v", frames, product, h, err)
	}
	s, err := RunSurvey(t.Context(), f, SurveyOptions{})
	if err != nil || s.Audio.Silent() || s.Audio.Loudness == nil {
		t.Errorf("%+v, %v", s, err)
	}
}

// A tone begins at 2 s: spans are exact to the sample, also in lossy formats.
func TestSoundSpans(t *testing.T) {
	for _, name := range []string{"tone.wav", "tone.flac", "tone.m4a", "tone.ogg", "tone.mp3"} {
		f := probedFile(t, clips.Made(t, name, "-f lavfi -i aevalsrc=if(gte(t\\,2)\\,0.5*sin(2000*PI*t)\\,0):s=48000:d=4"))
		var pcm bytes.Buffer
		h, err := Speech(t.Context(), f, omniscope.Span{Start: 1500 * time.Millisecond, End: 2500 * time.Millisecond}, &pcm)
		if err != nil || pcm.Len() != 2*SpeechRate || h.Start != 1500*time.Millisecond {
			t.Errorf("%s: %d bytes, %+v, %v", name, pcm.Len(), h, err)
			continue
		}
		first := 0
		for ; first < SpeechRate; first++ {
			if v := int16(binary.LittleEndian.Uint16(pcm.Bytes()[2*first:])); v > 3000 || v < -3000 {
				break
			}
		}
		// MP3 has no exact start; the others do.
		if off := math.Abs(float64(first)/SpeechRate - 0.5); off > 0.005 && name != "tone.mp3" || off > 0.06 {
			t.Errorf("%s: the tone begins %.4f s into the span, want 0.5", name, float64(first)/SpeechRate)
		}
	}
}

func TestCuts(t *testing.T) {
	f := probedFile(t, clips.Made(t, "av.mp4", counting+"-f lavfi -i sine=r=44100:d=6 -t 6 -c:a aac "+x264))
	span := omniscope.Span{Start: 1300 * time.Millisecond, End: 2500 * time.Millisecond}
	folder := t.TempDir()
	wav, mp4 := filepath.Join(folder, "a.wav"), filepath.Join(folder, "v.mp4")
	fixture.OK(t, CutAudio(t.Context(), f, span, wav))
	if d := probedFile(t, wav).Duration; (d - 1200*time.Millisecond).Abs() > time.Millisecond {
		t.Errorf("%v of sound", d)
	}
	fixture.OK(t, CutVideo(t.Context(), f, span, mp4))
	cut := probedFile(t, mp4)
	taken, err := Frames(t.Context(), cut, Policy{Frames: 100}, omniscope.Span{}, "")
	if err != nil || len(taken.Frames) != 30 || cut.Audio == nil {
		t.Fatalf("%d frames, want 30, %v", len(taken.Frames), err)
	}
	if first := numberOf(t, taken.Frames[0].JPEG); first != 33 { // 1.3 s is half-way from 32 to 33
		t.Errorf("the cut begins with frame %d, want 33", first)
	}
	err = CutAudio(t.Context(), f, omniscope.Span{Start: 7 * time.Second}, filepath.Join(folder, "none.wav"))
	fixture.WantError(t, err, omniscope.Invalid, "no span")
	if left, _ := os.ReadDir(folder); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}
