package fake

import (
	"net/http"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// generate sends a generateContent request, and returns the status and the answer.
func generate(t *testing.T, g *Gemini, body string) (int, string) {
	t.Helper()
	return postJSON(t, g.URL()+"/v1beta/models/m:generateContent", body)
}

const hello = `"contents": [{"role": "user", "parts": [{"text": "hello"}]}]`

func TestGeminiRequest(t *testing.T) {
	s := new(Gemini).Start(t)
	status, text := generate(t, s, `{`+hello+`, "generationConfig": {"temperature": 0, "thinkingConfig": {"thinkingBudget": 0}}}`)
	if status != 200 || !strings.Contains(text, `"text":"ok"`) || len(s.Requests()) != 1 || s.Requests()[0].Text() != "hello" {
		t.Errorf("got %d, %s", status, text)
	}
}

// TestGeminiRules breaks each rule once.
func TestGeminiRules(t *testing.T) {
	parts := func(p string) string { return `{"contents": [{"role": "user", "parts": [` + p + `]}]}` }
	config := func(c string) string { return `{` + hello + `, "generationConfig": {` + c + `}}` }
	for words, body := range map[string]string{
		"unknown field":                config(`"top_k": 1`),
		"unexpected end":               `{`,
		"contents is not specified":    `{}`,
		"valid role":                   `{"contents": [{"role": "assistant", "parts": [{"text": "a"}]}]}`,
		"parts must not be empty":      parts(``),
		"one initialized field":        parts(`{"text": ""}`),
		"exactly one of":               parts(`{}`),
		"Unsupported MIME type: x/y":   parts(`{"inlineData": {"mimeType": "x/y", "data": "AAAA"}}`),
		"Base64 decoding failed":       parts(`{"inlineData": {"mimeType": "image/png", "data": "?"}}`),
		"Unsupported file uri":         parts(`{"fileData": {"mimeType": "image/png", "fileUri": "https://example.org/a.png"}}`),
		"temperature":                  config(`"temperature": 2.5`),
		"top_p":                        config(`"topP": 2`),
		"max_output_tokens":            config(`"maxOutputTokens": 0`),
		"stop_sequences":               config(`"stopSequences": ["1", "2", "3", "4", "5", "6"]`),
		"Response schema":              config(`"responseJsonSchema": {}`),
		"System instruction":           `{` + hello + `, "systemInstruction": {"parts": [{"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]}}`,
		"exceeds the limit: 300 bytes": parts(`{"text": "` + strings.Repeat("x", 300) + `"}`),
	} {
		s := (&Gemini{MostBytes: 300}).Start(t)
		if status, text := generate(t, s, body); status != 400 || !strings.Contains(text, words) || len(s.Requests()) != 0 || len(s.Refused()) != 1 {
			t.Errorf("want %q, got %d, %s", words, status, text)
		}
	}
}

func TestUnknownFile(t *testing.T) {
	s := new(Gemini).Start(t)
	status, text := generate(t, s, `{"contents": [{"role": "user", "parts": [{"fileData": {"mimeType": "video/mp4", "fileUri": "`+s.URL()+`/v1beta/files/f9"}}]}]}`)
	if status != 403 || !strings.Contains(text, "the File f9 or it may not exist") {
		t.Errorf("got %d, %s", status, text)
	}
}

func TestKeyInTheAddress(t *testing.T) {
	s := new(Gemini).Start(t)
	resp, err := http.Get(s.URL() + "/v1beta/models?key=secret")
	fixture.OK(t, err)
	resp.Body.Close()
	if resp.StatusCode != 400 {
		t.Errorf("got %d", resp.StatusCode)
	}
}
