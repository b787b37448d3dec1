// Package mediaserver is a chat completions server for tests that looks at the
// media it is sent: it decodes every image, sound and video and records what it
// found (Seen), so that a test can compare what arrived with what a policy
// promised. It keeps the rules of one of four kinds of servers (Dialect) and
// rejects what those reject.
//
// Transport, latency and failures are those of package mockllm, on which it
// runs. For a server that only answers, use that.
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
//   - for each sound that is heard, those of videos included, 25 a second,
//     rounded up.
//
// completion_tokens is the number of words of the answer. All of it counts what
// was perceived, after the server's defects.
package mediaserver

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"omniscope/internal/testing/mockllm"
)

// Options say how a server behaves. The zero value is a faultless server with
// the rules of OpenAI.
type Options struct {
	Dialect Dialect // "" = OpenAI

	// Limits of one request. 0 is the dialect's own, see dialects.
	MaxImages, MaxAudios, MaxVideos int
	MaxBytes                        int64 // of the whole body

	// FileRoot is the folder whose files may be named by file:// URLs, as
	// vLLM's --allowed-local-media-path; "" refuses all of them.
	FileRoot string

	// MixedMedia lets one message of the dialect DashScope carry several kinds of
	// media. The documentation of Qwen-Omni allows one kind beside the text.
	MixedMedia bool

	Defects []Defect // what the server perceives wrongly, without a word about it

	// Answer makes the text of an answer; nil answers with the facts of Seen as
	// JSON. The media can be opened (Image.Picture, Audio.Samples,
	// Video.Pictures) only during that call. It runs on many goroutines at once.
	Answer func(*Seen) string

	// Passed on to mockllm.
	Addr    string
	APIKey  string
	Model   string
	Latency time.Duration
	Faults  []mockllm.Fault
}

// A Server is a running server. It is safe for concurrent use.
type Server struct {
	options Options
	rules   rules
	mock    *mockllm.Server
	folder  string // of media that are looked at
	ctx     context.Context
	stop    context.CancelFunc

	mu   sync.Mutex
	seen []*Seen
}

// New starts a server, on a free port of this machine if Options.Addr is "". The
// caller closes it.
func New(o Options) (*Server, error) {
	if o.Dialect == "" {
		o.Dialect = OpenAI
	}
	r, ok := dialects[o.Dialect]
	if !ok {
		return nil, fmt.Errorf("mediaserver: no dialect %q", o.Dialect)
	}
	for _, d := range o.Defects {
		if !d.known() {
			return nil, fmt.Errorf("mediaserver: no defect %q", d)
		}
	}
	s := &Server{options: o, rules: r.with(o)}
	var err error
	if s.folder, err = os.MkdirTemp("", "mediaserver-"); err != nil {
		return nil, fmt.Errorf("mediaserver: %w", err)
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.mock, err = mockllm.Start(mockllm.Config{Addr: o.Addr, Reply: s.reply, APIKey: o.APIKey, Model: o.Model, Latency: o.Latency, Faults: o.Faults})
	if err != nil {
		s.stop()
		os.RemoveAll(s.folder)
		return nil, err
	}
	return s, nil
}

// URL is the base URL that clients are given, such as "http://127.0.0.1:4000/v1".
func (s *Server) URL() string { return s.mock.URL() }

// Stats are the counts of the server below, rejected requests included.
func (s *Server) Stats() mockllm.Stats { return s.mock.Stats() }

// Seen returns what the accepted requests held, in the order in which they were
// accepted.
func (s *Server) Seen() []*Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Seen(nil), s.seen...)
}

// Close stops the server and removes its files.
func (s *Server) Close() {
	s.stop()
	s.mock.Close()
	os.RemoveAll(s.folder)
}

// reply answers one request.
func (s *Server) reply(r *mockllm.Request) mockllm.Reply {
	seen, rejected := s.look(r)
	if rejected != nil {
		return s.rules.errorReply(rejected)
	}
	defer seen.forget()
	answer := seen.Facts()
	if s.options.Answer != nil {
		answer = s.options.Answer(seen)
	}
	s.mu.Lock()
	s.seen = append(s.seen, seen)
	s.mu.Unlock()
	return completion(seen, answer)
}

// look reads a request and everything in it.
func (s *Server) look(r *mockllm.Request) (*Seen, *rejection) {
	if s.rules.maxBytes > 0 && int64(len(r.Body)) > s.rules.maxBytes {
		return nil, &rejection{status: 413, message: fmt.Sprintf("Request body of %d bytes is larger than %d bytes.", len(r.Body), s.rules.maxBytes)}
	}
	req, rejected := parse(r.Body)
	if rejected == nil {
		rejected = s.rules.check(req)
	}
	if rejected != nil {
		return nil, rejected
	}
	seen := &Seen{N: r.N, Model: req.Model, Streamed: req.Stream, usage: req.StreamOptions.IncludeUsage}
	for i, m := range req.Messages {
		if rejected := s.lookAt(seen, req, i, m); rejected != nil {
			seen.forget()
			return nil, rejected
		}
	}
	seen.distort(s.options.Defects)
	seen.PromptTokens = seen.tokens()
	return seen, nil
}
