package openai

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"omniscope/model"
)

// The wire form of a request. Parts that every compatible server reads are
// used: image_url and video_url with data URLs, input_audio with base64.
type (
	wireRequest struct {
		Model               string        `json:"model"`
		Messages            []wireMessage `json:"messages"`
		Temperature         *float64      `json:"temperature,omitempty"`
		TopP                *float64      `json:"top_p,omitempty"`
		MaxTokens           int           `json:"max_tokens,omitempty"`
		MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
		Seed                *int64        `json:"seed,omitempty"`
		Stop                []string      `json:"stop,omitempty"`
		ResponseFormat      *wireFormat   `json:"response_format,omitempty"`
	}
	wireMessage struct {
		Role    model.Role `json:"role"`
		Content any        `json:"content"` // a string, or []wirePart
	}
	wirePart struct {
		Type       string     `json:"type"`
		Text       string     `json:"text,omitempty"`
		ImageURL   *wireURL   `json:"image_url,omitempty"`
		VideoURL   *wireURL   `json:"video_url,omitempty"`
		AudioURL   *wireURL   `json:"audio_url,omitempty"`
		InputAudio *wireAudio `json:"input_audio,omitempty"`
	}
	wireURL struct {
		URL string `json:"url"`
	}
	wireAudio struct {
		Data   string `json:"data"`
		Format string `json:"format"`
	}
	wireFormat struct {
		Type       string     `json:"type"`
		JSONSchema wireSchema `json:"json_schema"`
	}
	wireSchema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
		Strict bool            `json:"strict"`
	}
)

// encodeRequest writes the body of a call, leaving out what the endpoint is
// known not to take.
func encodeRequest(req *model.Request, without concession) []byte {
	w := wireRequest{Model: req.Model, TopP: req.Params.TopP, Seed: req.Params.Seed, Stop: req.Params.Stop,
		Messages: make([]wireMessage, len(req.Messages))}
	for i, msg := range req.Messages {
		w.Messages[i] = wireMessage{Role: msg.Role, Content: content(msg.Parts)}
	}
	if !without.temperature {
		w.Temperature = req.Params.Temperature
	}
	if without.maxTokens {
		w.MaxCompletionTokens = req.Params.MaxTokens
	} else {
		w.MaxTokens = req.Params.MaxTokens
	}
	if req.Schema != nil && !without.schema {
		w.ResponseFormat = &wireFormat{Type: "json_schema",
			JSONSchema: wireSchema{Name: req.Schema.Name, Schema: req.Schema.JSON, Strict: true}}
	}
	return withExtra(marshal(w), req.Params.Extra)
}

func content(parts []model.Part) any {
	if len(parts) == 1 && parts[0].Kind == model.TextPart {
		return parts[0].Text
	}
	out := make([]wirePart, len(parts))
	for i, p := range parts {
		switch p.Kind {
		case model.ImagePart:
			out[i] = wirePart{Type: "image_url", ImageURL: &wireURL{address(p)}}
		case model.VideoPart:
			out[i] = wirePart{Type: "video_url", VideoURL: &wireURL{address(p)}}
		case model.AudioPart:
			out[i] = audio(p)
		default:
			out[i] = wirePart{Type: "text", Text: p.Text}
		}
	}
	return out
}

func address(p model.Part) string {
	if p.URL != "" {
		return p.URL
	}
	return "data:" + p.MIME + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
}

func audio(p model.Part) wirePart {
	if p.URL != "" {
		return wirePart{Type: "audio_url", AudioURL: &wireURL{p.URL}}
	}
	format := strings.TrimPrefix(strings.TrimPrefix(p.MIME, "audio/"), "x-")
	if format == "mpeg" {
		format = "mp3"
	}
	return wirePart{Type: "input_audio", InputAudio: &wireAudio{base64.StdEncoding.EncodeToString(p.Data), format}}
}

// marshal leaves < and > as they are, as Python clients do.
func marshal(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // plain structs of strings and numbers always encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// withExtra adds fields of the user's own to a JSON object, in a fixed order.
func withExtra(body []byte, extra map[string]json.RawMessage) []byte {
	if len(extra) == 0 {
		return body
	}
	body = body[:len(body)-1]
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		body = append(body, ',')
		body = append(body, marshal(name)...)
		body = append(append(body, ':'), extra[name]...)
	}
	return append(body, '}')
}
