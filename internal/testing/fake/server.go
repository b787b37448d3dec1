// Package fake has servers for tests, benchmarks and crash tests that speak the
// protocols of other servers, count their requests, and fail as real servers do:
//
//   - Start: chat completions and embeddings of OpenAI
//   - Media: chat completions of a server that decodes the media it is sent
//   - Gemini: generateContent and the Files API of Google
//   - Hub: pushes to the Hugging Face hub
//   - Videos: orders of OpenAI's Videos API
//
// All run on Server, which has the connections, counts, waits and faults. One
// more protocol is a file with its routes; one more fault is an Effect.
package fake

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
)

const (
	// largestBody is the most bytes of a request body that are kept.
	largestBody = 64 << 20

	// largestPooled is the most bytes a buffer may have to be used again, so
	// that one huge body does not hold its memory for good.
	largestPooled = 256 << 10
)

// buffers holds the bodies being read or written. They are held only while in use, and
// not during the latency: a thousand waiting connections would otherwise keep a
// thousand request bodies.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuffer(b *bytes.Buffer) {
	if b.Cap() <= largestPooled {
		b.Reset()
		buffers.Put(b)
	}
}

// Responder makes the reply to one request.
type Responder func(*Request) Reply

// A protocol is the part of a server that differs between protocols.
type protocol struct {
	routes  map[string]route       // by patterns of http.ServeMux
	admit   func(*Request)         // refuses requests before any fault applies; may be nil
	fill    func(*Request, *Reply) // gives a reply without a body its body; may be nil
	content string                 // type of the answers; "" = application/json
	latency time.Duration          // before each answer of status 200
	greet   func(net.Conn) bool    // see Config.Greet
}

// A route answers the requests of one pattern.
type route struct {
	name   string // Request.Route
	answer Responder
	free   bool // neither counted nor delayed, and without faults
}

// A Server is a running server on a TCP port. It is safe for concurrent use.
type Server struct {
	// Faults are looked through in order for goody request that has the right
	// key, and the first that applies answers it. Some carry state, so a Fault
	// belongs to one server. They may be changed while no request is on its way.
	Faults []Fault

	protocol protocol
	listener net.Listener
	started  time.Time
	counts   counters
	closing  chan struct{}
	running  sync.WaitGroup // the accept loop, every connection and every request
	http     http.Server
	once     sync.Once
}

// listen starts a server on an address, "" = a free loopback port.
func listen(addr string, p protocol, faults ...Fault) (*Server, error) {
	tries := 50
	if addr == "" {
		addr, tries = "127.0.0.1:0", 1
	}
	listener, err := net.Listen("tcp", addr)
	// A port that was free may be in use by a connection for a moment.
	for ; err != nil && tries > 1; tries-- {
		time.Sleep(100 * time.Millisecond)
		listener, err = net.Listen("tcp", addr)
	}
	if err != nil {
		return nil, fmt.Errorf("fake server: %w", err)
	}
	if p.content == "" {
		p.content = "application/json"
	}
	s := &Server{Faults: faults, protocol: p, listener: listener, started: time.Now(), counts: newCounters(), closing: make(chan struct{})}
	if p.greet != nil {
		listener = greeter{listener, p.greet}
	}
	mux := http.NewServeMux()
	for pattern, r := range p.routes {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, hr *http.Request) { s.serve(w, hr, r) })
	}
	s.http = http.Server{Handler: mux, ConnState: s.follow, ErrorLog: log.New(io.Discard, "", 0)}
	s.running.Go(func() { _ = s.http.Serve(listener) }) // until Close
	return s, nil
}

// mustListen starts a server that the end of the test closes.
func mustListen(t testing.TB, p protocol) *Server {
	t.Helper()
	s, err := listen("", p)
	fixture.OK(t, err)
	t.Cleanup(s.Close)
	return s
}

// another returns another address of the server.
func (s *Server) another() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s.running.Go(func() { _ = s.http.Serve(listener) }) // until Close
	return "http://" + listener.Addr().String(), nil
}

// root is the server's address without a path.
func (s *Server) root() string { return "http://" + s.listener.Addr().String() }

// URL is the base URL that clients of OpenAI's protocols are given, such as
// "http://127.0.0.1:4000/v1".
func (s *Server) URL() string { return s.root() + "/v1" }

// Stats returns the counts so far. A response that a client has read in full
// is in them.
func (s *Server) Stats() Stats { return s.counts.snapshot() }

