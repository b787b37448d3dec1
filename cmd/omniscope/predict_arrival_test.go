package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"omniscope/bench/predict"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// picture and tone are inputs for ffmpeg.
func picture(size string, rate string, seconds float64) []string {
	return []string{"-f", "lavfi", "-i", fmt.Sprintf("testsrc2=s=%s:r=%s:d=%g", size, rate, seconds)}
}

func tone(seconds float64) []string {
	return []string{"-f", "lavfi", "-i", fmt.Sprintf("sine=frequency=440:duration=%g", seconds)}
}

func TestWhatArrivesIsWhatTheProfilePromises(t *testing.T)     { testWhatArrives(t, false) }
func TestLongWhatArrivesIsWhatTheProfilePromises(t *testing.T) { testWhatArrives(t, true) }

// testWhatArrives has servers decode what they are sent of clips, short or long, and
// compares it with the file of details and with the profile.
func testWhatArrives(t *testing.T, long bool) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		dialect  fake.Dialect
		profile  string
		modality string
		clip     []string // arguments of ffmpeg
		frames   int
		width    int
		height   int
		last     float64 // time of the last frame
		sound    float64 // seconds
	}{
		// Counts and sizes by smart_nframes and smart_resize of qwen-vl-utils.
		{"24 frames a second", fake.VLLM, "qwen3-omni", "", append(picture("1280x720", "24", 13), tone(13)...), 26, 672, 384, 13 - 1./24, 13},
		{"25 frames a second, factor 28", fake.OpenAI, "qwen2.5-omni", "", append(picture("1280x720", "25", 10), tone(10)...), 20, 588, 336, 10 - 1./25, 10},
		{"29.97 frames a second", fake.OpenAI, "qwen3-omni", "", append(picture("640x480", "30000/1001", 5.005), tone(5)...), 10, 576, 416, 5.005 - 1001./30000, 5},
		{"30 frames a second, small ones made larger", fake.VLLM, "qwen3-vl", "visual", append(picture("320x180", "30", 4), tone(4)...), 8, 512, 288, 4 - 1./30, 0},
		{"60 frames a second, at most 64", fake.VLLM, "default", "visual", picture("320x180", "60", 70), 64, 320, 180, 70 - 1./60, 0},
		{"0.3 s", fake.VLLM, "qwen3-omni", "visual", picture("640x360", "25", 0.32), 4, 640, 352, 0.28, 0},
		{"one frame", fake.VLLM, "default", "visual", picture("640x360", "25", 0.04), 1, 640, 360, 0, 0},
		{"sound alone", fake.OpenAI, "qwen3-omni-captioner", "", tone(7.5), 0, 0, 0, 0, 7.5},
	} {
		if c.last > 4 != long {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := newInquest(t)
			server := (&fake.Media{Dialect: c.dialect}).Start(t)
			name := "clip.mp4"
			codec := []string{"-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"}
			if c.frames == 0 {
				name, codec = "clip.wav", nil
			}
			clip := q.made(name, append(c.clip, codec...)...)
			args := []string{"caption", clip, "--model", "openai/m,profile=" + c.profile + ",base-url=" + server.URL(),
				"--work-dir", q.path("work"), "--out", q.path("captions.jsonl"), "--quiet"}
			if c.modality != "" {
				args = append(args, "--modality", c.modality)
			}
			q.command(args...).must(t, exitDone)
			var row predict.Prediction
			fixture.OK(t, json.Unmarshal([]byte(strings.Split(q.read("captions.details.jsonl"), "\n")[1]), &row))
			seen := server.Seen()[0]
			if len(seen.Images) != c.frames {
				t.Fatalf("%d frames arrived, want %d", len(seen.Images), c.frames)
			}
			for i, image := range seen.Images {
				if image.Width != c.width || image.Height != c.height {
					t.Fatalf("frame %d is %d x %d, want %d x %d", i, image.Width, image.Height, c.width, c.height)
				}
			}
			if c.frames > 0 {
				f := row.Sent.Frames
				if f.Count != c.frames || f.Width != c.width || f.Height != c.height || math.Abs(f.Times[len(f.Times)-1]-c.last) > 0.001 || f.Times[0] != 0 {
					t.Errorf("said to be sent: %+v; want %d of %d x %d, the last at %g s", f, c.frames, c.width, c.height, c.last)
				}
				if want := fmt.Sprintf("%d frames of the video, taken at these seconds: 0.00", c.frames); !strings.HasPrefix(seen.Text, want) || !strings.Contains(seen.Text, fmt.Sprintf("%.2f\n", f.Times[c.frames-1])) {
					t.Errorf("the model is told %q; want %q, up to the last", seen.Text, want)
				}
			}
			pictures, whole := 0, row.Sent.Bytes
			for _, image := range seen.Images {
				pictures += image.Bytes
			}
			if f := row.Sent.Frames; f != nil {
				whole -= f.Bytes
				if f.Bytes != int64(pictures) || len(f.SHA256) != 64 {
					t.Errorf("%d bytes of pictures are said to be sent, digest %q; %d arrived", f.Bytes, f.SHA256, pictures)
				}
			}
			if s := row.Sent.Sound; s != nil {
				whole -= s.Bytes
				if s.Bytes != int64(seen.Audios[0].Bytes) || s.SHA256 != seen.Audios[0].SHA256 {
					t.Errorf("%d bytes of sound are said to be sent, %s; %d arrived, %s", s.Bytes, s.SHA256, seen.Audios[0].Bytes, seen.Audios[0].SHA256)
				}
			}
			if whole != 0 {
				t.Errorf("%d bytes are said to be sent, which are not those of pictures and sound", row.Sent.Bytes)
			}
			// The same again loads no media, and says the same of them.
			details := q.read("captions.details.jsonl")
			fixture.OK(t, os.RemoveAll(q.path("work/media")))
			answered := server.Stats().Answered
			if v := q.command(args...); v.code != exitDone || server.Stats().Answered != answered || q.read("captions.details.jsonl") != details {
				t.Errorf("the same again: %s%s", v.out, v.errOut)
			}
			switch {
			case c.sound == 0 && len(seen.Audios) > 0:
				t.Errorf("%d sounds arrived, want none", len(seen.Audios))
			case c.sound > 0 && (len(seen.Audios) != 1 || math.Abs(seen.Audios[0].Seconds-c.sound) > 0.1 || seen.Audios[0].SampleRate != 16000 || seen.Audios[0].Channels != 1):
				t.Errorf("sounds that arrived: %+v; want %g s", seen.Audios, c.sound)
			case c.sound > 0 && math.Abs(row.Sent.Sound.Seconds-seen.Audios[0].Seconds) > 0.1:
				t.Errorf("%g s of sound are said to be sent, %g arrived", row.Sent.Sound.Seconds, seen.Audios[0].Seconds)
			}
		})
	}
}

