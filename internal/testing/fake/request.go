package fake

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// Request is one request as a Responder or a Fault sees it. It is valid, with its
// Body, only during that call.
type Request struct {
	HTTP     *http.Request // its body has been read
	Route    string        // the kind of request, such as "chat" or "commit"; "" = about the counts
	N        int           // which request it is, counted from 1 as they arrive
	Body     []byte        // the body as sent
	Identity uint64        // a hash of the body: equal requests ask for the same thing
	Elapsed  time.Duration // from the start of the server to the arrival

	counts  *counters
	decoded *chat
}

// chat decodes the body of a chat completions request when first needed. A body
// that is not one is as one without messages.
func (r *Request) chat() *chat {
	if r.decoded == nil {
		r.decoded = new(chat)
		if json.Unmarshal(r.Body, r.decoded) != nil {
			*r.decoded = chat{}
		}
	}
	return r.decoded
}

// Contains reports whether the body as sent contains the text. It does not
// decode, so the text should have no characters that JSON escapes.
func (r *Request) Contains(text string) bool {
	return bytes.Contains(r.Body, []byte(text))
}

var stringValue = regexp.MustCompile(`^\s*:\s*"([^"]*)"`)

// Model returns the requested model: the first member called "model" with a
// string as its value, or "" if the body lacks it. A quoted "model" inside a text
// has its quotes escaped and does not match. Model does not decode the body.
func (r *Request) Model() string {
	for _, rest, ok := bytes.Cut(r.Body, []byte(`"model"`)); ok; _, rest, ok = bytes.Cut(rest, []byte(`"model"`)) {
		if found := stringValue.FindSubmatch(rest[:min(len(rest), 500)]); found != nil {
			return unescape(string(found[1]))
		}
	}
	return ""
}

// unescape undoes JSON escapes, which model names hardly ever have.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var out string
	if json.Unmarshal([]byte(`"`+s+`"`), &out) != nil {
		return s
	}
	return out
}

// Text returns the text of all messages, one after another with a line end
// between them. Of messages made of parts it takes the text parts.
func (r *Request) Text() string {
	var texts []string
	for _, m := range r.chat().Messages {
		for _, p := range m.Parts {
			if p.Type == "text" {
				texts = append(texts, p.Text)
			}
		}
	}
	return strings.Join(texts, "\n")
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// hashBody is the identity of a request: a hash of all of the body,
// the same in every run. Two checksums with different polynomials make 64
// bits and, done by the processor, take a tenth of the time of FNV.
func hashBody(body []byte) uint64 {
	return mix(uint64(crc32.Checksum(body, castagnoli))<<32 | uint64(crc32.ChecksumIEEE(body)))
}

// mix spreads every bit of x over all of the result.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// A chat is the body of a request, as far as the rules depend on it.
type chat struct {
	Model         string    `json:"model"`
	Messages      []message `json:"messages"`
	Stream        bool      `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`

	ResponseFormat struct {
		Type string `json:"type"`
	} `json:"response_format"`

	// UseAudioInVideo is SGLang's field; vLLM has it among mm_processor_kwargs.
	UseAudioInVideo bool `json:"use_audio_in_video"`
	Processor       struct {
		UseAudioInVideo bool `json:"use_audio_in_video"`
	} `json:"mm_processor_kwargs"`
	MediaIO struct {
		Video struct {
			FPS float64 `json:"fps"`
		} `json:"video"`
	} `json:"media_io_kwargs"`
}

type message struct {
	Role  string
	Parts []part
}

// A part is one element of a message's content. Type decides which of the other
// members counts.
type part struct {
	Type string `json:"type"`
	Text string `json:"text"`

	ImageURL *address `json:"image_url"`
	VideoURL *address `json:"video_url"`
	AudioURL *address `json:"audio_url"`
	Sound    *struct {
		Data   string `json:"data"`
		Format string `json:"format"`
	} `json:"input_audio"`
	Frames []string `json:"video"` // of DashScope
	FPS    float64  `json:"fps"`   // of DashScope, next to video
}

type address struct {
	URL string `json:"url"`
}

// UnmarshalJSON reads a message with a string or a list of parts as its content.
func (m *message) UnmarshalJSON(data []byte) error {
	var raw struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	m.Role = raw.Role
	var text string
	if json.Unmarshal(raw.Content, &text) == nil {
		m.Parts = []part{{Type: "text", Text: text}}
		return nil
	}
	return json.Unmarshal(raw.Content, &m.Parts)
}
