package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/sha256hex"
	testclips "omniscope/internal/testing/clips"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

// clips are one piece of media of each kind.
type clips struct {
	image, audio, video model.Part
}

// madeClips makes a picture of 64x48, a sound of 1.5 s and a video of 12 frames.
func madeClips(t *testing.T) clips {
	t.Helper()
	made := func(name, args string) []byte {
		data, err := os.ReadFile(testclips.Made(t, name, args))
		fixture.OK(t, err)
		return data
	}
	var picture bytes.Buffer
	fixture.OK(t, jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 64, 48)), nil))
	return clips{
		model.Part{Kind: model.ImagePart, MIME: "image/jpeg", Data: picture.Bytes()},
		model.Part{Kind: model.AudioPart, MIME: "audio/wav", Data: made("a.wav", "-f lavfi -i sine=duration=1.5:sample_rate=16000")},
		model.Part{Kind: model.VideoPart, MIME: "video/mp4", Data: made("a.mp4", "-f lavfi -i testsrc2=size=64x48:rate=8:duration=1.5 -c:v libx264 -pix_fmt yuv420p")},
	}
}

// dialectServer starts a server and opens it in a style.
func dialectServer(t *testing.T, o *fake.Media, style PartStyle) (*fake.Media, *Model) {
	t.Helper()
	s := o.Start(t)
	m, err := New(Options{Options: exchange.Options{BaseURL: s.URL()}, Parts: style})
	fixture.OK(t, err)
	return s, m
}

func askedWith(parts ...model.Part) *model.Request {
	parts = append(parts, model.Part{Kind: model.TextPart, Text: "What is this?"})
	return &model.Request{Model: "qwen3-omni-flash", Messages: []model.Message{{Role: model.User, Parts: parts}}}
}

// arrived describes the media that a server saw.
func arrived(s *fake.Seen) (digests []string, whole bool) {
	whole = true
	for _, i := range s.Images {
		digests, whole = append(digests, i.SHA256), whole && i.Width == 64 && i.Height == 48
	}
	for _, a := range s.Audios {
		digests, whole = append(digests, a.SHA256), whole && a.Seconds == 1.5 && a.SampleRate == 16000
	}
	for _, v := range s.Videos {
		digests, whole = append(digests, v.SHA256), whole && v.Frames == 12 && v.Width == 64
	}
	return digests, whole
}

func TestMediaArriveWhole(t *testing.T) {
	c := madeClips(t)
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part := map[string]model.Part{"/image": c.image, "/audio": c.audio, "/video": c.video}[r.URL.Path]
		w.Header().Set("Content-Type", part.MIME)
		w.Write(part.Data)
	}))
	defer files.Close()
	parts := map[string]model.Part{"image": c.image, "audio": c.audio, "video": c.video}
	for kind, part := range parts {
		byAddress := part
		byAddress.Data, byAddress.URL = nil, files.URL+"/"+kind
		parts[kind+" by address"] = byAddress
	}
	for _, d := range []struct {
		dialect fake.Dialect
		style   PartStyle
		takes   string // other kinds are for TestRefusedMedia
	}{
		{fake.OpenAI, OpenAIParts, "image, audio, image by address"},
		{fake.VLLM, OpenAIParts, "image, audio, video, image by address, audio by address, video by address"},
		{fake.VLLM, AudioURLParts, "audio, audio by address"},
		{fake.SGLang, AudioURLParts, "image, audio, video, image by address, audio by address, video by address"},
		{fake.DashScope, DashScopeParts, "image, audio, video, image by address, audio by address, video by address"},
	} {
		s, m := dialectServer(t, &fake.Media{Dialect: d.dialect}, d.style)
		for kind := range strings.SplitSeq(d.takes, ", ") {
			resp, err := m.Generate(t.Context(), askedWith(parts[kind]))
			if err != nil {
				t.Errorf("%s %q, %s: %v", d.dialect, d.style, kind, err)
				continue
			}
			seen := s.Seen()[len(s.Seen())-1]
			first, _, _ := strings.Cut(kind, " ")
			digests, whole := arrived(seen)
			if len(digests) != 1 || digests[0] != sha256hex.Of(parts[first].Data) || !whole || seen.Text != "What is this?" {
				t.Errorf("%s %q, %s: %s", d.dialect, d.style, kind, seen.Facts())
			}
			if resp.Usage.TokensIn != seen.PromptTokens || resp.Streamed || !json.Valid([]byte(resp.Text)) {
				t.Errorf("%s %q, %s: %+v, want %d tokens", d.dialect, d.style, kind, resp, seen.PromptTokens)
			}
		}
	}
}

