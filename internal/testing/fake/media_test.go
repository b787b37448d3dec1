package fake

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

const (
	tone2s = "-f lavfi -i sine=frequency=440:duration=2:sample_rate=16000 -ac 2"
	clip2s = "-f lavfi -i testsrc2=size=160x90:rate=10:duration=2 -f lavfi -i sine=frequency=440:duration=2 -c:v libx264 -pix_fmt yuv420p -c:a aac -shortest"
)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestImageFacts(t *testing.T) {
	s := (&Media{}).Start(t)
	picture := jpegOf(t, 320, 180, 50)
	seen := accepted(t, s, userMessage(textPart("Frame at 1.5s:"), addressed("image_url", dataURL("image/jpeg", picture)),
		textPart("Frame at 00:03.25:"), addressed("image_url", dataURL("image/png", pngOf(t, 29, 28))), textPart("Describe both.")))
	if len(seen.Images) != 2 {
		t.Fatalf("%d images, want 2", len(seen.Images))
	}
	first, second := seen.Images[0], seen.Images[1]
	if first.MIME != "image/jpeg" || first.Width != 320 || first.Height != 180 || first.Bytes != len(picture) || first.SHA256 != sha256hex.Of(picture) {
		t.Errorf("first image: %+v", first)
	}
	if first.Time == nil || *first.Time != 1.5 || second.Time == nil || *second.Time != 3.25 || !slices.Equal(seen.Times, []Time{1.5, 3.25}) {
		t.Errorf("times: %v %v %v", first.Time, second.Time, seen.Times)
	}
	if want := []string{"text", "image_url", "text", "image_url", "text"}; !slices.Equal(seen.Parts, want) {
		t.Errorf("parts %v, want %v", seen.Parts, want)
	}
	if seen.Model != "qwen3-omni" || seen.System != "Be brief." || !strings.HasSuffix(seen.Text, "Describe both.") {
		t.Errorf("model %q, system %q, text %q", seen.Model, seen.System, seen.Text)
	}
	if want := 2 + 3 + 3 + 2 + 12*7 + 2*1; seen.PromptTokens != want {
		t.Errorf("%d tokens, want %d", seen.PromptTokens, want)
	}
}

func TestListOfTimes(t *testing.T) {
	s := (&Media{}).Start(t)
	picture := addressed("image_url", dataURL("image/png", pngOf(t, 8, 8)))
	seen := accepted(t, s, userMessage(textPart("2 frames, taken at these seconds: 0.50, 1.75"), picture, picture, textPart("Describe."), picture))
	if first, second, third := seen.Images[0].Time, seen.Images[1].Time, seen.Images[2].Time; first == nil || *first != 0.5 || second == nil || *second != 1.75 || third != nil {
		t.Errorf("%s", seen.Facts())
	}
}

func TestAudioFacts(t *testing.T) {
	s := (&Media{}).Start(t)
	for _, c := range []struct{ format, options string }{{"wav", ""}, {"mp3", " -b:a 64k"}} {
		sound := made(t, "a."+c.format, tone2s+c.options)
		seen := accepted(t, s, userMessage(inputAudio(base64ed(sound), c.format)))
		a := seen.Audios[0]
		if a.Format != c.format || a.SampleRate != 16000 || a.Channels != 2 || a.Bytes != len(sound) || a.SHA256 != sha256hex.Of(sound) || !near(a.Seconds, 2, 0.15) {
			t.Errorf("%s: %+v", c.format, a)
		}
		if c.format == "wav" && (a.Seconds != 2 || seen.PromptTokens != 2+50) {
			t.Errorf("wav: %g seconds, %d tokens", a.Seconds, seen.PromptTokens)
		}
	}
}

