package wrap_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/model"
	"omniscope/model/wrap"
)

// rich uses everything that a key depends on.
func rich() *model.Request {
	temperature, seed := 0.0, int64(7)
	return &model.Request{
		Step: "42", Attempt: 2, Model: "m",
		Messages: []model.Message{
			model.Text(model.System, "Judge <b>strictly</b> & \"fairly\".\n"),
			{Role: model.User, Parts: []model.Part{
				{Kind: model.TextPart, Text: "Was siehst du? 狗"},
				{Kind: model.ImagePart, MIME: "image/jpeg", Data: []byte("jpeg"), Digest: "sha256:policy"},
				{Kind: model.AudioPart, MIME: "audio/wav", Data: []byte("wav")},
				{Kind: model.VideoPart, URL: "https://example.org/v.mp4?a=1&b=2"},
			}},
		},
		Params: model.Params{Temperature: &temperature, Seed: &seed, MaxTokens: 100, Stop: []string{"<end>"},
			Extra: map[string]json.RawMessage{"top_k": json.RawMessage("20")}},
		Schema: &model.Schema{Name: "answer", JSON: json.RawMessage(`{"type":"object"}`)},
	}
}

func canonical(t testing.TB, name string, req *model.Request) (text, key string) {
	t.Helper()
	b, k, err := wrap.Canonical(name, req)
	fixture.OK(t, err)
	return string(b), k.String()
}

// A change of this key makes every journal ever written worthless.
func TestStableKeys(t *testing.T) {
	text, key := canonical(t, "openai/m", rich())
	const wantText = `{"model":"openai/m","attempt":2,` +
		`"params":{"temperature":0,"max_tokens":100,"seed":7,"stop":["<end>"],"extra":{"top_k":20}},` +
		`"schema":{"name":"answer","schema":{"type":"object"}},"messages":[` +
		`{"role":"system","parts":[{"kind":"text","text":"Judge <b>strictly</b> & \"fairly\".\n"}]},` +
		`{"role":"user","parts":[{"kind":"text","text":"Was siehst du? 狗"},` +
		`{"kind":"image","mime":"image/jpeg","digest":"sha256:policy"},` +
		`{"kind":"audio","mime":"audio/wav","digest":"sha256:61e25c2cdda1758ce167dbeb7e6d776c5cd6c2f12168f190ef0dca674ff60e6c"},` +
		`{"kind":"video","url":"https://example.org/v.mp4?a=1&b=2"}]}]}`
	if text != wantText {
		t.Errorf("canonical form:\n%s, want\n%s", text, wantText)
	}
	if want := "2949cbaa49ccfb3d76518a08108503bb"; key != want {
		t.Errorf("key %s, want %s", key, want)
	}
}

func TestKeyOfPlainRequest(t *testing.T) {
	text, key := canonical(t, "openai/m", request("7"))
	const wantText = `{"model":"openai/m","attempt":1,"params":{},"messages":[{"role":"user","parts":[{"kind":"text","text":"about 7"}]}]}`
	if text != wantText {
		t.Errorf("canonical form:\n%s, want\n%s", text, wantText)
	}
	if want := "2c5f9471463fa2fd19da2be804319de0"; key != want {
		t.Errorf("key %s, want %s", key, want)
	}
}

