package anthropic

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

// takingAll is a server that answers "yes".
func takingAll() *strictServer {
	return &strictServer{respond: func(w http.ResponseWriter, _ *http.Request, _ string) { reply(w, 200, nil, said("yes")) }}
}

// rich uses all that the endpoint takes, and what is left out.
func rich() *model.Request {
	temperature, topP, seed := 0.5, 0.9, int64(7)
	return &model.Request{
		Step: "s1", Attempt: 1, Model: "claude-test",
		Messages: []model.Message{
			model.Text(model.System, "You are a careful judge."),
			model.Text(model.User, "And here? <&> \u2028"),
			{Role: model.User, Parts: []model.Part{
				{Kind: model.TextPart, Text: " "},
				{Kind: model.ImagePart, MIME: "image/png", Data: []byte("\x89PNG"), Digest: "sha256:1"},
				{Kind: model.ImagePart, MIME: "image/jpg", Data: []byte("jpeg")},
				{Kind: model.ImagePart, URL: "https://example.org/dog.webp"},
			}},
			model.Text(model.Assistant, "A dog."),
			model.Text(model.User, "Sure?"),
		},
		Params: model.Params{Temperature: &temperature, TopP: &topP, Seed: &seed, MaxTokens: 100, Stop: []string{"\n\n", "END"},
			Extra: map[string]json.RawMessage{"top_k": json.RawMessage("20"), "thinking": json.RawMessage(`{"type":"disabled"}`)}},
		Schema: &model.Schema{Name: "answer", JSON: json.RawMessage(`{"type":"object"}`)},
	}
}

func TestRequestBody(t *testing.T) {
	s := takingAll()
	m := s.start(t, exchange.Options{})
	resp, err := m.Generate(t.Context(), rich())
	fixture.OK(t, err)
	_, got := s.sent(t)
	var wanted map[string]any
	if err := json.Unmarshal([]byte(`{
		"model":"claude-test","max_tokens":100,"temperature":0.5,"top_p":0.9,"stop_sequences":["\n\n","END"],"top_k":20,"thinking":{"type":"disabled"},
		"system":[{"type":"text","text":"You are a careful judge."}],
		"messages":[
			{"role":"user","content":[{"type":"text","text":"And here? <&> \u2028"}]},
			{"role":"user","content":[
				{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw=="}},
				{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"anBlZw=="}},
				{"type":"image","source":{"type":"url","url":"https://example.org/dog.webp"}}]},
			{"role":"assistant","content":[{"type":"text","text":"A dog."}]},
			{"role":"user","content":[{"type":"text","text":"Sure?"}]}]}`), &wanted); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("sent\n%v\nwant\n%v", got, wanted)
	}
	if want := []string{"response_format", "seed"}; !reflect.DeepEqual(resp.DroppedOptions, want) {
		t.Errorf("says that it left out %q, want %q", resp.DroppedOptions, want)
	}
}

func TestRequestUnchanged(t *testing.T) {
	req := rich()
	if _, err := takingAll().start(t, exchange.Options{}).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(req, rich()) {
		t.Errorf("the call left the request as %+v", req)
	}
}

func TestEqualRequestsAreEqualBytes(t *testing.T) {
	first, err := encode(rich(), 0)
	fixture.OK(t, err)
	for range 20 {
		if again, err := encode(rich(), 0); err != nil || string(again) != string(first) {
			t.Fatalf("%v\n%s\n%s", err, first, again)
		}
	}
}

func TestDefaultOfMaxTokens(t *testing.T) {
	for given, want := range map[int]float64{0: defaultMaxTokens, 7: 7} {
		s := takingAll()
		req := question()
		req.Params.MaxTokens = given
		if _, err := s.start(t, exchange.Options{}).Generate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if _, fields := s.sent(t); fields["max_tokens"] != want {
			t.Errorf("sent %v, want %v", fields["max_tokens"], want)
		}
	}
}

func images(n, size int) []model.Part {
	parts := make([]model.Part, n)
	for i := range parts {
		parts[i] = model.Part{Kind: model.ImagePart, MIME: "image/jpeg", Data: make([]byte, size)}
	}
	return parts
}

const largestImage = 5 << 20 / 4 * 3 // whose base64 has 5 MB