// TestVideoSentWhole: vLLM hears the sound of a video only where it is sent apart.
func TestVideoSentWhole(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.made("clip.mp4", slices.Concat(picture("320x180", "25", 3), tone(3), []string{"-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"})...)
	for name, sounds := range map[string]int{"inside": 0, "apart": 1} {
		server := (&fake.Media{Dialect: fake.VLLM}).Start(t)
		profile := q.write(name+".yaml", fmt.Sprintf("name: %s\nsenses: [audio-visual]\nsend: video\nsound: {apart: %t}\n", name, sounds == 1))
		q.command("caption", clip, "--model", "vllm/m,profile="+profile+",base-url="+server.URL(), "--work-dir", q.path("work"), "--out", q.path(name+".jsonl"), "--quiet").must(t, exitDone)
		seen := server.Seen()[0]
		if len(seen.Videos) != 1 || seen.Videos[0].Frames != 75 || len(seen.Images) > 0 || len(seen.Sounds()) != sounds {
			t.Errorf("%s: %d videos, %d pictures, %d sounds heard, want 1 of 75 frames, none, %d: %s", name, len(seen.Videos), len(seen.Images), len(seen.Sounds()), sounds, seen.Facts())
		}
	}
}

// TestTimeBeforeEachFrame: a server that reads the texts before pictures finds the time
// of each.
func TestTimeBeforeEachFrame(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.made("clip.mp4", append(picture("64x64", "10", 4), "-c:v", "libx264", "-preset", "ultrafast")...)
	server := (&fake.Media{Dialect: fake.VLLM}).Start(t)
	profile := q.write("own.yaml", "name: own\nsenses: [visual]\nframes: {fps: 1, times: each}\n")
	q.command("caption", clip, "--model", "vllm/m,profile="+profile+",base-url="+server.URL(), "--work-dir", q.path("work"), "--out", q.path("a.jsonl"), "--quiet").must(t, exitDone)
	var row predict.Prediction
	fixture.OK(t, json.Unmarshal([]byte(strings.Split(q.read("a.details.jsonl"), "\n")[1]), &row))
	images, times := server.Seen()[0].Images, row.Sent.Frames.Times
	if len(images) != 4 || len(times) != 4 {
		t.Fatalf("%d frames at %v, want 4", len(images), times)
	}
	for i, image := range images {
		if image.Time == nil || math.Abs(float64(*image.Time)-times[i]) > 0.005 {
			t.Errorf("frame %d is told to be at %v, taken at %g s", i, image.Time, times[i])
		}
	}
}

