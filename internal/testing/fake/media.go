package fake

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"omniscope/internal/testing/fixture"
)

// Media is a chat completions server that decodes every image, sound and video it
// is sent and records what it found (Seen), so that a test can compare what arrived
// with what a policy promised. It keeps the rules of one of four kinds of servers
// (Dialect) and rejects what those reject. The zero value is a faultless server with
// the rules of OpenAI. Its fields are set before it starts.
//
// # Tokens
//
// Usage is counted by a rule that a test can compute. prompt_tokens is the sum
// of
//
//   - the words of all texts, as strings.Fields counts them;
//   - for each image, ceil(width/28) * ceil(height/28);
//   - for each two frames of a video, a last single one included, the same
//     number for the video's size (a pair of frames shares tokens in Qwen2.5-VL
//     and Qwen3-Omni);
//   - for each sound that is heard, also of videos, 25 a second,
//     rounded up.
//
// completion_tokens is the number of words of the answer. All of it counts what
// was perceived, after the server's defects.
type Media struct {
	*Server

	Dialect Dialect // "" = OpenAI

	// Limits of one request. 0 is the dialect's own, see dialects.
	MaxImages int
	MaxBytes  int64 // of the entire body

	// FileRoot is the folder with the files that file:// URLs may name, as
	// vLLM's --allowed-local-media-path; "" refuses all of them.
	FileRoot string

	// MixedMedia lets one message of the dialect DashScope carry several kinds of
	// media. The documentation of Qwen-Omni allows one kind next to the text.
	MixedMedia bool

	Defects []Defect // what the server perceives wrongly, without a word about it

	// Answer makes the text of an answer; nil answers with the facts of Seen as
	// JSON. The media can be opened (Image.Picture, Audio.Samples,
	// Video.Pictures) only during that call. It runs on many goroutines at once.
	Answer func(*Seen) string

	rules  rules
	folder string // of media that are looked at
	ctx    context.Context
	stop   context.CancelFunc

	mu   sync.Mutex
	seen []*Seen
}

// Start starts the server, which the end of the test closes.
func (m *Media) Start(t testing.TB) *Media {
	t.Helper()
	fixture.OK(t, m.Listen(Config{}))
	t.Cleanup(m.Close)
	return m
}

// Listen starts the server as c describes it, except for the replies. The caller
// closes it.
func (m *Media) Listen(c Config) error {
	if m.Dialect == "" {
		m.Dialect = OpenAI
	}
	r, ok := dialects[m.Dialect]
	if !ok {
		return fmt.Errorf("fake server: no dialect %q", m.Dialect)
	}
	for _, d := range m.Defects {
		if !slices.Contains(AllDefects, d) {
			return fmt.Errorf("fake server: no defect %q", d)
		}
	}
	m.rules = r.with(m)
	var err error
	if m.folder, err = os.MkdirTemp("", "fake-media-"); err != nil {
		return fmt.Errorf("fake server: %w", err)
	}
	m.ctx, m.stop = context.WithCancel(context.Background())
	c.Reply = m.reply
	if m.Server, err = Listen(c); err != nil {
		m.stop()
		os.RemoveAll(m.folder)
	}
	return err
}

// Seen returns what the accepted requests held, in the order in which they were
// accepted.
func (m *Media) Seen() []*Seen {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]*Seen(nil), m.seen...)
}

// Close stops the server and removes its files.
func (m *Media) Close() {
	m.stop()
	m.Server.Close()
	os.RemoveAll(m.folder)
}

// reply answers one request.
func (m *Media) reply(r *Request) Reply {
	seen := &Seen{N: r.N}
	defer seen.forget()
	m.look(seen, r.Body)
	answer := seen.Facts()
	if m.Answer != nil {
		answer = m.Answer(seen)
	}
	m.mu.Lock()
	m.seen = append(m.seen, seen)
	m.mu.Unlock()
	if seen.Streamed {
		return streamed(seen, answer)
	}
	return Reply{Content: answer, PromptTokens: max(1, seen.PromptTokens), CompletionTokens: max(1, len(strings.Fields(answer)))}
}

// look reads a request and everything in it.
func (m *Media) look(seen *Seen, body []byte) {
	if most := m.rules.maxBytes; most > 0 && int64(len(body)) > most {
		m.reject(rejection{status: http.StatusRequestEntityTooLarge, message: fmt.Sprintf("Request body of %d bytes is larger than %d bytes.", len(body), most)})
	}
	var c chat
	if err := json.Unmarshal(body, &c); err != nil {
		m.rejectf("We could not parse the JSON body of your request: %v.", err)
	}
	if len(c.Messages) == 0 {
		m.reject(rejection{message: "'messages' must not be empty.", param: "messages"})
	}
	m.check(&c)
	seen.Model, seen.Streamed, seen.usage = c.Model, c.Stream, c.StreamOptions.IncludeUsage
	for _, message := range c.Messages {
		m.lookAt(seen, &c, message)
	}
	seen.distort(m.Defects)
	seen.PromptTokens = seen.tokens()
}

// streamed is an answer as a stream of events.
func streamed(seen *Seen, answer string) Reply {
	var b strings.Builder
	event := func(choices []any, usage any) {
		b.WriteString("data: " + string(encode(map[string]any{"id": "chatcmpl-stream", "object": "chat.completion.chunk", "model": seen.Model, "choices": choices, "usage": usage})) + "\n\n")
	}
	choice := func(delta map[string]any, finish any) []any {
		return []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}
	}
	event(choice(map[string]any{"role": "assistant", "content": ""}, nil), nil)
	half := len(answer) / 2
	for half > 0 && half < len(answer) && answer[half]&0xc0 == 0x80 { // not within a character
		half--
	}
	for _, piece := range []string{answer[:half], answer[half:]} {
		event(choice(map[string]any{"content": piece}, nil), nil)
	}
	event(choice(map[string]any{}, "stop"), nil)
	if seen.usage {
		out := len(strings.Fields(answer))
		event([]any{}, map[string]any{"prompt_tokens": seen.PromptTokens, "completion_tokens": out, "total_tokens": seen.PromptTokens + out})
	}
	b.WriteString("data: [DONE]\n\n")
	return Reply{Body: b.String(), Header: http.Header{"Content-Type": {"text/event-stream"}}}
}