// TestRefusedBeforeSending has what the endpoint would refuse, or not have: the
// server must not see it.
func TestRefusedBeforeSending(t *testing.T) {
	nan := math.NaN()
	part := func(p model.Part) *model.Request {
		req := question()
		req.Messages[0].Parts = append(req.Messages[0].Parts, p)
		return req
	}
	parts := func(p []model.Part) *model.Request {
		req := question()
		req.Messages[0].Parts = p
		return req
	}
	params := func(p model.Params) *model.Request {
		req := question()
		req.Params = p
		return req
	}
	for name, c := range map[string]struct {
		req   *model.Request
		words string
	}{
		"sound":                           {part(model.Part{Kind: model.AudioPart, MIME: "audio/wav", Data: []byte("RIFF")}), "this endpoint has no audio"},
		"video":                           {part(model.Part{Kind: model.VideoPart, MIME: "video/mp4", Data: []byte("ftyp")}), "this endpoint has no video"},
		"a bitmap":                        {part(model.Part{Kind: model.ImagePart, MIME: "image/bmp", Data: []byte("BM")}), `type "image/bmp"`},
		"an image of no type":             {part(model.Part{Kind: model.ImagePart, Data: []byte("BM")}), `type ""`},
		"an empty image":                  {part(model.Part{Kind: model.ImagePart, MIME: "image/png"}), "without data"},
		"an open address":                 {part(model.Part{Kind: model.ImagePart, URL: "http://example.org/a.png"}), "https addresses only"},
		"a large image":                   {parts(images(1, largestImage+1)), "at most 5"},
		"101 images":                      {parts(images(101, 3)), "101 images"},
		"a large request":                 {parts(images(7, largestImage)), "takes at most 32"},
		"no text":                         {parts([]model.Part{{Kind: model.TextPart, Text: "\n"}}), "is empty"},
		"a system prompt alone":           {&model.Request{Model: "a", Messages: []model.Message{model.Text(model.System, "a")}}, "no message beside the system prompt"},
		"an image of the assistant":       {&model.Request{Model: "a", Messages: []model.Message{{Role: model.Assistant, Parts: images(1, 3)}}}, "images of the user only"},
		"a stream":                        {params(model.Params{Extra: map[string]json.RawMessage{"stream": json.RawMessage("true")}}), `"stream" cannot be an extra field`},
		"an extra field that is no JSON":  {params(model.Params{Extra: map[string]json.RawMessage{"a": json.RawMessage("{")}}), "JSON"},
		"a temperature that is no number": {params(model.Params{Temperature: &nan}), "NaN"},
	} {
		t.Run(name, func(t *testing.T) {
			s := takingAll()
			_, err := s.start(t, exchange.Options{}).Generate(t.Context(), c.req)
			fixture.WantError(t, err, omniscope.Invalid, c.words)
			if s.calls != 0 {
				t.Error("it was sent")
			}
			if model.LostIn(err).Tries != 0 {
				t.Error("it counts as paid")
			}
		})
	}
}

// TestLargestRequests is at the limits: nothing that the endpoint takes is refused.
func TestLargestRequests(t *testing.T) {
	for name, parts := range map[string][]model.Part{"images": images(100, 3), "one image": images(1, largestImage), "bytes": images(6, largestImage)} {
		req := question()
		req.Messages[0].Parts = append(parts, model.Part{Kind: model.TextPart, Text: "What?"})
		if _, err := takingAll().start(t, exchange.Options{}).Generate(t.Context(), req); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnknownExtraFieldIsInvalid(t *testing.T) {
	req := question()
	req.Params.Extra = map[string]json.RawMessage{"repetition_penalty": json.RawMessage("1.1")}
	_, err := takingAll().start(t, exchange.Options{}).Generate(t.Context(), req)
	fixture.WantError(t, err, omniscope.Invalid, "repetition_penalty: Extra inputs are not permitted")
}

// TestSamplingOptionsThatModelsRefuse has models that take one of temperature and
// top_p, and none. What was refused once is not sent again.
func TestSamplingOptionsThatModelsRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		refuse func(fields map[string]json.RawMessage) error
		want   []string
		calls  int // of two requests
	}{
		"no temperature": {func(f map[string]json.RawMessage) error {
			if f["temperature"] != nil {
				return fmt.Errorf("`temperature` is deprecated for this model.")
			}
			return nil
		}, []string{"temperature"}, 3},
		"not both": {func(f map[string]json.RawMessage) error {
			if f["temperature"] != nil && f["top_p"] != nil {
				return fmt.Errorf("`temperature` and `top_p` cannot both be specified for this model. Please use only one.")
			}
			return nil
		}, []string{"top_p"}, 3},
		"neither": {func(f map[string]json.RawMessage) error {
			for _, option := range []string{"temperature", "top_p"} {
				if f[option] != nil {
					return fmt.Errorf("`%s` is not supported for this model", option)
				}
			}
			return nil
		}, []string{"temperature", "top_p"}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			s := takingAll()
			s.refuse = c.refuse
			m := s.start(t, exchange.Options{})
			half := 0.5
			for range 2 {
				req := question()
				req.Params.Temperature, req.Params.TopP = &half, &half
				resp, err := m.Generate(t.Context(), req)
				fixture.OK(t, err)
				if !reflect.DeepEqual(resp.DroppedOptions, c.want) {
					t.Errorf("left out %q, want %q", resp.DroppedOptions, c.want)
				}
			}
			if s.calls != c.calls {
				t.Errorf("%d calls, want %d", s.calls, c.calls)
			}
		})
	}
}

func TestTemperatureOutOfRange(t *testing.T) {
	s := takingAll()
	two := 2.0
	req := question()
	req.Params.Temperature = &two
	_, err := s.start(t, exchange.Options{}).Generate(t.Context(), req)
	fixture.WantError(t, err, omniscope.Invalid, "temperature: range")
	if s.calls != 1 {
		t.Errorf("%d calls, want 1", s.calls)
	}
}

func TestMessagesNeedNotAlternate(t *testing.T) {
	req := question()
	req.Messages = append(req.Messages, model.Text(model.User, "Now?"), model.Text(model.Assistant, "No"), model.Text(model.Assistant, "and"), model.Text(model.System, "Be short."))
	s := takingAll()
	if _, err := s.start(t, exchange.Options{}).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if body, _ := s.sent(t); strings.Count(body, `"role"`) != 4 {
		t.Errorf("sent %s", body)
	}
}