func TestVideoFacts(t *testing.T) {
	clip := made(t, "a.mp4", clip2s)
	for _, c := range []struct {
		dialect Dialect
		extra   object
		heard   bool
	}{
		{VLLM, nil, false},
		{VLLM, object{"mm_processor_kwargs": object{"use_audio_in_video": true}}, true},
		{SGLang, nil, false},
		{SGLang, object{"use_audio_in_video": true}, true},
		{DashScope, object{"stream": true}, true},
	} {
		s := (&Media{Dialect: c.dialect}).Start(t)
		request := userMessage(addressed("video_url", dataURL("video/mp4", clip)))
		for name, value := range c.extra {
			request[name] = value
		}
		seen := accepted(t, s, request)
		v := seen.Videos[0]
		if v.Frames != 20 || v.Width != 160 || v.Height != 90 || v.FPS != 10 || !near(v.Seconds, 2, 0.1) || !v.HasSound || v.SHA256 != sha256hex.Of(clip) {
			t.Errorf("%s: %+v", c.dialect, v)
		}
		if len(v.FrameTimes) != 20 || v.FrameTimes[0] != 0 || !near(v.FrameTimes[19], 1.9, 1e-6) {
			t.Errorf("%s: frame times %v", c.dialect, v.FrameTimes)
		}
		if heard := v.Sound != nil; heard != c.heard || heard && !near(v.Sound.Seconds, 2, 0.15) {
			t.Errorf("%s %v: sound %+v, heard %t", c.dialect, c.extra, v.Sound, c.heard)
		}
		want := 2 + 10*6*4
		if c.heard {
			want += int(math.Ceil(v.Sound.Seconds * 25))
		}
		if seen.PromptTokens != want {
			t.Errorf("%s: %d tokens, want %d", c.dialect, seen.PromptTokens, want)
		}
	}
}

func TestVideoAsFrames(t *testing.T) {
	var list []string
	var urls []string
	for i := range 5 {
		frame := jpegOf(t, 56, 28, uint8(i*40))
		list, urls = append(list, base64ed(frame)), append(urls, dataURL("image/jpeg", frame))
	}
	vllm := (&Media{Dialect: VLLM}).Start(t)
	request := userMessage(addressed("video_url", "data:video/jpeg;base64,"+strings.Join(list, ",")))
	request["media_io_kwargs"] = object{"video": object{"fps": 2.5}}
	if v := accepted(t, vllm, request).Videos[0]; v.Frames != 5 || v.Width != 56 || v.FPS != 2.5 || v.Seconds != 2 {
		t.Errorf("vllm: %+v", v)
	}
	dashscope := (&Media{Dialect: DashScope}).Start(t)
	request = userMessage(object{"type": "video", "video": urls, "fps": 5})
	request["stream"] = true
	if v := accepted(t, dashscope, request).Videos[0]; v.Frames != 5 || v.Height != 28 || v.FPS != 5 || v.Seconds != 1 {
		t.Errorf("dashscope: %+v", v)
	}
	request = userMessage(object{"type": "video", "video": urls[:3]})
	request["stream"] = true
	rejected(t, dashscope, 400, "range of sequence images", request)
}

func TestUnknownParts(t *testing.T) {
	sound := inputAudio(base64ed([]byte("x")), "wav")
	for _, c := range []struct {
		dialect Dialect
		part    object
		says    string
	}{
		{OpenAI, addressed("video_url", "x"), `"param":"messages[1].content[0].type","code":"invalid_value"`},
		{OpenAI, addressed("audio_url", "x"), "Invalid value: 'audio_url'. Supported values are: 'text', 'image_url', 'input_audio'"},
		{VLLM, addressed("input_video", "x"), "Unsupported chat content part type: 'input_video'"},
		{SGLang, sound, "validation errors"},
		{DashScope, addressed("audio_url", "x"), "Invalid value: audio_url. Supported values are: 'text','image_url','video_url' and 'video'."},
	} {
		request := userMessage(c.part)
		request["stream"] = true
		rejected(t, (&Media{Dialect: c.dialect}).Start(t), 400, c.says, request)
	}
}

func TestErrorForms(t *testing.T) {
	for dialect, want := range map[Dialect]string{
		OpenAI:    `{"error":{"message":"Missing`,
		VLLM:      `{"error":{"code":400,"message":"Missing`,
		SGLang:    `{"code":400,"message":"Missing`,
		DashScope: `{"error":{"code":"missing_required_parameter","message":"Missing`,
	} {
		request := userMessage(object{"type": "image_url"})
		request["stream"] = true
		status, body := postTo(t, (&Media{Dialect: dialect}).Start(t), request)
		if status != 400 || !strings.HasPrefix(body, want) {
			t.Errorf("%s: %d %s", dialect, status, body)
		}
	}
}

