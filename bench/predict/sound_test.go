package predict

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

func TestLongSound(t *testing.T) {
	tone := clip(t, "tone.wav", "-f", "lavfi", "-i", "sine=duration=3")
	for _, c := range []struct {
		longer string
		want   omniscope.Outcome
	}{{"", omniscope.Missing}, {"refuse", omniscope.Missing}, {"cut", omniscope.OK}} {
		m := &replying{reply: saying("A tone.")}
		got := ask(t, system(t, &Profile{Name: "x", Sound: SoundPolicy{MaxSeconds: 2, Longer: c.longer}}, omniscope.Audio, m), omniscope.Sample{Media: omniscope.Media{Video: tone}})
		if got.Outcome != c.want {
			t.Fatalf("longer: %q: %s %s, want %s", c.longer, got.Outcome, got.Why, c.want)
		}
		if got.Outcome == omniscope.Missing {
			if !strings.Contains(got.Why, "lasts 3.0 s, and the profile allows 2 s") {
				t.Errorf("why: %s", got.Why)
			}
			continue
		}
		sound := m.asked[0].Messages[0].Parts[0].Data
		if seconds := float64(len(sound)-44) / 2 / 16000; math.Abs(seconds-2) > 0.01 || got.Sent.Sound.Seconds != 2 || got.Sent.Sound.Of != 3 || len(got.Warnings) != 1 {
			t.Errorf("%g s were sent; said: %+v, %v", seconds, got.Sent.Sound, got.Warnings)
		}
	}
}

// TestLongSoundInParts: the parts are the whole sound, one after the other, and the
// model is told when each begins.
func TestLongSoundInParts(t *testing.T) {
	noise := clip(t, "noise.wav", "-f", "lavfi", "-i", "anoisesrc=r=16000:d=5:seed=1", "-ac", "1")
	whole, err := os.ReadFile(noise)
	fixture.OK(t, err)
	for _, c := range []struct {
		most  float64
		texts []string
	}{
		{2, []string{"Part 1 of 3 of the sound, from 0.00 to 2.00 seconds:", "Part 2 of 3 of the sound, from 2.00 to 4.00 seconds:", "Part 3 of 3 of the sound, from 4.00 to 5.00 seconds:"}},
		{2.5, []string{"Part 1 of 2 of the sound, from 0.00 to 2.50 seconds:", "Part 2 of 2 of the sound, from 2.50 to 5.00 seconds:"}},
		{5, nil},
	} {
		m := &replying{reply: saying("Noise.")}
		got := ask(t, system(t, &Profile{Name: "x", Sound: SoundPolicy{MaxSeconds: c.most, Longer: "parts"}}, omniscope.Audio, m), omniscope.Sample{Media: omniscope.Media{Video: noise}, Prompt: "What?"})
		var texts []string
		var sound []byte
		for _, p := range m.asked[0].Messages[0].Parts {
			if p.Kind == model.TextPart {
				texts = append(texts, p.Text)
				continue
			}
			if sound = append(sound, p.Data[44:]...); float64(len(p.Data)-44) > c.most*32000 {
				t.Errorf("at most %g s: a part has %d bytes", c.most, len(p.Data))
			}
		}
		if !slices.Equal(texts, append(c.texts, "What?")) || !bytes.HasSuffix(whole, sound) || len(sound) != 5*32000 {
			t.Errorf("at most %g s: %d bytes of sound, and the texts %q", c.most, len(sound), texts)
		}
		if s := got.Sent.Sound; got.Outcome != omniscope.OK || s.Seconds != 5 || s.Of != 0 || len(s.Parts) != len(c.texts) || len(got.Warnings) > 0 || s.Bytes == 0 || len(s.Parts) > 1 && s.Parts[1] != c.most {
			t.Errorf("at most %g s: %s, said to be sent: %+v, %v", c.most, got.Outcome, s, got.Warnings)
		}
	}
	preview, err := system(t, &Profile{Name: "x", Sound: SoundPolicy{MaxSeconds: 2, Longer: "parts", Format: "mp3"}}, omniscope.Audio, nil).Preview(t.Context(), &omniscope.Sample{Media: omniscope.Media{Video: noise}})
	if err != nil || !slices.ContainsFunc(preview.Rows(), func(row []string) bool { return row[1] == "5.00 s, mono, 16000 Hz, MP3, in 3 parts" }) {
		t.Errorf("preview: %v, %v", preview, err)
	}
	m := &replying{reply: saying("Noise.")}
	got := ask(t, system(t, &Profile{Name: "x", Sound: SoundPolicy{MaxSeconds: 0.001, Longer: "parts"}}, omniscope.Audio, m), omniscope.Sample{Media: omniscope.Media{Video: noise}})
	if got.Outcome != omniscope.Missing || !strings.Contains(got.Why, "would be 4900 parts of 0.001 s, and 1000 are the most") {
		t.Errorf("%s %s", got.Outcome, got.Why)
	}
}