func TestKeyCoversRequest(t *testing.T) {
	_, before := canonical(t, "openai/m", rich())
	for name, change := range map[string]func(*model.Request){
		"attempt":       func(r *model.Request) { r.Attempt++ },
		"temperature":   func(r *model.Request) { *r.Params.Temperature = 0.1 },
		"no seed":       func(r *model.Request) { r.Params.Seed = nil },
		"token limit":   func(r *model.Request) { r.Params.MaxTokens++ },
		"stop":          func(r *model.Request) { r.Params.Stop = nil },
		"extra":         func(r *model.Request) { r.Params.Extra["top_k"] = json.RawMessage("21") },
		"schema":        func(r *model.Request) { r.Schema.JSON = json.RawMessage(`{"type":"array"}`) },
		"schema's name": func(r *model.Request) { r.Schema.Name = "other" },
		"no schema":     func(r *model.Request) { r.Schema = nil },
		"role":          func(r *model.Request) { r.Messages[0].Role = model.User },
		"text":          func(r *model.Request) { r.Messages[0].Parts[0].Text += " " },
		"a message":     func(r *model.Request) { r.Messages = r.Messages[:1] },
		"order":         func(r *model.Request) { p := r.Messages[1].Parts; p[1], p[2] = p[2], p[1] },
		"media digest":  func(r *model.Request) { r.Messages[1].Parts[1].Digest = "sha256:other" },
		"media bytes":   func(r *model.Request) { r.Messages[1].Parts[2].Data = []byte("WAV") },
		"media type":    func(r *model.Request) { r.Messages[1].Parts[2].MIME = "audio/x-wav" },
		"media address": func(r *model.Request) { r.Messages[1].Parts[3].URL += "3" },
		"kind of part":  func(r *model.Request) { r.Messages[1].Parts[3].Kind = model.ImagePart },
	} {
		req := rich()
		change(req)
		if _, after := canonical(t, "openai/m", req); after == before {
			t.Errorf("%s: the key stays the same", name)
		}
	}
	if _, after := canonical(t, "openai/n", rich()); after == before {
		t.Error("model: the key stays the same")
	}
}

func TestKeyStability(t *testing.T) {
	_, before := canonical(t, "openai/m", rich())
	for name, change := range map[string]func(*model.Request){
		"step":                 func(r *model.Request) { r.Step = "43" },
		"digested media bytes": func(r *model.Request) { r.Messages[1].Parts[1].Data = nil },
		"space in the schema":  func(r *model.Request) { r.Schema.JSON = json.RawMessage(`{ "type": "object" }`) },
	} {
		req := rich()
		change(req)
		if _, after := canonical(t, "openai/m", req); after != before {
			t.Errorf("%s: the key changes", name)
		}
	}
}

func TestInvalidJSONRequest(t *testing.T) {
	for name, change := range map[string]func(*model.Request){
		"parameters": func(r *model.Request) { r.Params.Extra["top_k"] = json.RawMessage("{") },
		"schema":     func(r *model.Request) { r.Schema.JSON = json.RawMessage("type: object") },
	} {
		req := rich()
		change(req)
		_, err := recording(provider(instant), runtest.NewMemory(), nil).Generate(t.Context(), req)
		fixture.WantError(t, err, omniscope.Invalid)
		if !strings.Contains(err.Error(), "call 42: "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// plainForm is the canonical form as encoding/json writes it.
func plainForm(t testing.TB, text string) string {
	t.Helper()
	var form struct {
		Model    string `json:"model"`
		Attempt  int    `json:"attempt"`
		Params   struct{}
		Messages []any `json:"messages"`
	}
	type part struct {
		Kind string `json:"kind"`
		Text string `json:"text,omitempty"`
	}
	type message struct {
		Role  string `json:"role"`
		Parts []part `json:"parts"`
	}
	form.Model, form.Attempt = text, 1
	form.Messages = []any{message{"user", []part{{"text", text}}}}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	fixture.OK(t, enc.Encode(form))
	return strings.Replace(strings.TrimSuffix(b.String(), "\n"), `"Params"`, `"params"`, 1)
}

func FuzzCanonicalMatchesEncodingJSON(f *testing.F) {
	f.Add("")
	f.Add("plain")
	f.Add("\x00\x01\b\t\n\v\f\r\x1f \"\\/<>&'\x7f\x80\xff")
	f.Add("狗 é 🐕‍🦺 \u2028\u2029\ufffd\ufeff \xe2\x80 \xed\xa0\x80 end")
	var every strings.Builder
	for c := range 256 {
		fmt.Fprintf(&every, "%c%s", rune(c), []byte{byte(c)})
	}
	f.Add(every.String())
	f.Fuzz(func(t *testing.T, s string) {
		req := request("7")
		req.Messages[0].Parts[0].Text = s
		got, _ := canonical(t, s, req)
		if want := plainForm(t, s); got != want {
			t.Errorf("got\n%s, want\n%s", got, want)
		}
	})
}
