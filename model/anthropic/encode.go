package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope/model"
	"omniscope/model/exchange"
)

// Limits of the API: the pages "Vision" and "Errors" of its documentation. The
// API counts the bytes of an image in base64, not those of the file: its words
// are "image exceeds 5 MB maximum: 6405384 bytes > 5242880 bytes" for a file of
// 4,804,036 (langchain-ai/langchain, issue 21654).
const (
	mostImages     = 100
	mostImageBytes = 5 << 20  // of one image, in base64
	mostBytes      = 32 << 20 // of a request
)

// imageTypes are the media types of images (anthropic-sdk-go, message.go,
// Base64ImageSourceMediaType).
var imageTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

type (
	message struct {
		Role    model.MessageRole `json:"role"`
		Content []block           `json:"content"`
	}
	block struct {
		Type   string  `json:"type"`
		Text   string  `json:"text,omitempty"`
		Source *source `json:"source,omitempty"`
	}
	source struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type,omitempty"`
		Data      []byte `json:"data,omitempty"` // encoding/json writes it in base64
		URL       string `json:"url,omitempty"`
	}
)

// encode writes the body of a call, without what the model is known not to take.
// The members are in the order of their names, so that equal requests are equal
// bytes. An error says what the API would refuse, or is not JSON.
func encode(req *model.Request, without exchange.Option) ([]byte, error) {
	fields := map[string]any{"model": req.Model, "max_tokens": defaultMaxTokens}
	system, messages, err := messagesOf(req)
	if err != nil {
		return nil, err
	}
	fields["messages"] = messages
	if len(system) > 0 {
		fields["system"] = system
	}
	p := req.Params
	if p.MaxTokens != 0 {
		fields["max_tokens"] = p.MaxTokens
	}
	if p.Temperature != nil && !without.Has(exchange.Temperature) {
		fields["temperature"] = *p.Temperature
	}
	if p.TopP != nil && !without.Has(exchange.TopP) {
		fields["top_p"] = *p.TopP
	}
	if len(p.Stop) > 0 {
		fields["stop_sequences"] = p.Stop
	}
	for name, value := range p.Extra {
		if slices.Contains([]string{"messages", "model", "stream", "system"}, name) {
			return nil, fmt.Errorf("%q cannot be an extra field: it is part of every call", name)
		}
		fields[name] = value
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	if len(body) > mostBytes {
		return nil, fmt.Errorf("the request has %.1f MB and the endpoint takes at most %d: send fewer or smaller images", float64(len(body))/(1<<20), mostBytes>>20)
	}
	return body, nil
}

// messagesOf separates the system prompt, which is no message of this API.
func messagesOf(req *model.Request) (system []block, messages []message, err error) {
	images := 0
	for i, msg := range req.Messages {
		blocks, err := blocksOf(msg)
		if err != nil {
			return nil, nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		for _, b := range blocks {
			if b.Source != nil {
				images++
			}
		}
		switch {
		case msg.Role == model.System:
			system = append(system, blocks...)
		case len(blocks) == 0:
			return nil, nil, fmt.Errorf("message %d of role %s is empty: the endpoint takes no empty message", i+1, msg.Role)
		default:
			messages = append(messages, message{msg.Role, blocks})
		}
	}
	switch {
	case len(messages) == 0:
		return nil, nil, errors.New("there is no message beside the system prompt: the endpoint wants one of the user")
	case images > mostImages:
		return nil, nil, fmt.Errorf("%d images in one request, and the endpoint takes at most %d: send fewer", images, mostImages)
	}
	return system, messages, nil
}

// blocksOf writes the parts of a message. Blank texts are left out, since the API
// refuses them.
func blocksOf(msg model.Message) (blocks []block, err error) {
	for i, p := range msg.Parts {
		var b block
		switch {
		case p.Kind == model.ImagePart && msg.Role != model.User:
			return nil, fmt.Errorf("part %d: a message of role %s has an image: the endpoint takes images of the user only", i+1, msg.Role)
		case p.Kind == model.ImagePart:
			b, err = imageBlock(p)
		case p.Kind == model.AudioPart || p.Kind == model.VideoPart:
			err = fmt.Errorf("this endpoint has no %s: Anthropic's models take text and images; sample frames, or choose a model that takes %s", p.Kind, p.Kind)
		case strings.TrimSpace(p.Text) == "":
			continue
		default:
			b = block{Type: "text", Text: p.Text}
		}
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i+1, err)
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}

// imageBlock writes an image that the endpoint gets, or opens itself.
func imageBlock(p model.Part) (block, error) {
	mime := strings.ToLower(p.MIME)
	if mime == "image/jpg" {
		mime = "image/jpeg"
	}
	if !slices.Contains(imageTypes, mime) && (mime != "" || p.URL == "") {
		return block{}, fmt.Errorf("an image of type %q: the endpoint takes %s", p.MIME, strings.Join(imageTypes, ", "))
	}
	if p.URL != "" {
		if !strings.HasPrefix(p.URL, "https://") {
			return block{}, fmt.Errorf("an image at %q: the endpoint opens https addresses only; send the image itself", model.FirstWords(p.URL))
		}
		return block{Type: "image", Source: &source{Type: "url", URL: p.URL}}, nil
	}
	size := base64.StdEncoding.EncodedLen(len(p.Data))
	switch {
	case size == 0:
		return block{}, errors.New("an image without data")
	case size > mostImageBytes:
		return block{}, fmt.Errorf("an image of %.1f MB in base64, and the endpoint takes at most %d: make it smaller", float64(size)/(1<<20), mostImageBytes>>20)
	}
	return block{Type: "image", Source: &source{Type: "base64", MediaType: mime, Data: p.Data}}, nil
}
