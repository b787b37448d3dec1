package gemini

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"omniscope"
	"omniscope/internal/jsonfast"
	"omniscope/model"
)

// A place is where a part stands in a request.
type place struct{ message, part int }

// checkRequest refuses what no request can say.
func checkRequest(req *model.Request) error {
	bad := func(format string, args ...any) error {
		return &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: fmt.Errorf(format, args...)}
	}
	for _, msg := range req.Messages {
		for _, p := range msg.Parts {
			switch {
			case p.Kind == model.TextPart:
			case msg.Role == model.System:
				return bad("the system message holds %s: Gemini takes text alone there", p.Kind)
			case p.URL == "" && len(p.Data) == 0:
				return bad("a part of kind %s holds neither data nor an address", p.Kind)
			case p.URL == "" && p.MIME == "":
				return bad("a part of kind %s has no MIME type", p.Kind)
			}
		}
	}
	return nil
}

// sizeOf is about the length of the request with all media inside.
func sizeOf(req *model.Request) int {
	size := 1024
	if req.Schema != nil {
		size += len(req.Schema.JSON)
	}
	for _, msg := range req.Messages {
		for _, p := range msg.Parts {
			size += 96 + len(p.Text) + len(p.URL) + base64.StdEncoding.EncodedLen(len(p.Data)) +
				strings.Count(p.Text, "\n") + strings.Count(p.Text, `"`) + strings.Count(p.Text, `\`)
		}
	}
	return size
}

// encodeRequest writes the body of generateContent (ai.google.dev/api/generate-content),
// with the URIs of the parts that were uploaded. Media are written by hand:
// encoding/json would copy them several times over.
func encodeRequest(req *model.Request, uploaded map[place]string) ([]byte, error) {
	fields, err := configOf(req)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: err}
	}
	config, err := json.Marshal(fields.config)
	if err == nil {
		fields.top["generationConfig"] = config
		config, err = json.Marshal(fields.top)
	}
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: err}
	}
	size := len(config) + 1024
	for i, msg := range req.Messages {
		for j, p := range msg.Parts {
			size += 128 + len(p.Text) + len(p.Text)/16
			if uploaded[place{i, j}] == "" {
				size += base64.StdEncoding.EncodedLen(len(p.Data))
			}
		}
	}
	b := append(make([]byte, 0, size), config[:len(config)-1]...) // without its }
	b = appendSystem(b, req.Messages)
	b = append(b, `,"contents":[`...)
	first := true
	for i, msg := range req.Messages {
		if msg.Role == model.System {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendContent(b, i, msg, uploaded)
	}
	return append(b, "]}"...), nil
}

// appendSystem writes the system messages, which have a place of their own.
func appendSystem(b []byte, messages []model.Message) []byte {
	first := true
	for _, msg := range messages {
		for _, p := range msg.Parts {
			if msg.Role != model.System {
				continue
			}
			if first {
				b = append(b, `,"systemInstruction":{"parts":[`...)
			} else {
				b = append(b, ',')
			}
			first = false
			b = append(jsonfast.Append(append(b, `{"text":`...), p.Text), '}')
		}
	}
	if !first {
		b = append(b, "]}"...)
	}
	return b
}

func appendContent(b []byte, at int, msg model.Message, uploaded map[place]string) []byte {
	role := "user"
	if msg.Role == model.Assistant {
		role = "model"
	}
	b = append(append(append(b, `{"role":"`...), role...), `","parts":[`...)
	first := true
	for j, p := range msg.Parts {
		if p.Kind == model.TextPart && p.Text == "" {
			continue // the server takes an empty text for a part without content
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendPart(b, p, uploaded[place{at, j}])
	}
	return append(b, "]}"...)
}

// appendPart writes a part: text, a file by its URI, or data in base64.
func appendPart(b []byte, p model.Part, uri string) []byte {
	if uri == "" {
		uri = p.URL
	}
	switch {
	case p.Kind == model.TextPart:
		return append(jsonfast.Append(append(b, `{"text":`...), p.Text), '}')
	case uri != "":
		b = append(b, `{"fileData":{`...)
		if p.MIME != "" {
			b = append(jsonfast.Append(append(b, `"mimeType":`...), mimeType(p.MIME)), ',')
		}
		return append(jsonfast.Append(append(b, `"fileUri":`...), uri), "}}"...)
	}
	b = jsonfast.Append(append(b, `{"inlineData":{"mimeType":`...), mimeType(p.MIME))
	b = base64.StdEncoding.AppendEncode(append(b, `,"data":"`...), p.Data)
	return append(b, `"}}`...)
}

// mimeType is Google's word for a MIME type
// (ai.google.dev/gemini-api/docs: audio, video-understanding, image-understanding).
func mimeType(mime string) string {
	switch mime {
	case "audio/x-wav", "audio/wave", "audio/vnd.wave":
		return "audio/wav"
	case "audio/mpeg":
		return "audio/mp3"
	case "audio/x-flac":
		return "audio/flac"
	case "audio/x-aiff":
		return "audio/aiff"
	case "video/quicktime":
		return "video/mov"
	case "video/x-msvideo":
		return "video/avi"
	case "image/jpg":
		return "image/jpeg"
	}
	return mime
}

// topLevel are the extra fields that stand beside generationConfig.
var topLevel = map[string]bool{"safetySettings": true, "tools": true, "toolConfig": true, "cachedContent": true, "serviceTier": true, "labels": true, "store": true}

// requestFields are those of a request but for its messages.
type requestFields struct{ top, config map[string]json.RawMessage }

// configOf collects the parameters, the schema and the extra fields, which win
// over those of the same name.
func configOf(req *model.Request) (requestFields, error) {
	f := requestFields{map[string]json.RawMessage{}, map[string]json.RawMessage{}}
	p := req.Params
	var err error
	set := func(name string, value any) {
		text, e := json.Marshal(value)
		if e != nil && err == nil {
			err = fmt.Errorf("%s: %w", name, e)
		}
		f.config[name] = text
	}
	if p.Temperature != nil {
		set("temperature", *p.Temperature)
	}
	if p.TopP != nil {
		set("topP", *p.TopP)
	}
	if p.MaxTokens != 0 {
		set("maxOutputTokens", p.MaxTokens)
	}
	if p.Seed != nil {
		if *p.Seed < math.MinInt32 || *p.Seed > math.MaxInt32 {
			return f, fmt.Errorf("the seed %d is too large: Gemini takes 32 bits", *p.Seed)
		}
		set("seed", *p.Seed)
	}
	if len(p.Stop) > 0 {
		set("stopSequences", p.Stop)
	}
	if s := req.Schema; s != nil {
		if !json.Valid(s.JSON) {
			return f, fmt.Errorf("schema %q is not JSON", s.Name)
		}
		set("responseMimeType", "application/json")
		f.config["responseJsonSchema"] = s.JSON
	}
	return f, cmp.Or(f.addExtra(p.Extra), err)
}

func (f requestFields) addExtra(extra map[string]json.RawMessage) error {
	for name, value := range extra {
		switch {
		case !json.Valid(value):
			return fmt.Errorf("extra field %q is not JSON", name)
		case name == "contents" || name == "systemInstruction" || name == "generationConfig":
			return fmt.Errorf("extra field %q cannot be given: use fields of generationConfig", name)
		case topLevel[name]:
			f.top[name] = value
		default:
			f.config[name] = value
		}
	}
	return nil
}
