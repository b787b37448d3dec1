package gemini

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

func TestRequestOnTheWire(t *testing.T) {
	m, s := against(t, &fake.Gemini{Key: key, External: true})
	req := &model.Request{Model: "gemini-test", Messages: []model.Message{
		model.Text(model.System, "Be brief."),
		{Role: model.User, Parts: []model.Part{
			{Kind: model.VideoPart, MIME: "video/quicktime", Data: []byte("ftyp")},
			{Kind: model.AudioPart, MIME: "audio/mpeg", Data: []byte("ID3")},
			{Kind: model.ImagePart, MIME: "image/png", URL: "https://example.org/dog.png"},
			{Kind: model.TextPart, Text: ""},
			{Kind: model.TextPart, Text: "Who \"barks\"?\n"},
		}},
		model.Text(model.Assistant, "A dog."),
		model.Text(model.User, "Sure?"),
		model.Text(model.System, "And kind."),
	}}
	req.Params = model.Params{Temperature: new(0.5), TopP: new(0.25), MaxTokens: 99, Seed: new(int64(-7)), Stop: []string{"END"},
		Extra: map[string]json.RawMessage{
			"thinkingConfig": json.RawMessage(`{"thinkingBudget": 0}`), "temperature": json.RawMessage("1"),
			"safetySettings": json.RawMessage(`[{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "OFF"}]`),
		}}
	req.Schema = &model.Schema{Name: "a", JSON: json.RawMessage(`{"type":"object"}`)}
	if _, err := m.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	got := s.Requests()[0]
	c := got.GenerationConfig
	if *c.Temperature != 1 || *c.TopP != 0.25 || *c.MaxOutputTokens != 99 || *c.Seed != -7 || !reflect.DeepEqual(c.StopSequences, []string{"END"}) ||
		*c.ThinkingConfig.ThinkingBudget != 0 || c.ResponseMIMEType != "application/json" || string(c.ResponseJSONSchema) != `{"type":"object"}` {
		t.Errorf("got the configuration %+v", c)
	}
	if got.Model != "gemini-test" || len(got.SafetySettings) != 1 || got.SafetySettings[0].Threshold != "OFF" {
		t.Errorf("got the model %q and settings %+v", got.Model, got.SafetySettings)
	}
	if sys := got.SystemInstruction; len(sys.Parts) != 2 || *sys.Parts[0].Text != "Be brief." || *sys.Parts[1].Text != "And kind." {
		t.Errorf("got the system instruction %+v", sys)
	}
	data := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	want := []fake.GeminiContent{
		{Role: "user", Parts: []fake.GeminiPart{
			{InlineData: &fake.GeminiBlob{MIMEType: "video/mov", Data: data("ftyp")}},
			{InlineData: &fake.GeminiBlob{MIMEType: "audio/mp3", Data: data("ID3")}},
			{FileData: &fake.GeminiFile{MIMEType: "image/png", FileURI: "https://example.org/dog.png"}},
			{Text: new("Who \"barks\"?\n")},
		}},
		{Role: "model", Parts: []fake.GeminiPart{{Text: new("A dog.")}}},
		{Role: "user", Parts: []fake.GeminiPart{{Text: new("Sure?")}}},
	}
	if !reflect.DeepEqual(got.Contents, want) {
		t.Errorf("got %+v", got.Contents)
	}
}

func TestEqualRequestsAreEqualBytes(t *testing.T) {
	req := question()
	req.Params.Extra = map[string]json.RawMessage{"b": json.RawMessage("1"), "a": json.RawMessage("2"), "tools": json.RawMessage("[]"), "store": json.RawMessage("true")}
	first, err := encodeRequest(req, nil)
	if err != nil || !json.Valid(first) {
		t.Fatalf("got %s, %v", first, err)
	}
	for range 20 {
		if again, _ := encodeRequest(req, nil); string(again) != string(first) {
			t.Fatalf("got %s and %s", first, again)
		}
	}
}

func TestInvalidRequests(t *testing.T) {
	image := model.Part{Kind: model.ImagePart, MIME: "image/png", Data: []byte("x")}
	for words, change := range map[string]func(*model.Request){
		"32 bits":          func(r *model.Request) { r.Params.Seed = new(int64(1 << 40)) },
		"not JSON":         func(r *model.Request) { r.Schema = &model.Schema{Name: "a", JSON: json.RawMessage("{")} },
		`"x" is not JSON`:  func(r *model.Request) { r.Params.Extra = map[string]json.RawMessage{"x": json.RawMessage("{")} },
		"cannot be given":  func(r *model.Request) { r.Params.Extra = map[string]json.RawMessage{"contents": json.RawMessage("[]")} },
		"neither data":     func(r *model.Request) { r.Messages[0].Parts[0] = model.Part{Kind: model.AudioPart, MIME: "audio/wav"} },
		"no MIME type":     func(r *model.Request) { r.Messages[0].Parts[0] = model.Part{Kind: model.AudioPart, Data: []byte("x")} },
		"takes text alone": func(r *model.Request) { r.Messages[0] = model.Message{Role: model.System, Parts: []model.Part{image}} },
		"contents is not":  func(r *model.Request) { r.Messages = nil },
		"Unsupported MIME": func(r *model.Request) {
			r.Messages[0].Parts = []model.Part{{Kind: model.ImagePart, MIME: "image/x", Data: []byte("x")}}
		},
		"must not be empty": func(r *model.Request) { r.Messages[0].Parts = nil },
	} {
		m, _ := against(t, &fake.Gemini{})
		req := question()
		change(req)
		_, err := m.Generate(t.Context(), req)
		fixture.WantError(t, err, omniscope.Invalid, words)
	}
}

func TestLargeMediaAreChosenForUpload(t *testing.T) {
	m := mustNew(t, exchange.Options{})
	m.inlineLimit = 4000
	part := func(n int) model.Part {
		return model.Part{Kind: model.AudioPart, MIME: "audio/wav", Data: []byte(strings.Repeat("x", n))}
	}
	for _, c := range []struct {
		parts []model.Part
		want  []place
	}{
		{[]model.Part{part(100), part(900)}, nil},
		{[]model.Part{part(100), part(3000), part(90)}, []place{{0, 2}}},
		{[]model.Part{part(2100), part(3000), part(90)}, []place{{0, 2}, {0, 1}}},
		{[]model.Part{{Kind: model.TextPart, Text: strings.Repeat("x", 5000)}}, nil},
	} {
		if got := m.tooLarge(question(c.parts...)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
}