// Refused returns the bodies of the replies to requests that broke a rule.
func (s *Server) Refused() []string {
	s.counts.mu.Lock()
	defer s.counts.mu.Unlock()
	return append([]string(nil), s.counts.refused...)
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

// serve answers one request.
func (s *Server) serve(w http.ResponseWriter, hr *http.Request, route route) {
	s.running.Add(1)
	defer s.running.Done()
	body := buffers.Get().(*bytes.Buffer)
	tooLarge, err := readBody(body, hr, largestBody)
	if err != nil {
		putBuffer(body)
		panic(http.ErrAbortHandler)
	}
	req := &Request{HTTP: hr, Route: route.name, Body: body.Bytes(), Elapsed: time.Since(s.started), counts: &s.counts}
	if !route.free {
		req.N, req.Identity = s.counts.begin(), hashBody(req.Body)
	}
	reply := s.decide(route, req, tooLarge)
	req.Body = nil
	putBuffer(body)
	if route.free {
		out := reply.bytes(new(bytes.Buffer))
		s.writeHead(w, &reply, len(out))
		w.Write(out)
		return
	}
	delay := reply.Delay
	if reply.Status == http.StatusOK && !reply.Close {
		delay += s.protocol.latency
	}
	left := !s.wait(hr, delay)
	switch {
	case reply.Close:
		s.counts.update(func(c *counters) { c.stats.InFlight, c.stats.Resets = c.stats.InFlight-1, c.stats.Resets+1 })
		reset(w)
	case left:
		s.counts.update(func(c *counters) { c.stats.InFlight, c.stats.Abandoned = c.stats.InFlight-1, c.stats.Abandoned+1 })
		panic(http.ErrAbortHandler)
	case reply.Serve != nil:
		s.counts.sent(reply.Status, req.Identity, !reply.NoAnswer, reply.NoAnswer)
		reply.Serve(w, hr)
	default:
		s.send(w, hr, req, &reply)
	}
}

// readBody reads the request's body. Of one over limit bytes the rest is thrown away,
// so that the client reads its error instead of failing to write.
func readBody(to *bytes.Buffer, r *http.Request, limit int64) (tooLarge bool, err error) {
	if n := r.ContentLength; n > 0 && n <= limit {
		to.Grow(int(n) + bytes.MinRead)
	}
	if _, err := to.ReadFrom(io.LimitReader(r.Body, limit)); err != nil {
		return false, err
	}
	rest, err := io.Copy(io.Discard, r.Body)
	return rest > 0, err
}

// A refusal ends the handling of a request by a panic, with its reply.
type refusal struct{ reply Reply }

// refuse answers a request that breaks a rule. It does not return.
func refuse(reply Reply) { panic(refusal{reply}) }

// decide makes the reply to a request: a refusal, the first fault that applies, or
// the ordinary answer.
func (s *Server) decide(route route, req *Request, tooLarge bool) (reply Reply) {
	defer func() {
		if p := recover(); p != nil {
			refused, ok := p.(refusal)
			if !ok {
				panic(p)
			}
			reply = refused.reply
			s.counts.update(func(c *counters) { c.refused = append(c.refused, string(reply.bytes(new(bytes.Buffer)))) })
		}
		if s.protocol.fill != nil {
			s.protocol.fill(req, &reply)
		}
		if reply.Status == 0 {
			reply.Status = http.StatusOK
		}
	}()
	if s.protocol.admit != nil {
		s.protocol.admit(req)
	}
	if tooLarge {
		return tooLargeReply()
	}
	for i := range s.Faults {
		if f := &s.Faults[i]; !route.free && f.When(req) {
			return f.Do(req, route.answer)
		}
	}
	return route.answer(req)
}

// wait pauses for d. It reports false when the client left or the server closed
// meanwhile.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		case <-s.closing:
			return false
		}
	}
	return r.Context().Err() == nil
}

// hijack takes the connection over, nil if it is gone.
func hijack(w http.ResponseWriter) net.Conn {
	nc, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil
	}
	return nc
}

// reset ends the connection so that the client sees "connection reset by
// peer" and not an orderly end.
func reset(w http.ResponseWriter) {
	nc := hijack(w)
	if nc == nil {
		return
	}
	if g, ok := nc.(*greeted); ok {
		nc = g.Conn
	}
	if tcp, ok := nc.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	nc.Close()
}

// A greeted connection is met by Config.Greet before its first request is read.
type greeted struct {
	net.Conn
	greet func(net.Conn) bool
	once  sync.Once
	ended bool
}

func (g *greeted) Read(p []byte) (int, error) {
	g.once.Do(func() { g.ended = !g.greet(g.Conn) })
	if g.ended {
		return 0, io.EOF
	}
	return g.Conn.Read(p)
}

type greeter struct {
	net.Listener
	greet func(net.Conn) bool
}

func (l greeter) Accept() (net.Conn, error) {
	nc, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &greeted{Conn: nc, greet: l.greet}, nil
}

// follow counts connections and the goroutines that serve them.
func (s *Server) follow(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.counts.update(func(c *counters) { c.stats.Connections++ })
		s.running.Add(1)
	case http.StateHijacked, http.StateClosed:
		s.running.Done()
	}
}