// TestVideoByAddress: the endpoint gets the file by itself; how it does is not part of
// what is remembered.
func TestVideoByAddress(t *testing.T) {
	t.Parallel()
	q := newInquest(t)
	clip := q.made("a clip, mute.mp4", slices.Concat(picture("320x180", "25", 3), tone(3), []string{"-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"})...)
	server := (&fake.Media{Dialect: fake.VLLM, FileRoot: q.dir}).Start(t)
	profile := q.write("whole.yaml", "name: whole\nsenses: [audio-visual]\nsend: video\n")
	ask := func(work string, flags ...string) verdict {
		model := []string{"--model", "vllm/m,profile=" + profile + ",base-url=" + server.URL()}
		if slices.Contains(flags, "--model") {
			model = nil
		}
		flags = append(model, flags...)
		return q.command(append([]string{"caption", clip,
			"--blind-share", "0", "--work-dir", q.path(work), "--out", q.path(work + ".jsonl"), "--quiet"}, flags...)...)
	}
	for i, way := range []string{"data", "file", "http"} {
		if v := ask(way, "--media-as", way); v.code != exitDone {
			t.Fatalf("%s: %s", way, v.errOut)
		}
		if n := len(server.Seen()); n != i+1 || len(server.Seen()[i].Videos) != 1 || server.Seen()[i].Videos[0].Frames != 75 {
			t.Fatalf("%s: after %d calls: %s", way, n, server.Seen()[n-1].Facts())
		}
		if v := ask("data", "--media-as", way); v.code != exitDone || len(server.Seen()) != i+1 {
			t.Errorf("%s: what was sent in the request is asked again: %s", way, v.errOut)
		}
		var row predict.Prediction
		fixture.OK(t, json.Unmarshal([]byte(strings.Split(q.read(way+".details.jsonl"), "\n")[1]), &row))
		if info, err := os.Stat(clip); err != nil || row.Sent.Bytes != info.Size() {
			t.Errorf("%s: %d bytes were sent of %v", way, row.Sent.Bytes, info)
		}
	}
	for want, flags := range map[string][]string{
		"is for files that are sent whole":       {"--media-as", "file", "--model", "vllm/m,profile=default"},
		"models of gemini do not get media":      {"--media-as", "http", "--model", "gemini/m"},
		"models of vllm do not get media":        {"--media-as", "flie"},
		"--serve-media is for --media-as http":   {"--serve-media", "127.0.0.1:0"},
		"give the host, as the endpoint reaches": {"--media-as", "http", "--serve-media", ":8080"},
	} {
		if v := ask("bad", flags...); v.code != exitUsage || !strings.Contains(v.errOut, want) {
			t.Errorf("%q: exit code %d: %s", flags, v.code, v.errOut)
		}
	}
}
