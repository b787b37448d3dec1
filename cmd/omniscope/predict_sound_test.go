package main

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"omniscope/internal/mediaserver"
	"omniscope/predict"
)

// TestSoundArrivesAsMP3 has servers of all dialects decode what they are sent.
func TestSoundArrivesAsMP3(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.made("clip.wav", tone(7.5)...)
	profile := q.write("own.yaml", "name: own\nsenses: [audio]\nsound: {format: mp3}\n")
	for _, dialect := range []mediaserver.Dialect{mediaserver.OpenAI, mediaserver.VLLM, mediaserver.SGLang, mediaserver.DashScope} {
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
func (q inquest) captioned(dialect mediaserver.Dialect, clip, profile string, more ...string) (row predict.Prediction, seen *mediaserver.Seen) {
	q.t.Helper()
	server, err := mediaserver.New(mediaserver.Options{Dialect: dialect})
	if err != nil {
		q.t.Fatal(err)
	}
	defer server.Close()
	out := q.path(string(dialect) + ".jsonl")
	v := q.command(append([]string{"predict", "captions", clip, "--model", string(dialect) + "/omni", "--model-base-url", server.URL(), "--model-profile", profile,
		"--work-dir", q.path("work"), "--out", out, "--no-progress"}, more...)...)
	if v.code != exitDone {
		q.t.Fatal(v.errOut)
	}
	details, err := os.ReadFile(strings.TrimSuffix(out, ".jsonl") + ".details.jsonl")
	if err == nil {
		err = json.Unmarshal([]byte(strings.Split(string(details), "\n")[1]), &row)
	}
	if err != nil {
		q.t.Fatal(err)
	}
	return row, server.Seen()[0]
}
