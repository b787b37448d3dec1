// Package mockllm is an OpenAI-compatible chat completions server for tests,
// benchmarks and crash tests. It answers at a fixed latency, counts what it
// was asked and what it answered, and misbehaves as real servers do.
//
// It does not stream.
package mockllm

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// Config says how a server behaves. The zero value answers every request at
// once with a short fixed text.
type Config struct {
	// Addr is the host and port to listen on; "" is a free loopback port.
	Addr string

	// Latency is the time from a request having been read to its answer.
	// Only answers of status 200 take it: a server that turns a request away
	// does so at once, unless Reply.Delay says otherwise.
	Latency time.Duration

	// Reply says what to answer; nil answers a short fixed text. It runs at
	// most once per request, not at all for requests that a fault answers by
	// itself, and on many goroutines at a time.
	Reply Responder

	// Faults are looked through in order for every request, and the first
	// that applies answers it. Some carry state, so a Fault belongs to one
	// server.
	Faults []Fault

	// Greet, when set, meets every connection before its first request, and
	// ends it by returning false.
	Greet func(net.Conn) bool

	// APIKey, when set, is the only key taken; requests with another get 401.
	APIKey string

	// Model is the name in the model list, and in the answers to requests
	// that name none; "" is "mock".
	Model string

	// Identity tells which requests ask for the same thing, for the counts of
	// answers per identity; nil is HashBody.
	Identity func(body []byte) uint64
}

// Responder makes the reply to one request.
type Responder func(*Request) Reply

// Server is an OpenAI-compatible endpoint on a TCP port.
type Server struct {
	cfg      Config
	listener net.Listener
	started  time.Time
	counts   counters
	closing  chan struct{}
	running  sync.WaitGroup // the accept loop, every connection and every request
	http     http.Server
	once     sync.Once
}

// Start starts a server. The caller closes it.
func Start(cfg Config) (*Server, error) {
	s := newServer(cfg)
	listener, err := net.Listen("tcp", s.cfg.Addr)
	// A port that was free may be in use by a connection for a moment.
	for tries := 0; err != nil && cfg.Addr != "" && tries < 50; tries++ {
		time.Sleep(100 * time.Millisecond)
		listener, err = net.Listen("tcp", s.cfg.Addr)
	}
	if err != nil {
		return nil, fmt.Errorf("mockllm: %w", err)
	}
	s.listener = listener
	if cfg.Greet != nil {
		listener = greeter{listener, cfg.Greet}
	}
	s.http = http.Server{Handler: s.handler(), ConnState: s.follow, ErrorLog: log.New(io.Discard, "", 0)}
	s.running.Go(func() { _ = s.http.Serve(listener) }) // until Close
	return s, nil
}

func newServer(cfg Config) *Server {
	if cfg.Addr == "" {
		cfg.Addr = "127.0.0.1:0"
	}
	if cfg.Reply == nil {
		cfg.Reply = FixedReply("This is a fixed answer.")
	}
	if cfg.Model == "" {
		cfg.Model = "mock"
	}
	if cfg.Identity == nil {
		cfg.Identity = HashBody
	}
	return &Server{
		cfg:     cfg,
		started: time.Now(),
		counts:  newCounters(),
		closing: make(chan struct{}),
	}
}

// URL is the base URL clients are given, such as "http://127.0.0.1:4000/v1".
func (s *Server) URL() string {
	return "http://" + s.listener.Addr().String() + "/v1"
}

// Stats returns the counts so far. A response that a client has read in full
// is in them.
func (s *Server) Stats() Stats {
	return s.counts.snapshot()
}

// Close stops the server: it drops every connection, answered or not, and
// returns when no goroutine of the server is left. Stats stays readable.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closing)
		s.http.Close()
	})
	s.running.Wait()
}

// respond decides what to answer: the first fault that applies, or the
// ordinary reply.
func (s *Server) respond(r *Request) Reply {
	for i := range s.cfg.Faults {
		if f := &s.cfg.Faults[i]; f.When(r) {
			return f.Do(r, s.cfg.Reply)
		}
	}
	return s.cfg.Reply(r)
}