// TestSoundTrackWithoutSound: nothing is sent for a sound that has no samples.
func TestSoundTrackWithoutSound(t *testing.T) {
	empty := clip(t, "empty.wav", "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono", "-t", "0")
	m := &replying{reply: saying("A tone.")}
	got := ask(t, system(t, &Profile{Name: "x"}, omniscope.Audio, m), omniscope.Sample{Media: omniscope.Media{Video: empty}})
	if got.Outcome != omniscope.Missing || !strings.Contains(got.Why, "without packets") || len(m.asked) > 0 || got.Sent.Bytes != 0 {
		t.Errorf("%s, %q, %d calls, %d bytes; want none", got.Outcome, got.Why, len(m.asked), got.Sent.Bytes)
	}
}

// TestKeysOfSoundAsWAV: calls from before there were formats are still remembered.
func TestKeysOfSoundAsWAV(t *testing.T) {
	tone := clip(t, "tone.wav", "-f", "lavfi", "-i", "sine=duration=1")
	digests := make(map[string]string)
	for _, format := range []string{"", "wav", "mp3"} {
		m := &replying{reply: saying("A tone.")}
		got := ask(t, system(t, &Profile{Name: "x", Sound: SoundPolicy{Format: format}}, omniscope.Audio, m), omniscope.Sample{Media: omniscope.Media{Video: tone}})
		sent := m.asked[0].Messages[0].Parts[0]
		digests[format] = strings.TrimPrefix(sent.Digest, "sha256:"+got.Sent.SHA256)
		if mime := map[bool]string{true: "audio/mpeg", false: "audio/wav"}[format == "mp3"]; sent.MIME != mime {
			t.Errorf("%q: %s", format, sent.MIME)
		}
	}
	if digests[""] != " sound whole 16 kHz mono" || digests["wav"] != digests[""] || digests["mp3"] != digests[""]+" mp3 64 kbit/s" {
		t.Errorf("%q", digests)
	}
}

// TestFilmsWhoseSoundTrackIsEmpty: an audio-visual model is given the picture alone.
func TestFilmsWhoseSoundTrackIsEmpty(t *testing.T) {
	film := func(name, end string, codec ...string) string {
		args := []string{"-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=2", "-f", "lavfi", "-i", "sine=duration=2",
			"-filter_complex", fmt.Sprintf("[1:a]atrim=end_sample=%s[a]", end), "-map", "0:v", "-map", "[a]", "-c:v", "libx264"}
		return clip(t, name, append(args, codec...)...)
	}
	for _, c := range []struct{ name, path, why string }{
		{"MP4 with a packet that decodes to nothing", film("a.mp4", "10", "-c:a", "aac"), "its sound track holds no sound: "},
		{"MP4 with its first packet alone", film("c.mp4", "88200", "-c:a", "aac", "-bsf:a", "noise=drop=not(eq(n\\,0))"), "its sound track holds no sound: "},
		{"Matroska with a track without packets", film("b.mkv", "0", "-c:a", "aac"), "its sound track holds no sound: "},
		{"no track", clip(t, "d.mp4", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=2", "-c:v", "libx264"), "it has no sound track: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &replying{reply: saying("A test card.")}
			s := system(t, &Profile{Name: "x", Sound: SoundPolicy{MaxSeconds: 1}}, omniscope.AudioVisual, m) // the films are longer
			got := ask(t, s, omniscope.Sample{Media: omniscope.Media{Video: c.path}})
			if got.Outcome != omniscope.OK || got.Sent.Without != "sound" || got.Sent.Sound != nil || got.Sent.Frames == nil || len(m.asked) != 1 ||
				!slices.ContainsFunc(got.Warnings, func(w string) bool { return strings.HasPrefix(w, c.why) }) {
				t.Errorf("%s %s: %+v, %q, %d calls", got.Outcome, got.Why, got.Sent, got.Warnings, len(m.asked))
			}
			if slices.ContainsFunc(m.asked[0].Messages[0].Parts, func(p model.Part) bool { return p.Kind == model.AudioPart }) {
				t.Error("sound was sent")
			}
			preview, err := s.Preview(t.Context(), &omniscope.Sample{ID: "a", Media: omniscope.Media{Video: c.path}})
			if err != nil || preview.Sent.Without != "sound" || preview.Sent.Sound != nil || preview.Bytes == 0 {
				t.Errorf("preview: %+v, %v", preview, err)
			}
			deaf := ask(t, system(t, &Profile{Name: "x"}, omniscope.Audio, m), omniscope.Sample{Media: omniscope.Media{Video: c.path}})
			if deaf.Outcome != omniscope.Missing || deaf.Why == "" || len(m.asked) != 1 {
				t.Errorf("by the sound alone: %s, %q", deaf.Outcome, deaf.Why)
			}
		})
	}
}