// A request with everything keeps its order.
func TestOrderOfParts(t *testing.T) {
	c := madeClips(t)
	s, m := dialectServer(t, &fake.Media{Dialect: fake.VLLM}, OpenAIParts)
	at := func(text string) model.Part { return model.Part{Kind: model.TextPart, Text: text} }
	if _, err := m.Generate(t.Context(), askedWith(at("0.5s"), c.image, c.audio, at("1.25s"), c.image, c.video)); err != nil {
		t.Fatal(err)
	}
	seen := s.Seen()[0]
	if got, want := strings.Join(seen.Parts, " "), "text image_url input_audio text image_url video_url text"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(seen.Images) != 2 || *seen.Images[0].Time != 0.5 || *seen.Images[1].Time != 1.25 {
		t.Errorf("%s", seen.Facts())
	}
}

func TestRefusedMedia(t *testing.T) {
	c := madeClips(t)
	inFile := model.Part{Kind: model.VideoPart, MIME: "video/mp4", URL: "file:///clips/a.mp4"}
	audioAddress := model.Part{Kind: model.AudioPart, MIME: "audio/wav", URL: "http://127.0.0.1:1/a.wav"}
	large := model.Part{Kind: model.VideoPart, MIME: "video/mp4", Data: make([]byte, 8<<20)}
	for _, r := range []struct {
		options *fake.Media
		style   PartStyle
		parts   []model.Part
		says    string
	}{
		{&fake.Media{Dialect: fake.OpenAI}, OpenAIParts, []model.Part{c.video}, "send frames of it as images"},
		{&fake.Media{Dialect: fake.OpenAI}, OpenAIParts, []model.Part{audioAddress}, "send the sound itself"},
		{&fake.Media{Dialect: fake.OpenAI, MaxBytes: 1000}, OpenAIParts, []model.Part{c.audio}, "fewer or smaller frames"},
		{&fake.Media{Dialect: fake.VLLM}, OpenAIParts, []model.Part{inFile}, "start the server with --allowed-local-media-path"},
		{&fake.Media{Dialect: fake.VLLM, MaxImages: 1}, OpenAIParts, []model.Part{c.image, c.image}, "higher --limit-mm-per-prompt"},
		{&fake.Media{Dialect: fake.SGLang}, OpenAIParts, []model.Part{c.audio}, "reach it as sglang/NAME"},
		{&fake.Media{Dialect: fake.DashScope}, OpenAIParts, []model.Part{c.image}, "reach the model as dashscope/NAME, which asks for a stream"},
		{&fake.Media{Dialect: fake.DashScope}, DashScopeParts, []model.Part{large}, "send less"},
	} {
		_, m := dialectServer(t, r.options, r.style)
		_, err := m.Generate(t.Context(), askedWith(r.parts...))
		var status *model.StatusError
		if omniscope.KindOf(err) != omniscope.Invalid || !errors.As(err, &status) || !strings.Contains(err.Error(), r.says) {
			t.Errorf("%s %q: error %v of kind %v, want one that says %q", r.options.Dialect, r.style, err, omniscope.KindOf(err), r.says)
		}
	}
}

// A model without a stream reaches the rule on the form of sound.
func TestSoundInWrongForm(t *testing.T) {
	c := madeClips(t)
	_, m := dialectServer(t, &fake.Media{Dialect: fake.DashScope}, OpenAIParts)
	req := askedWith(c.audio)
	req.Model = "qwen-audio"
	if _, err := m.Generate(t.Context(), req); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "reach the model as dashscope/NAME, which sends sound") {
		t.Errorf("error %v", err)
	}
}

func TestStreamsWhereAsked(t *testing.T) {
	for _, c := range []struct {
		name  string
		model string
		extra map[string]json.RawMessage
		style PartStyle
		asked bool
	}{
		{"an Omni model of DashScope", "Qwen3-Omni-Flash", nil, DashScopeParts, true},
		{"another model of DashScope", "qwen-plus", nil, DashScopeParts, false},
		{"an Omni model elsewhere", "qwen3-omni", nil, OpenAIParts, false},
		{"the user says otherwise", "qwen3-omni", map[string]json.RawMessage{"stream": json.RawMessage("false")}, DashScopeParts, false},
	} {
		s, m := dialectServer(t, &fake.Media{Dialect: fake.SGLang}, c.style)
		req := askedWith()
		req.Model, req.Params.Extra = c.model, c.extra
		resp, err := m.Generate(t.Context(), req)
		if err != nil || s.Seen()[0].Streamed != c.asked || resp.Streamed || resp.Usage.TokensIn != 3 {
			t.Errorf("%s: %+v %v", c.name, resp, err)
		}
	}
}

func TestUnknownPartStyle(t *testing.T) {
	if _, err := New(Options{Parts: "smoke-signals"}); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("error %v", err)
	}
}