func TestWrongMedia(t *testing.T) {
	wav, mp4 := made(t, "a.wav", tone2s), made(t, "a.mp4", clip2s)
	image := func(url string) object { return addressed("image_url", url) }
	for _, c := range []struct {
		name    string
		dialect Dialect
		part    object
		says    string
	}{
		{"a PNG called JPEG", OpenAI, image(dataURL("image/jpeg", pngOf(t, 8, 8))), "its bytes are image/png"},
		{"text called PNG", OpenAI, image(dataURL("image/png", []byte("hello"))), "unsupported image"},
		{"a JPEG cut short", VLLM, image(dataURL("image/jpeg", jpegOf(t, 64, 64, 9)[:400])), "unsupported image"},
		{"not base64", OpenAI, image("data:image/png;base64,???"), "Invalid base64"},
		{"no data", VLLM, image("data:image/png;base64,"), "empty"},
		{"not a base64 data URL", VLLM, image("data:image/png,abc"), "Only base64 data URLs"},
		{"no address", SGLang, image("picture.png"), "Invalid image address"},
		{"MP3 called WAV", OpenAI, inputAudio(base64ed(made(t, "a.mp3", tone2s)), "wav"), "bytes are"},
		{"FLAC at OpenAI", OpenAI, inputAudio(base64ed(wav), "flac"), "Supported values are: 'wav' and 'mp3'"},
		{"empty sound", OpenAI, inputAudio("", "wav"), "empty"},
		{"a data URL where base64 is due", VLLM, inputAudio(dataURL("audio/wav", wav), "wav"), "Invalid base64"},
		{"base64 where an address is due", DashScope, inputAudio(base64ed(wav), "wav"), "The provided URL does not appear to be valid"},
		{"noise called WAV", VLLM, inputAudio(base64ed([]byte("RIFFxxxxWAVEnoise")), "wav"), "could not be decoded"},
		{"video called WebM", VLLM, addressed("video_url", dataURL("video/webm", mp4)), "its bytes are"},
		{"video cut short", SGLang, addressed("video_url", dataURL("video/mp4", mp4[:500])), "could not be decoded"},
		{"sound as video", VLLM, addressed("video_url", dataURL("", wav)), "could not be decoded"},
		{"a file of OpenAI", OpenAI, image("file:///etc/hosts"), "Invalid"},
		{"another machine", VLLM, image("http://192.0.2.1/a.png"), "this machine alone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := userMessage(c.part)
			request["stream"] = c.dialect == DashScope
			rejected(t, (&Media{Dialect: c.dialect}).Start(t), 400, c.says, request)
		})
	}
}

func TestLimits(t *testing.T) {
	picture := addressed("image_url", dataURL("image/png", pngOf(t, 8, 8)))
	two := userMessage(picture, picture)
	rejected(t, (&Media{MaxImages: 1}).Start(t), 400, "at most 1 are allowed", two)
	rejected(t, (&Media{Dialect: VLLM, MaxImages: 1}).Start(t), 400, "At most 1 image(s) may be provided in one prompt. Set `--limit-mm-per-prompt`", two)
	rejected(t, (&Media{MaxBytes: 100}).Start(t), 413, "larger than 100 bytes", two)
	if seen := accepted(t, (&Media{Dialect: SGLang}).Start(t), two); len(seen.Images) != 2 {
		t.Errorf("%d images", len(seen.Images))
	}
	padded := append(pngOf(t, 8, 8), make([]byte, 20<<20)...)
	rejected(t, (&Media{}).Start(t), 400, "below 20 MB", userMessage(addressed("image_url", dataURL("image/png", padded))))
	many := make([]object, 501)
	for i := range many {
		many[i] = picture
	}
	rejected(t, (&Media{}).Start(t), 400, "at most 500 are allowed", userMessage(many...))
	large := userMessage(addressed("video_url", dataURL("video/mp4", make([]byte, 8<<20))))
	large["stream"] = true
	rejected(t, (&Media{Dialect: DashScope}).Start(t), 400, "max bytes per data-uri item : 10485760", large)
}

