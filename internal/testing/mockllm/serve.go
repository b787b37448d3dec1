package mockllm

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// largestBody is the most bytes of a request body that are kept.
	largestBody = 64 << 20

	// largestPooled is the most bytes a buffer may have to be used again, so
	// that one huge answer does not hold its memory for ever.
	largestPooled = 256 << 10

	// dripChunk is the number of body bytes between two pauses of a Drip.
	dripChunk = 64
)

// buffers holds the bodies being read and the responses being written. They
// are held only while in use, and not during the latency: a thousand waiting
// connections would otherwise keep a thousand request bodies.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuffer(b *bytes.Buffer) {
	if b.Cap() <= largestPooled {
		b.Reset()
		buffers.Put(b)
	}
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("POST /v1/embeddings", s.chat)
	for _, path := range []string{"GET /stats", "GET /v1/stats"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			body, _ := json.Marshal(s.Stats()) // numbers only: cannot fail
			s.write(w, Reply{Raw: body})
		})
	}
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		if s.authorized(r) {
			s.write(w, modelList(s.cfg.Model))
		} else {
			s.write(w, wrongKey())
		}
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if !s.authorized(r) {
			s.write(w, wrongKey())
			return
		}
		s.write(w, ErrorReply(http.StatusNotFound, "Unknown request URL: "+r.Method+" "+r.URL.Path+".",
			"invalid_request_error", "", "unknown_url"))
	})
	return mux
}

func (s *Server) authorized(r *http.Request) bool {
	if s.cfg.APIKey == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(token), []byte(s.cfg.APIKey)) == 1
}

// chat answers one chat completions request.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	s.running.Add(1)
	defer s.running.Done()
	body := buffers.Get().(*bytes.Buffer)
	tooLarge, err := readBody(body, r, largestBody)
	if err != nil {
		putBuffer(body)
		panic(http.ErrAbortHandler)
	}
	req := &Request{N: s.counts.begin(), Body: body.Bytes(), Elapsed: time.Since(s.started)}
	req.Identity = s.cfg.Identity(req.Body)
	reply := s.decide(r, req, tooLarge)
	req.Body = nil
	putBuffer(body)
	if reply.Close {
		s.wait(r, reply.Delay)
		s.counts.reset()
		s.reset(w)
		return
	}
	delay := reply.Delay
	if reply.Status == http.StatusOK {
		delay += s.cfg.Latency
	}
	if !s.wait(r, delay) {
		s.counts.abandoned()
		panic(http.ErrAbortHandler)
	}
	if reply.Wire != nil {
		s.counts.sent(reply.Status, req.Identity, !reply.NoAnswer, reply.NoAnswer)
		if nc := hijack(w); nc != nil {
			_ = reply.Wire(nc)
			nc.Close()
		}
		return
	}
	s.send(w, r, req, &reply)
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

// decide makes the reply to a request.
func (s *Server) decide(r *http.Request, req *Request, tooLarge bool) Reply {
	var reply Reply
	switch {
	case !s.authorized(r):
		reply = wrongKey()
	case tooLarge:
		reply = tooLargeReply()
	default:
		reply = s.respond(req)
		if r.URL.Path == "/v1/embeddings" && reply.Status == 0 && reply.Raw == nil {
			reply.Raw = vectorOf(req)
		}
	}
	reply.fill(req, s.cfg.Model)
	return reply
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

// send writes the reply to a chat request and counts it. It counts before the
// last write, so that a client that has its answer finds it counted, and
// takes the count back when that write fails.
func (s *Server) send(w http.ResponseWriter, r *http.Request, req *Request, reply *Reply) {
	out := reply.Raw
	if out == nil {
		buf := buffers.Get().(*bytes.Buffer)
		defer putBuffer(buf)
		buf.Write(appendCompletion(buf.AvailableBuffer(), reply, req.N, time.Now()))
		out = buf.Bytes()
	}
	setHead(w, reply, len(out))
	cut := reply.CutAfter > 0 && reply.CutAfter < len(out)
	if cut {
		out = out[:reply.CutAfter]
	}
	out, err := s.drip(w, r, out, reply.Drip)
	answered := err == nil && !cut && reply.Status == http.StatusOK && !reply.NoAnswer
	s.counts.sent(reply.Status, req.Identity, answered, cut || err != nil)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if _, err = w.Write(out); err == nil {
		err = http.NewResponseController(w).Flush()
	}
	if err != nil && !cut {
		s.counts.unsent(req.Identity, answered)
	}
	if err != nil || cut {
		panic(http.ErrAbortHandler) // ends the connection
	}
}

func setHead(w http.ResponseWriter, r *Reply, length int) {
	h := w.Header()
	h["Content-Type"] = []string{r.ContentType}
	h["Content-Length"] = []string{strconv.Itoa(length)}
	if r.RetryAfter != "" {
		h["Retry-After"] = []string{r.RetryAfter}
	}
	if r.Location != "" {
		h["Location"] = []string{r.Location}
	}
	w.WriteHeader(r.Status)
}

// drip writes all but the last chunk of a body, pausing before each, and returns
// the last chunk. Without a pause it writes nothing.
func (s *Server) drip(w http.ResponseWriter, r *http.Request, out []byte, pause time.Duration) ([]byte, error) {
	if pause <= 0 {
		return out, nil
	}
	for {
		if err := http.NewResponseController(w).Flush(); err != nil {
			return out, err
		}
		if !s.wait(r, pause) {
			return out, net.ErrClosed
		}
		if len(out) <= dripChunk {
			return out, nil
		}
		if _, err := w.Write(out[:dripChunk]); err != nil {
			return out, err
		}
		out = out[dripChunk:]
	}
}

// write sends a reply that is no answer to a chat request; it is not counted.
func (s *Server) write(w http.ResponseWriter, r Reply) {
	r.fill(new(Request), s.cfg.Model)
	setHead(w, &r, len(r.Raw))
	w.Write(r.Raw)
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
func (s *Server) reset(w http.ResponseWriter) {
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
		s.counts.connected()
		s.running.Add(1)
	case http.StateHijacked, http.StateClosed:
		s.running.Done()
	}
}
