package mockllm

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"strings"
	"time"
)

// Request is one chat completions request as a Responder or a Fault sees it.
// It is valid, with its Body, only during that call.
type Request struct {
	N        int           // which request it is, counted from 1 as they arrive
	Body     []byte        // the body as sent
	Identity uint64        // what Config.Identity made of the body
	Elapsed  time.Duration // from the start of the server to the arrival

	decoded *chat
}

// chat is the part of a request body that replies may depend on.
type chat struct {
	Messages []struct {
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	ResponseFormat struct {
		Type string `json:"type"`
	} `json:"response_format"`
}

// decode decodes the body when first needed. A body that is no JSON is as one
// without messages.
func (r *Request) decode() *chat {
	if r.decoded == nil {
		r.decoded = new(chat)
		if json.Unmarshal(r.Body, r.decoded) != nil {
			*r.decoded = chat{}
		}
	}
	return r.decoded
}

// Contains reports whether the body as sent contains the text. It decodes
// nothing, so the text should have no characters that JSON escapes.
func (r *Request) Contains(text string) bool {
	return bytes.Contains(r.Body, []byte(text))
}

// Model returns the model asked for, "" when there is none. It takes the
// first member called "model" that has a string for a value and decodes
// nothing else; a quoted "model" inside a text has its quotes escaped and
// does not match.
func (r *Request) Model() string {
	key := []byte(`"model"`)
	for rest := r.Body; ; {
		i := bytes.Index(rest, key)
		if i < 0 {
			return ""
		}
		rest = bytes.TrimLeft(rest[i+len(key):], " \t\r\n")
		value, ok := bytes.CutPrefix(rest, []byte(":"))
		if !ok {
			continue
		}
		value, ok = bytes.CutPrefix(bytes.TrimLeft(value, " \t\r\n"), []byte(`"`))
		end := bytes.IndexByte(value, '"')
		if ok && end >= 0 {
			return unescape(string(value[:end]))
		}
	}
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

// HasSchema reports whether the request asks for an answer that follows a
// JSON schema.
func (r *Request) HasSchema() bool {
	return r.Contains(`"json_schema"`) && r.decode().ResponseFormat.Type == "json_schema"
}

// Text returns the text of all messages, one after another with a line end
// between them. Of messages made of parts it takes the text parts.
func (r *Request) Text() string {
	var texts []string
	for _, m := range r.decode().Messages {
		var whole string
		if json.Unmarshal(m.Content, &whole) == nil {
			texts = append(texts, whole)
			continue
		}
		var parts []struct{ Type, Text string }
		if json.Unmarshal(m.Content, &parts) != nil {
			continue
		}
		for _, p := range parts {
			if p.Type == "text" {
				texts = append(texts, p.Text)
			}
		}
	}
	return strings.Join(texts, "\n")
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// HashBody is the default identity of a request: a hash of the whole body,
// the same in every run. Two checksums with different polynomials make 64
// bits and, done by the processor, take a tenth of the time of FNV.
func HashBody(body []byte) uint64 {
	return mix(uint64(crc32.Checksum(body, castagnoli))<<32 | uint64(crc32.ChecksumIEEE(body)))
}

// mix spreads every bit of x over the whole result.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// IdentityBetween makes an identity of the text between two markers, such as
// "uuid:" and ";", at its first place in the body. Bodies without the markers
// have the identity HashBody gives.
func IdentityBetween(before, after string) func(body []byte) uint64 {
	open, end := []byte(before), []byte(after)
	return func(body []byte) uint64 {
		_, rest, ok := bytes.Cut(body, open)
		id, _, ok2 := bytes.Cut(rest, end)
		if !ok || !ok2 {
			return HashBody(body)
		}
		return HashBody(id)
	}
}
