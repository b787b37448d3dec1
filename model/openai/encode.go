package openai

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/jsonstr"
	"omniscope/model"
)

// The wire form of a request, apart from its messages. Parts that every
// compatible server reads are used: image_url and video_url with data URLs,
// input_audio with base64.
type (
	wireOptions struct {
		Model               string      `json:"model"`
		Temperature         *float64    `json:"temperature,omitempty"`
		TopP                *float64    `json:"top_p,omitempty"`
		MaxTokens           int         `json:"max_tokens,omitempty"`
		MaxCompletionTokens int         `json:"max_completion_tokens,omitempty"`
		Seed                *int64      `json:"seed,omitempty"`
		Stop                []string    `json:"stop,omitempty"`
		ResponseFormat      *wireFormat `json:"response_format,omitempty"`
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
// known not to take. An error means that the schema or the extra fields are
// not JSON.
func encodeRequest(req *model.Request, without concession) ([]byte, error) {
	w := wireOptions{Model: req.Model, TopP: req.Params.TopP, Seed: req.Params.Seed, Stop: req.Params.Stop}
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
	options, err := json.Marshal(w)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: err}
	}
	body := make([]byte, 0, len(options)+textSize(req))
	body = append(body, options[:len(options)-1]...)
	for _, name := range slices.Sorted(maps.Keys(req.Params.Extra)) {
		if !json.Valid(req.Params.Extra[name]) {
			return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: fmt.Errorf("extra field %q is not JSON", name)}
		}
		body = jsonstr.Append(append(body, ','), name)
		body = append(append(body, ':'), req.Params.Extra[name]...)
	}
	body = append(body, `,"messages":[`...)
	for i, msg := range req.Messages {
		if i > 0 {
			body = append(body, ',')
		}
		body = appendMessage(body, msg)
	}
	return append(body, "]}"...), nil
}

// textSize is about the length of the messages, with room for escapes.
func textSize(req *model.Request) int {
	size := 64
	for _, msg := range req.Messages {
		for _, p := range msg.Parts {
			size += 64 + len(p.Text) + len(p.Text)/16
		}
	}
	return size
}

// appendMessage writes one message. A message of one text has a plain string as
// content, which the oldest servers read, too, and is not copied on the way:
// prompts are long.
func appendMessage(body []byte, msg model.Message) []byte {
	body = jsonstr.Append(append(body, `{"role":`...), string(msg.Role))
	body = append(body, `,"content":`...)
	if len(msg.Parts) == 1 && msg.Parts[0].Kind == model.TextPart {
		body = jsonstr.Append(body, msg.Parts[0].Text)
	} else {
		content, _ := json.Marshal(wireParts(msg.Parts)) // plain strings always encode
		body = append(body, content...)
	}
	return append(body, '}')
}

func wireParts(parts []model.Part) []wirePart {
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
