package openai

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/jsonfast"
	"omniscope/model"
	"omniscope/model/exchange"
)

// encodeRequest appends the body of a call to b, leaving out what the endpoint is
// known not to take. It is written by hand because prompts and media are long:
// encoding/json would copy and scan them several times over. An error means that
// a number, the schema or an extra field is not JSON.
func encodeRequest(b []byte, req *model.Request, without exchange.Option, style PartStyle) ([]byte, error) {
	b = slices.Grow(b, sizeOf(req))
	b = jsonfast.Append(append(b, `{"model":`...), req.Model)
	schema := req.Schema != nil && !without.Has(exchange.Schema)
	params, err := eachOnce(req.Params, schema)
	if err == nil {
		b, err = appendParams(b, params, without)
	}
	if err == nil && schema {
		b, err = appendSchema(b, req.Schema)
	}
	if err == nil {
		b, err = appendExtra(b, params.Extra)
	}
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: err}
	}
	if style.streams(req) {
		b = append(b, `,"stream":true,"stream_options":{"include_usage":true}`...)
	}
	b = append(b, `,"messages":[`...)
	for i, msg := range req.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendMessage(b, msg, style)
	}
	return append(b, "]}"...), nil
}

// sizeOf is the length of the body or a little more. It counts the characters
// that need escapes, or the body of a prompt of many lines would be made twice.
func sizeOf(req *model.Request) int {
	size := 512
	if req.Schema != nil {
		size += len(req.Schema.JSON)
	}
	for name, value := range req.Params.Extra {
		size += 8 + len(name) + len(value)
	}
	for _, msg := range req.Messages {
		for _, p := range msg.Parts {
			size += 96 + len(p.Text) + len(p.URL) + base64.StdEncoding.EncodedLen(len(p.Data)) +
				strings.Count(p.Text, "\n") + strings.Count(p.Text, `"`) + strings.Count(p.Text, `\`)
		}
	}
	return size
}

// eachOnce returns parameters without repeated names: servers differ in which of two values they take. A further
// field replaces a parameter of its name. The schema of a later asking replaces a response_format, which is looser.
func eachOnce(p model.Params, schema bool) (model.Params, error) {
	for name := range p.Extra {
		switch name {
		case "model", "messages":
			return p, fmt.Errorf("%q cannot be an extra field", name)
		case "temperature":
			p.Temperature = nil
		case "top_p":
			p.TopP = nil
		case "max_tokens", "max_completion_tokens":
			p.MaxTokens = 0
		case "seed":
			p.Seed = nil
		case "stop":
			p.Stop = nil
		}
	}
	if _, twice := p.Extra["response_format"]; twice && schema {
		p.Extra = maps.Clone(p.Extra)
		delete(p.Extra, "response_format")
	}
	return p, nil
}

func appendParams(b []byte, p model.Params, without exchange.Option) ([]byte, error) {
	var err error
	if !without.Has(exchange.Temperature) {
		b, err = appendNumber(b, "temperature", p.Temperature)
	}
	if err == nil {
		b, err = appendNumber(b, "top_p", p.TopP)
	}
	if p.MaxTokens != 0 {
		name := "max_tokens"
		if without.Has(exchange.MaxTokens) {
			name = "max_completion_tokens"
		}
		b = strconv.AppendInt(appendName(b, name), int64(p.MaxTokens), 10)
	}
	if p.Seed != nil {
		b = strconv.AppendInt(appendName(b, "seed"), *p.Seed, 10)
	}
	for i, stop := range p.Stop {
		if i == 0 {
			b = append(appendName(b, "stop"), '[')
		} else {
			b = append(b, ',')
		}
		b = jsonfast.Append(b, stop)
	}
	if len(p.Stop) > 0 {
		b = append(b, ']')
	}
	return b, err
}

func appendNumber(b []byte, name string, n *float64) ([]byte, error) {
	if n == nil {
		return b, nil
	}
	if math.IsNaN(*n) || math.IsInf(*n, 0) {
		return b, fmt.Errorf("%s is %g, which JSON cannot say", name, *n)
	}
	return strconv.AppendFloat(appendName(b, name), *n, 'g', -1, 64), nil
}

func appendSchema(b []byte, s *model.Schema) ([]byte, error) {
	if !json.Valid(s.JSON) {
		return b, fmt.Errorf("schema %q is not JSON", s.Name)
	}
	b = append(appendName(b, "response_format"), `{"type":"json_schema","json_schema":{"name":`...)
	b = append(jsonfast.Append(b, s.Name), `,"schema":`...)
	return append(append(b, s.JSON...), `,"strict":true}}`...), nil
}

// appendExtra writes the fields in the order of their names, so that equal
// requests are equal bytes.
func appendExtra(b []byte, extra map[string]json.RawMessage) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if !json.Valid(extra[name]) {
			return b, fmt.Errorf("extra field %q is not JSON", name)
		}
		b = append(appendName(b, name), extra[name]...)
	}
	return b, nil
}

// appendName writes the name of a member that is not the first.
func appendName(b []byte, name string) []byte {
	return append(jsonfast.Append(append(b, ','), name), ':')
}

// appendMessage writes one message. A message of one text has a plain string as
// content, which the oldest servers read, too.
func appendMessage(b []byte, msg model.Message, style PartStyle) []byte {
	b = jsonfast.Append(append(b, `{"role":`...), string(msg.Role))
	b = append(b, `,"content":`...)
	if len(msg.Parts) == 1 && msg.Parts[0].Kind == model.TextPart {
		return append(jsonfast.Append(b, msg.Parts[0].Text), '}')
	}
	b = append(b, '[')
	for i, p := range msg.Parts {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendPart(b, p, style)
	}
	return append(b, "]}"...)
}

// appendPart writes a part: image_url and video_url with data URLs, which every
// compatible server reads, and sound in the form of the style.
func appendPart(b []byte, p model.Part, style PartStyle) []byte {
	switch {
	case p.Kind == model.ImagePart:
		return appendMedia(b, "image_url", p)
	case p.Kind == model.VideoPart:
		return appendMedia(b, "video_url", p)
	case p.Kind == model.AudioPart && style == DashScopeParts:
		b = appendAddress(append(b, `{"type":"input_audio","input_audio":{"data":`...), p)
		return append(jsonfast.Append(append(b, `,"format":`...), audioFormat(p.MIME)), "}}"...)
	case p.Kind == model.AudioPart && (style == AudioURLParts || p.URL != ""):
		return appendMedia(b, "audio_url", p)
	case p.Kind == model.AudioPart:
		b = append(b, `{"type":"input_audio","input_audio":{"data":"`...)
		b = append(base64.StdEncoding.AppendEncode(b, p.Data), `","format":`...)
		return append(jsonfast.Append(b, audioFormat(p.MIME)), "}}"...)
	}
	return append(jsonfast.Append(append(b, `{"type":"text","text":`...), p.Text), '}')
}

// appendMedia writes a part whose type is also the name of its member.
func appendMedia(b []byte, kind string, p model.Part) []byte {
	b = append(append(b, `{"type":"`...), kind...)
	b = append(append(b, `","`...), kind...)
	return append(appendAddress(append(b, `":{"url":`...), p), "}}"...)
}

// appendAddress writes where media are, or the media themselves as a data URL.
func appendAddress(b []byte, p model.Part) []byte {
	if p.URL != "" {
		return jsonfast.Append(b, p.URL)
	}
	b = jsonfast.Append(b, "data:"+p.MIME+";base64,")
	b = base64.StdEncoding.AppendEncode(b[:len(b)-1], p.Data) // goes on inside the quotes
	return append(b, '"')
}

// audioFormat is the protocol's word for a MIME type.
func audioFormat(mime string) string {
	format := strings.TrimPrefix(strings.TrimPrefix(mime, "audio/"), "x-")
	if format == "mpeg" {
		return "mp3"
	}
	return format
}
