package mllm

import (
	"bytes"
	"context"
	"image/jpeg"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/model"
	"omniscope/model/scripted"
	"omniscope/perceive"
)

const question = "What is to be seen?"

// A witness passes requests on and keeps them.
type witness struct {
	model.Model
	asked []*model.Request
}

func (w *witness) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	w.asked = append(w.asked, req)
	return w.Model.Generate(ctx, req)
}

// replies is a model that answers a question about a clip.
func replies(c *perceive.Clip, reply scripted.Reply) *witness {
	return &witness{Model: scripted.New(map[string][]scripted.Reply{callStep(c, "eye", question): {reply}})}
}

// made makes a clip with ffmpeg and opens a span of it.
func made(t *testing.T, span omniscope.Span, name string, args ...string) *perceive.Clip {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	clips.Make(t, path, args...)
	c, err := perceive.Open(t.Context(), omniscope.Clip{Path: path, Span: span})
	fixture.OK(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

var (
	picture = []string{"-f", "lavfi", "-i", "testsrc=s=160x120:r=10:d=4"}
	tone    = []string{"-f", "lavfi", "-i", "sine=d=4"}
	hush    = []string{"-f", "lavfi", "-i", "anullsrc=d=4"}
	coded   = []string{"-shortest", "-c:v", "libx264", "-c:a", "aac"}
	second  = time.Second
)

func observer(t *testing.T, m model.Model, o Options) *Tool {
	t.Helper()
	tool, err := New("eye", m, "some-model", o)
	fixture.OK(t, err)
	return tool
}

// kinds are the parts of a request's user message, in one word each.
func kinds(req *model.Request) string {
	var list []string
	for _, p := range req.Messages[1].Parts {
		list = append(list, string(p.Kind))
	}
	return strings.Join(slices.Compact(list), " ")
}

func TestRequestContents(t *testing.T) {
	both := slices.Concat(picture, tone, coded)
	span := omniscope.Span{Start: second, End: 3 * second}
	for _, c := range []struct {
		name    string
		clip    *perceive.Clip
		options Options
		want    string // kinds of parts
		input   string // in the system prompt
	}{
		{"frames and sound", made(t, omniscope.Span{}, "a.mp4", both...), Options{}, "text image audio text", "4 frames of a video, in order of time, and its sound"},
		{"frames and sound of a span", made(t, span, "a.mp4", both...), Options{}, "text image text audio text", "2 frames of a video, in order of time, and its sound"},
		{"frames only", made(t, omniscope.Span{}, "a.mp4", both...), Options{Modality: omniscope.Visual, Policy: &media.Policy{Frames: 2}}, "text image text", "2 frames of a video"},
		{"sound only", made(t, omniscope.Span{}, "a.mp4", both...), Options{Modality: omniscope.Audio}, "audio text", "the sound of the file"},
		{"a video without sound", made(t, omniscope.Span{}, "a.mp4", picture...), Options{}, "text image text", "no sound, since the file has no sound track"},
		{"a video with a silent track", made(t, omniscope.Span{}, "a.mp4", slices.Concat(picture, hush, coded)...), Options{}, "text image text", "no sound, since the sound track is silent"},
		{"sound without a picture", made(t, omniscope.Span{}, "a.wav", tone...), Options{}, "audio text", "no picture, since the file has none, and its sound"},
		{"a whole video", made(t, omniscope.Span{}, "a.mp4", both...), Options{Form: video}, "video text", "a video"},
		{"a span of a video", made(t, span, "a.mp4", both...), Options{Form: video}, "text video text", "a video"},
		{"a video by its URL", made(t, omniscope.Span{}, "a.mp4", both...), Options{Form: video, URL: func(*perceive.Clip) string { return "https://h/a.mp4" }}, "video text", "a video"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := replies(c.clip, scripted.Reply{Text: "A test picture."})
			a, err := observer(t, w, c.options).Observe(t.Context(), c.clip, question)
			fixture.OK(t, err)
			req := w.asked[0]
			if got := kinds(req); got != c.want {
				t.Errorf("parts %q, want %q", got, c.want)
			}
			if text := req.Messages[0].Parts[0].Text; req.Messages[0].Role != model.System || !strings.Contains(text, c.input) || strings.Contains(text, "{input}") {
				t.Errorf("system prompt %q", text)
			}
			parts := req.Messages[1].Parts
			if last := parts[len(parts)-1]; last.Text != question || req.Model != "some-model" || req.Attempt != 1 || req.Params.MaxTokens != 2048 {
				t.Errorf("%+v, %+v", req.Params, last)
			}
			digest, _ := c.clip.File.Digest(t.Context())
			seen := make(map[string]bool)
			for _, p := range parts {
				if p.Kind != model.TextPart {
					checkMedia(t, &p, digest)
					if seen[p.Digest] {
						t.Errorf("two parts are called %s", p.Digest)
					}
					seen[p.Digest] = true
				}
			}
			if o := a.Observations; len(o) != 1 || o[0].Kind != perceive.Reported || o[0].What != "A test picture." || o[0].Sure != 0.5 || o[0].Span != c.clip.Span {
				t.Errorf("%+v", o)
			}
		})
	}
}

func checkMedia(t *testing.T, p *model.Part, digest string) {
	t.Helper()
	if !strings.Contains(p.Digest, digest) {
		t.Errorf("digest %q does not tell the media", p.Digest)
	}
	switch p.Kind {
	case model.ImagePart:
		if _, err := jpeg.Decode(bytes.NewReader(p.Data)); err != nil || p.MIME != "image/jpeg" || !strings.Contains(p.Digest, "policy") {
			t.Errorf("%s %s: %v", p.MIME, p.Digest, err)
		}
	case model.AudioPart:
		if p.MIME != "audio/wav" || len(p.Data) < 2*31000 || string(p.Data[8:16]) != "WAVEfmt " {
			t.Errorf("%s of %d bytes", p.MIME, len(p.Data))
		}
	case model.VideoPart:
		if p.MIME != "video/mp4" || (len(p.Data) > 0) == (p.URL != "") {
			t.Errorf("%s of %d bytes at %q", p.MIME, len(p.Data), p.URL)
		}
	}
}

func TestNothingToShow(t *testing.T) {
	for _, c := range []struct {
		name  string
		clip  *perceive.Clip
		sense omniscope.Modality
		kind  perceive.Kind
		says  string
	}{
		{"no sound track", made(t, omniscope.Span{}, "a.mp4", picture...), omniscope.Audio, perceive.Absence, "the clip has no sound track"},
		{"no picture", made(t, omniscope.Span{}, "a.wav", tone...), omniscope.Visual, perceive.Absence, "the clip has no picture"},
		{"a silent track", made(t, omniscope.Span{}, "a.wav", hush...), omniscope.Audio, perceive.Silence, "the sound track is silent throughout"},
	} {
		w := replies(c.clip, scripted.Reply{Text: "A car."})
		a, err := observer(t, w, Options{Modality: c.sense}).Observe(t.Context(), c.clip, question)
		if err != nil || len(w.asked) != 0 || len(a.Observations) != 1 || a.Observations[0].Kind != c.kind || a.Text != c.says {
			t.Errorf("%s: %+v, %v", c.name, a, err)
		}
	}
}

func TestReplies(t *testing.T) {
	const verdict = "{\"verdict\": \"supported\",\n \"why\": \"a car is there\"}"
	for _, c := range []struct {
		name  string
		reply scripted.Reply
		what  string
		sure  float64
	}{
		{"plain", scripted.Reply{Text: " A car passes. "}, "A car passes.", 0.5},
		{"with a confidence", scripted.Reply{Text: "A car passes.\n\nConfidence: 0.8"}, "A car passes.", 0.8},
		{"in bold", scripted.Reply{Text: "A car passes.\n**Confidence:** 0.35."}, "A car passes.", 0.35},
		{"in percent", scripted.Reply{Text: "A car passes.\nconfidence: 70 %"}, "A car passes.", 0.7},
		{"far too sure", scripted.Reply{Text: "A car passes.\nConfidence: 1.0"}, "A car passes.", 0.9},
		{"not sure at all", scripted.Reply{Text: "A car passes.\nConfidence: 0"}, "A car passes.", 0.05},
		{"a confidence that is none", scripted.Reply{Text: "A car passes.\nConfidence: high"}, "A car passes.\nConfidence: high", 0.5},
		{"a confidence out of range", scripted.Reply{Text: "A car passes.\nConfidence: 8"}, "A car passes.\nConfidence: 8", 0.5},
		{"nothing but a confidence", scripted.Reply{Text: "Confidence: 0.8"}, "Confidence: 0.8", 0.5},
		{"after a thought", scripted.Reply{Text: "<think>Is it a car?</think>\nA car passes.\nConfidence: 0.8"}, "A car passes.", 0.8},
		{"with a token", scripted.Reply{Text: "A car passes.<|im_end|>"}, "A car passes.", 0.5},
		{"a verdict in JSON", scripted.Reply{Text: verdict}, verdict, 0.5},
		{"nothing to hear is an answer", scripted.Reply{Text: "I cannot hear any speech in the clip."}, "I cannot hear any speech in the clip.", 0.5},
		{"a refusal that is heard", scripted.Reply{Text: "A man says “I cannot help with that”."}, "A man says “I cannot help with that”.", 0.5},
	} {
		clip := &perceive.Clip{Clip: omniscope.Clip{ID: "x"}, File: &media.File{}}
		w := replies(clip, c.reply)
		resp, err := w.Generate(t.Context(), &model.Request{Step: callStep(clip, "eye", question), Attempt: 1})
		fixture.OK(t, err)
		a, err := read(resp)
		if err != nil || a.Text != strings.TrimSpace(c.reply.Text) || a.Observations[0].What != c.what || a.Observations[0].Sure != c.sure {
			t.Errorf("%s: %+v, %v", c.name, a, err)
		}
	}
}

func TestUnusableReplies(t *testing.T) {
	clip := made(t, omniscope.Span{}, "a.wav", tone...)
	for _, c := range []struct {
		name  string
		reply scripted.Reply
		kind  omniscope.Kind
	}{
		{"a refusal", scripted.Reply{Refusal: "I will not."}, omniscope.Declined},
		{"a filter", scripted.Reply{Finish: model.ContentFilter}, omniscope.Declined},
		{"a refusal in words", scripted.Reply{Text: "I’m sorry, but I can’t assist with that."}, omniscope.Declined},
		{"a model that got no media", scripted.Reply{Text: "I'm unable to listen to audio files directly."}, omniscope.Declined},
		{"cut off", scripted.Reply{Text: "A car pas", Finish: model.Length}, omniscope.Malformed},
		{"empty", scripted.Reply{Text: " \n"}, omniscope.Malformed},
		{"nothing visible", scripted.Reply{Text: "\u200b"}, omniscope.Malformed},
		{"an open thought", scripted.Reply{Text: "<think>The user wants to know"}, omniscope.Malformed},
		{"a thought alone", scripted.Reply{Text: "<think>Hm.</think>"}, omniscope.Malformed},
		{"a refusal after a thought", scripted.Reply{Text: "<think>Hm.</think>I’m sorry, but I can’t assist with that."}, omniscope.Declined},
		{"a filter before any answer", scripted.Reply{Error: omniscope.Declined}, omniscope.Declined},
		{"a wrong key", scripted.Reply{Error: omniscope.Denied}, omniscope.Denied},
		{"trouble", scripted.Reply{Error: omniscope.Transient}, omniscope.Transient},
	} {
		a, err := observer(t, replies(clip, c.reply), Options{}).Observe(t.Context(), clip, question)
		if a != nil || err == nil || omniscope.KindOf(err) != c.kind {
			t.Errorf("%s: %+v, %v of kind %v", c.name, a, err, omniscope.KindOf(err))
		}
	}
}

func TestRequestStable(t *testing.T) {
	clip := made(t, omniscope.Span{}, "a.mp4", slices.Concat(picture, tone, coded)...)
	w := replies(clip, scripted.Reply{Text: "A test picture."})
	for _, tool := range []*Tool{observer(t, w, Options{}), observer(t, w, Options{}), observer(t, w, Options{Policy: &media.Policy{FPS: 2}})} {
		for range 2 {
			if _, err := tool.Observe(t.Context(), clip, question); err != nil {
				t.Fatal(err)
			}
		}
	}
	digests := func(i int) (list []string) {
		for _, p := range w.asked[i].Messages[1].Parts {
			list = append(list, p.Digest+p.Text)
		}
		return list
	}
	for i := 1; i < 4; i++ {
		if !slices.Equal(digests(0), digests(i)) {
			t.Errorf("request %d differs: %v", i, digests(i))
		}
	}
	if slices.Equal(digests(0), digests(4)) {
		t.Error("another policy makes the same request")
	}
}

func TestVersionsTellToolsApart(t *testing.T) {
	m := scripted.New(nil)
	seen := make(map[string]int)
	for i, o := range []Options{{}, {Modality: omniscope.Audio}, {Form: video}, {Policy: &media.Policy{FPS: 2}}, {System: "Look."}, {Params: model.Params{MaxTokens: 9}}} {
		v := observer(t, m, o).Info().Version
		if at, twice := seen[v]; twice {
			t.Errorf("options %d and %d make the same version %s", at, i, v)
		}
		seen[v] = i
	}
	info := observer(t, m, Options{Modality: omniscope.Audio}).Info()
	if info.Name != "eye" || !info.Asks || info.Modality != omniscope.Audio || observer(t, m, Options{Modality: omniscope.Audio}).Info() != info {
		t.Errorf("%+v", info)
	}
}

func TestContradictoryOptions(t *testing.T) {
	m := scripted.New(nil)
	for _, c := range []struct {
		name    string
		tool    string
		options Options
	}{
		{"no name", "", Options{}},
		{"an unknown sense", "eye", Options{Modality: "smell"}},
		{"an unknown form", "eye", Options{Form: "hologram"}},
		{"a video for one sense", "eye", Options{Form: video, Modality: omniscope.Visual}},
		{"a URL for frames", "eye", Options{URL: func(*perceive.Clip) string { return "" }}},
	} {
		if _, err := New(c.tool, m, "x", c.options); omniscope.KindOf(err) != omniscope.Usage {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestTooLargeMedia(t *testing.T) {
	clip := made(t, omniscope.Span{}, "a.mp4", slices.Concat(picture, tone, coded)...)
	for _, o := range []Options{{MostBytes: 1000}, {MostBytes: 1000, Modality: omniscope.Audio}, {MostBytes: 1000, Form: video}} {
		w := replies(clip, scripted.Reply{Text: "x"})
		_, err := observer(t, w, o).Observe(t.Context(), clip, question)
		if omniscope.KindOf(err) != omniscope.Invalid || err == nil || len(w.asked) > 0 || !strings.Contains(err.Error(), "choose a shorter span") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
