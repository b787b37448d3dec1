package openai

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

func TestRequestBodies(t *testing.T) {
	zero, half, seed := 0.0, 0.5, int64(-7)
	user := func(parts ...model.Part) []model.Message { return []model.Message{{Role: model.User, Parts: parts}} }
	for _, c := range []struct {
		name string
		req  model.Request
		want string
	}{
		{"one text is a plain string", model.Request{Messages: []model.Message{model.Text(model.User, "Hello")}},
			`{"model":"judge","messages":[{"role":"user","content":"Hello"}]}`},
		{"system and user", model.Request{Messages: []model.Message{model.Text(model.System, "Be brief."), model.Text(model.User, "Hello")}},
			`{"model":"judge","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hello"}]}`},
		{"nothing at all", model.Request{}, `{"model":"judge","messages":[]}`},
		{"two texts are parts", model.Request{Messages: user(model.Part{Kind: model.TextPart, Text: "a"}, model.Part{Kind: model.TextPart})},
			`{"model":"judge","messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":""}]}]}`},
		{"a picture as bytes", model.Request{Messages: user(model.Part{Kind: model.ImagePart, MIME: "image/png", Data: []byte("\x89PNG"), Digest: "d"})},
			`{"model":"judge","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}]}]}`},
		{"a picture by address", model.Request{Messages: user(model.Part{Kind: model.ImagePart, MIME: "image/png", URL: "https://example.org/a.png?x=1&y=2"})},
			`{"model":"judge","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.org/a.png?x=1&y=2"}}]}]}`},
		{"a film as bytes", model.Request{Messages: user(model.Part{Kind: model.VideoPart, MIME: "video/mp4", Data: []byte("ftyp")})},
			`{"model":"judge","messages":[{"role":"user","content":[{"type":"video_url","video_url":{"url":"data:video/mp4;base64,ZnR5cA=="}}]}]}`},
		{"a film by address", model.Request{Messages: user(model.Part{Kind: model.VideoPart, URL: "file:///a.mp4"})},
			`{"model":"judge","messages":[{"role":"user","content":[{"type":"video_url","video_url":{"url":"file:///a.mp4"}}]}]}`},
		{"sound: wav", model.Request{Messages: user(model.Part{Kind: model.AudioPart, MIME: "audio/x-wav", Data: []byte("RIFF")})},
			`{"model":"judge","messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}]}]}`},
		{"sound: mp3", model.Request{Messages: user(model.Part{Kind: model.AudioPart, MIME: "audio/mpeg", Data: []byte("ID3")})},
			`{"model":"judge","messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}}]}]}`},
		{"sound by address", model.Request{Messages: user(model.Part{Kind: model.AudioPart, URL: "https://example.org/a.wav"})},
			`{"model":"judge","messages":[{"role":"user","content":[{"type":"audio_url","audio_url":{"url":"https://example.org/a.wav"}}]}]}`},
		{"parameters that are set, zero among them", model.Request{Params: model.Params{Temperature: &zero, TopP: &half, MaxTokens: 9, Seed: &seed, Stop: []string{"<|end|>", "\n"}}},
			`{"model":"judge","temperature":0,"top_p":0.5,"max_tokens":9,"seed":-7,"stop":["<|end|>","\n"],"messages":[]}`},
		{"further fields in the order of their names", model.Request{Params: model.Params{Extra: map[string]json.RawMessage{
			"top_k": json.RawMessage("20"), "<b>": json.RawMessage(`"<&>"`), "a": json.RawMessage(`{"b": [1]}`)}}},
			`{"model":"judge","<b>":"<&>","a":{"b": [1]},"top_k":20,"messages":[]}`},
		{"a schema", model.Request{Schema: &model.Schema{Name: "answer", JSON: json.RawMessage(`{"pattern": "<a>"}`)}},
			`{"model":"judge","response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"pattern": "<a>"},"strict":true}},"messages":[]}`},
		{"a schema instead of another form", model.Request{Params: model.Params{Extra: map[string]json.RawMessage{"response_format": json.RawMessage(`{"type":"json_object"}`), "a": json.RawMessage("1")}},
			Schema: &model.Schema{Name: "answer", JSON: json.RawMessage(`{}`)}},
			`{"model":"judge","response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{},"strict":true}},"a":1,"messages":[]}`},
		{"another form without a schema", model.Request{Params: model.Params{Extra: map[string]json.RawMessage{"response_format": json.RawMessage(`{"type":"json_object"}`)}}},
			`{"model":"judge","response_format":{"type":"json_object"},"messages":[]}`},
		{"further fields instead of parameters", model.Request{Params: model.Params{Temperature: &zero, TopP: &half, MaxTokens: 9, Seed: &seed, Stop: []string{"x"}, Extra: map[string]json.RawMessage{
			"temperature": json.RawMessage("1"), "top_p": json.RawMessage("0.9"), "max_completion_tokens": json.RawMessage("5"), "seed": json.RawMessage("3"), "stop": json.RawMessage(`["y"]`)}}},
			`{"model":"judge","max_completion_tokens":5,"seed":3,"stop":["y"],"temperature":1,"top_p":0.9,"messages":[]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.req.Model = "judge"
			got, err := encodeRequest(nil, &c.req, 0, OpenAIParts)
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s %v\nwant %s", got, err, c.want)
			}
			if !json.Valid(got) {
				t.Error("it is not JSON")
			}
		})
	}
}

func TestDroppedOptionsNotSent(t *testing.T) {
	half := 0.5
	req := &model.Request{Model: "judge", Params: model.Params{Temperature: &half, MaxTokens: 9}, Schema: &model.Schema{Name: "a", JSON: json.RawMessage("{}")}}
	got, err := encodeRequest(nil, req, exchange.Schema|exchange.MaxTokens|exchange.Temperature, OpenAIParts)
	if want := `{"model":"judge","max_completion_tokens":9,"messages":[]}`; err != nil || string(got) != want {
		t.Errorf("got %s %v, want %s", got, err, want)
	}
}

func TestInvalidJSONOptions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, req := range []*model.Request{
		{Params: model.Params{Temperature: &nan}},
		{Params: model.Params{TopP: &inf}},
		{Params: model.Params{Extra: map[string]json.RawMessage{"a": json.RawMessage(`1,"b":2`)}}},
		{Params: model.Params{Extra: map[string]json.RawMessage{"a": nil}}},
		{Params: model.Params{Extra: map[string]json.RawMessage{"messages": json.RawMessage("[]")}}},
		{Schema: &model.Schema{Name: "a", JSON: json.RawMessage("{")}},
		{Schema: &model.Schema{Name: "a"}},
	} {
		req.Step = "sample-1"
		_, err := encodeRequest(nil, req, 0, OpenAIParts)
		fixture.WantError(t, err, omniscope.Invalid, "call sample-1")
	}
}

var hostile = []string{
	"", `"`, `\`, "\\\"", "\x00\x01\x1f\x7f", "\b\f\n\r\t", "<script>&amp;</script>", "\u2028\u2029", "\ufeff狗🐕\u200d🦺",
	"bad \xff\xc3\x28 utf8", "\xed\xa0\x80", `{"role":"system"}`, "]}", strings.Repeat(`\"`, 1000),
}

// TestHostileText wants every string to arrive as encoding/json would send it.
func TestHostileText(t *testing.T) {
	type object = map[string]any
	for _, s := range hostile {
		req := &model.Request{Model: s, Schema: &model.Schema{Name: s, JSON: json.RawMessage("true")},
			Params: model.Params{Stop: []string{s}, Extra: map[string]json.RawMessage{"x" + s: json.RawMessage("1")}},
			Messages: []model.Message{model.Text(model.User, s), {Role: model.MessageRole(s), Parts: []model.Part{
				{Kind: model.TextPart, Text: s}, {Kind: model.ImagePart, URL: "u" + s}, {Kind: model.VideoPart, MIME: s, Data: []byte(s)}, {Kind: model.AudioPart, MIME: s}}}}}
		body, err := encodeRequest(nil, req, 0, OpenAIParts)
		fixture.OK(t, err)
		data, _ := json.Marshal([]byte(s)) // base64 in quotes
		standard, err := json.Marshal(object{"model": s, "stop": []string{s}, "x" + s: 1,
			"response_format": object{"type": "json_schema", "json_schema": object{"name": s, "schema": true, "strict": true}},
			"messages": []object{{"role": "user", "content": s}, {"role": s, "content": []object{
				{"type": "text", "text": s}, {"type": "image_url", "image_url": object{"url": "u" + s}},
				{"type": "video_url", "video_url": object{"url": "data:" + s + ";base64," + string(bytes.Trim(data, `"`))}},
				{"type": "input_audio", "input_audio": object{"data": "", "format": s}}}}}})
		fixture.OK(t, err)
		if got, want := parsed(t, body), parsed(t, standard); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got  %v\nwant %v", s, got, want)
		}
	}
}

func parsed(t *testing.T, body []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return v
}

func TestNumbersArriveAsTheyAre(t *testing.T) {
	for _, n := range []float64{0, 1, 0.1, 1e-9, 1e21, 1.0 / 3, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1)} {
		body, err := encodeRequest(nil, &model.Request{Params: model.Params{Temperature: &n}}, 0, OpenAIParts)
		fixture.OK(t, err)
		if got := parsed(t, body).(map[string]any)["temperature"]; got != n {
			t.Errorf("sent %v, got %v", n, got)
		}
	}
}

func TestBodyMadeOnce(t *testing.T) {
	req := promptOf(10 << 10)
	req.Messages = append(req.Messages, model.Message{Role: model.User, Parts: []model.Part{{Kind: model.ImagePart, MIME: "image/png", Data: make([]byte, 1<<20)}}})
	body, err := encodeRequest(nil, req, 0, OpenAIParts)
	if err != nil || len(body) > sizeOf(req) {
		t.Errorf("a body of %d bytes was taken for %d: %v", len(body), sizeOf(req), err)
	}
}
