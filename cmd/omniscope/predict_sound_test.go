package main

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope/bench/predict"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// TestSoundArrivesAsMP3 has servers of all dialects decode what they are sent.
func TestSoundArrivesAsMP3(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.made("clip.wav", tone(7.5)...)
	profile := q.write("own.yaml", "name: own\nsenses: [audio]\nsound: {format: mp3}\n")
	for _, dialect := range []fake.Dialect{fake.OpenAI, fake.VLLM, fake.SGLang, fake.DashScope} {
		name := string(dialect)
		row, seen := q.captioned(dialect, clip, profile)
		if len(seen.Audios) != 1 {
			t.Fatalf("%s: %d sounds arrived", name, len(seen.Audios))
		}
		heard, said := seen.Audios[0], row.Sent.Sound
		if heard.Format != "mp3" || math.Abs(heard.Seconds-7.5) > 0.06 || heard.SampleRate != 16000 || heard.Channels != 1 || heard.Bytes > 7.5*8500 {
			t.Errorf("%s: %+v arrived; want 7.5 s of MP3 with 8 kB a second", name, *heard)
		}
		if said.Format != "mp3" || said.Bytes != int64(heard.Bytes) || said.SHA256 != heard.SHA256 || math.Abs(said.Seconds-heard.Seconds) > 0.06 {
			t.Errorf("%s: said to be sent: %+v; %+v arrived", name, *said, *heard)
		}
	}
}

// captioned has a server of a dialect caption a clip, and returns the row of details
// and what arrived.
func (q inquest) captioned(dialect fake.Dialect, clip, profile string, more ...string) (row predict.Prediction, seen *fake.Seen) {
	q.t.Helper()
	server := (&fake.Media{Dialect: dialect}).Start(q.t)
	out := q.path(string(dialect) + ".jsonl")
	v := q.command(append([]string{"caption", clip, "--model", string(dialect) + "/omni,base-url=" + server.URL() + ",profile=" + profile,
		"--work-dir", q.path("work"), "--out", out, "--quiet"}, more...)...)
	v.must(q.t, exitDone)
	details, err := os.ReadFile(strings.TrimSuffix(out, ".jsonl") + ".details.jsonl")
	if err == nil {
		err = json.Unmarshal([]byte(strings.Split(string(details), "\n")[1]), &row)
	}
	fixture.OK(q.t, err)
	return row, server.Seen()[0]
}

// TestLongSoundArrivesInParts, as WAV and as MP3.
func TestLongSoundArrivesInParts(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.made("clip.mp4", slices.Concat(picture("64x64", "5", 7), tone(7), []string{"-c:v", "libx264", "-c:a", "aac"})...)
	for dialect, format := range map[fake.Dialect]string{fake.OpenAI: "mp3", fake.VLLM: "wav"} {
		profile := q.write(format+".yaml", "name: own\nsenses: [audio-visual]\nframes: {frames: 2}\nsound: {max_seconds: 3, longer: parts, format: "+format+"}\n")
		row, seen := q.captioned(dialect, clip, profile)
		if want := []string{"text", "image_url", "image_url", "text", "input_audio", "text", "input_audio", "text", "input_audio", "text"}; !slices.Equal(seen.Parts, want) {
			t.Fatalf("%s: %q", format, seen.Parts)
		}
		for i, want := range []float64{3, 3, 1} {
			if got := seen.Audios[i]; got.Format != format || math.Abs(got.Seconds-want) > 0.06 {
				t.Errorf("%s: part %d: %+v, want %g s", format, i+1, *got, want)
			}
		}
		if !strings.Contains(seen.Text, "Part 2 of 3 of the sound, from 3.00 to 6.00 seconds:") || !slices.Equal(row.Sent.Sound.Parts, []float64{0, 3, 6}) || math.Abs(row.Sent.Sound.Seconds-7) > 0.06 {
			t.Errorf("%s: told %q; said to be sent: %+v", format, seen.Text, *row.Sent.Sound)
		}
	}
}

// TestFilmWithEmptySoundTrack: it is sent without sound, and counted; the same command
// again asks nothing.
func TestFilmWithEmptySoundTrack(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	films := []string{
		q.made("empty.mp4", slices.Concat(picture("64x64", "5", 2), tone(2), []string{"-filter_complex", "[1:a]atrim=end_sample=10[a]", "-map", "0:v", "-map", "[a]", "-c:v", "libx264", "-c:a", "aac"})...),
		q.made("whole.mp4", slices.Concat(picture("64x64", "5", 2), tone(2), []string{"-c:v", "libx264", "-c:a", "aac"})...),
	}
	server := (&fake.Media{Dialect: fake.VLLM}).Start(t)
	args := append([]string{"caption"}, films...)
	args = append(args, "--model", "vllm/m,base-url="+server.URL(), "--work-dir", q.path("work"), "--out", q.path("a.jsonl"), "--quiet", "--blind-share", "0")
	details := ""
	for range 2 {
		q.command(args...).must(t, exitDone).says(t, "1 of 2 samples have no sound: the model was given their picture alone")
		if details != "" && details != q.read("a.details.jsonl") {
			t.Errorf("first %s\nthen %s", details, q.read("a.details.jsonl"))
		}
		details = q.read("a.details.jsonl")
	}
	if !strings.Contains(details, `"without":"sound"`) || !strings.Contains(details, "its sound track holds no sound: the model is given the picture alone") {
		t.Error(details)
	}
	if n := server.Stats().Answered; n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
	sounds := 0
	for _, seen := range server.Seen() {
		sounds += len(seen.Audios)
	}
	if sounds != 1 {
		t.Errorf("%d sounds arrived, want that of one film", sounds)
	}
}

// TestPredictWithoutMP3Encoder stops before anything is asked.
func TestPredictWithoutMP3Encoder(t *testing.T) {
	q := newInquest(t)
	clip, profile := q.made("clip.wav", tone(1)...), q.write("own.yaml", "name: own\nsenses: [audio]\nsound: {format: mp3}\n")
	real := need.Program(t, "ffmpeg")
	script := "#!/bin/sh\n[ \"$2\" = -encoders ] && exec echo mp2\nexec " + real + " \"$@\"\n"
	fixture.OK(t, os.WriteFile(q.path("ffmpeg"), []byte(script), 0o777))
	t.Setenv("PATH", q.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	v := q.command("caption", clip, "--model", "openai/m,profile="+profile+",base-url=http://127.0.0.1:9", "--work-dir", q.path("work"), "--out", q.path("a.jsonl"), "--quiet")
	if v.code == exitDone || !strings.Contains(v.errOut, "has no libmp3lame") || v.out != "" {
		t.Errorf("exit %d: %s%s", v.code, v.out, v.errOut)
	}
}