func TestFilesAndAddresses(t *testing.T) {
	folder := t.TempDir()
	picture := pngOf(t, 40, 30)
	for _, path := range []string{filepath.Join(folder, "in", "a.png"), filepath.Join(folder, "out.png")} {
		os.MkdirAll(filepath.Dir(path), 0o700)
		fixture.OK(t, os.WriteFile(path, picture, 0o600))
	}
	file := func(parts ...string) object {
		return userMessage(addressed("image_url", "file://"+filepath.Join(append([]string{folder}, parts...)...)))
	}
	rejected(t, (&Media{Dialect: VLLM}).Start(t), 400, "without `--allowed-local-media-path`", file("in", "a.png"))
	s := (&Media{Dialect: VLLM, FileRoot: filepath.Join(folder, "in")}).Start(t)
	rejected(t, s, 400, "must be a subpath", file("out.png"))
	if seen := accepted(t, s, file("in", "a.png")); seen.Images[0].SHA256 != sha256hex.Of(picture) {
		t.Errorf("file: %+v", seen.Images[0])
	}
	files := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer files.Close()
	if seen := accepted(t, s, userMessage(addressed("image_url", files.URL+"/out.png"))); seen.Images[0].Width != 40 {
		t.Errorf("address: %+v", seen.Images[0])
	}
	rejected(t, s, 422, "HTTP 404", userMessage(addressed("image_url", files.URL+"/none.png")))
}

func TestDashScopeStreams(t *testing.T) {
	s := (&Media{Dialect: DashScope, Answer: func(*Seen) string { return "Grüße an alle" }}).Start(t)
	rejected(t, s, 400, "qwen3-omni only support with stream=true", userMessage(textPart("Hello")))
	other := userMessage(textPart("Hello"))
	other["model"] = "qwen3-vl-plus"
	accepted(t, s, other)
	request := userMessage(textPart("Hello"))
	request["stream"], request["stream_options"] = true, object{"include_usage": true}
	status, body := postTo(t, s, request)
	if status != 200 || !strings.HasSuffix(body, "data: [DONE]\n\n") || !strings.Contains(body, `"prompt_tokens":3`) {
		t.Errorf("%d %s", status, body)
	}
	mixed := userMessage(addressed("image_url", dataURL("image/png", pngOf(t, 8, 8))), inputAudio(dataURL("", made(t, "a.wav", tone2s)), "wav"))
	mixed["stream"] = true
	rejected(t, s, 400, "media of one kind", mixed)
	if seen := accepted(t, (&Media{Dialect: DashScope, MixedMedia: true}).Start(t), mixed); len(seen.Images) != 1 || len(seen.Audios) != 1 {
		t.Errorf("mixed: %s", seen.Facts())
	}
}

func TestDefaultAnswerIsTheFacts(t *testing.T) {
	s := (&Media{}).Start(t)
	_, body := postTo(t, s, userMessage(addressed("image_url", dataURL("image/png", pngOf(t, 28, 56)))))
	var answer struct {
		Choices []struct{ Message struct{ Content string } }
		Usage   struct {
			In  int `json:"prompt_tokens"`
			Out int `json:"completion_tokens"`
		}
	}
	fixture.OK(t, json.Unmarshal([]byte(body), &answer))
	var facts Seen
	if err := json.Unmarshal([]byte(answer.Choices[0].Message.Content), &facts); err != nil || facts.Images[0].Height != 56 || facts.PromptTokens != 4 || answer.Usage.In != 4 || answer.Usage.Out < 1 {
		t.Errorf("%v %s", err, body)
	}
}

func TestMediaFilesRemoved(t *testing.T) {
	s := (&Media{}).Start(t)
	accepted(t, s, userMessage(inputAudio(base64ed(made(t, "a.wav", tone2s)), "wav")))
	rejected(t, s, 400, "decoded", userMessage(inputAudio(base64ed([]byte("noise")), "wav")))
	left, err := os.ReadDir(s.folder)
	if err != nil || len(left) != 0 {
		t.Errorf("%d files left, %v", len(left), err)
	}
	s.Close()
	if _, err := os.Stat(s.folder); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestStatedTimes(t *testing.T) {
	for text, want := range map[string][]Time{
		"<3.5 seconds>":               {3.5},
		"[00:01 - 01:02:03.5]":        {1, 3723.5},
		"t=2s, then 10 sec.":          {2, 10},
		"Describe the video in 1080p": nil,
		"16:9 has 5 shots":            nil,
		"3 frames of the video, taken at these seconds: 0.00, 0.50, 12.25": {0, 0.5, 12.25},
	} {
		if got := timesIn(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
