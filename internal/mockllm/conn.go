package mockllm

import (
	"bufio"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

const (
	// readBuffer is the size in bytes of a connection's read buffer: enough
	// for the request head. The body goes past it into a pooled buffer.
	readBuffer = 4 << 10

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
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func putBuffer(b *[]byte) {
	if cap(*b) <= largestPooled {
		*b = (*b)[:0]
		buffers.Put(b)
	}
}

// conn is one client connection, served by one goroutine.
type conn struct {
	server *Server
	nc     net.Conn
	raw    syscall.RawConn // nil where the connection has no descriptor
	in     *bufio.Reader
	head   head
	body   *[]byte // pooled, held from reading a request to deciding the reply
	req    Request
	timer  *time.Timer

	// For clientGone; kept here so that a look allocates nothing.
	look   func(fd uintptr) bool
	peeked [1]byte
	gone   bool
}

func newConn(s *Server, nc net.Conn) *conn {
	c := &conn{server: s, nc: nc, in: bufio.NewReaderSize(nc, readBuffer)}
	if sc, ok := nc.(syscall.Conn); ok {
		if raw, err := sc.SyscallConn(); err == nil {
			c.raw, c.look = raw, c.peek
		}
	}
	return c
}

// serve answers requests until the client leaves, the server closes, or a
// reply says to drop the connection.
func (c *conn) serve() {
	for c.serveOne() && !c.head.close {
	}
}

// serveOne answers one request and reports whether the connection can go on.
func (c *conn) serveOne() bool {
	if err := c.head.read(c.in); err != nil {
		if errors.Is(err, errMalformed) {
			c.head.close = true
			c.write(badRequest(err.Error()))
		}
		return false
	}
	if c.head.expectContinue {
		if _, err := c.nc.Write(continueLine); err != nil {
			return false
		}
	}
	c.body = buffers.Get().(*[]byte)
	defer c.release()
	var err error
	*c.body, err = c.head.readBody(c.in, (*c.body)[:0], largestBody)
	if err != nil && !errors.Is(err, errTooLarge) {
		return false
	}
	return c.route(err != nil)
}

// release gives the request body's buffer back; the request is not to be
// looked at afterwards.
func (c *conn) release() {
	if c.body != nil {
		putBuffer(c.body)
		c.body = nil
		c.req.Body = nil
	}
}

func (c *conn) route(tooLarge bool) bool {
	h := &c.head
	switch {
	case h.is("GET", "/stats"), h.is("GET", "/v1/stats"):
		body, _ := json.Marshal(c.server.Stats()) // numbers only: cannot fail
		return c.write(Reply{Raw: body})
	case h.is("POST", "/v1/chat/completions"):
		return c.chat(tooLarge)
	case !c.authorized():
		return c.write(wrongKey())
	case h.is("GET", "/v1/models"):
		return c.write(modelList(c.server.cfg.Model))
	}
	return c.write(ErrorReply(http.StatusNotFound, "Unknown request URL: "+string(h.method)+" "+string(h.path)+".",
		"invalid_request_error", "", "unknown_url"))
}

func (c *conn) authorized() bool {
	key := c.server.cfg.APIKey
	return key == "" || subtle.ConstantTimeCompare(c.head.token, []byte(key)) == 1
}

// chat answers one chat completions request.
func (c *conn) chat(tooLarge bool) bool {
	reply := c.decide(tooLarge)
	c.release()
	if reply.Close {
		c.wait(reply.Delay)
		c.server.counts.reset()
		c.reset()
		return false
	}
	delay := reply.Delay
	if reply.Status == http.StatusOK {
		delay += c.server.cfg.Latency
	}
	if !c.wait(delay) || c.clientGone() {
		c.server.counts.abandoned()
		return false
	}
	if reply.Wire != nil {
		c.server.counts.sent(reply.Status, c.req.Identity, !reply.NoAnswer, reply.NoAnswer)
		reply.Wire(c.nc)
		return false
	}
	return c.send(&reply)
}

// decide counts the request and settles the reply to it.
func (c *conn) decide(tooLarge bool) Reply {
	s := c.server
	c.req = Request{
		N:       s.counts.begin(),
		Body:    *c.body,
		Elapsed: time.Since(s.started),
	}
	r := &c.req
	r.Identity = s.cfg.Identity(r.Body)
	var reply Reply
	switch {
	case !c.authorized():
		reply = wrongKey()
	case tooLarge:
		reply = tooLargeReply()
	default:
		reply = s.respond(r)
	}
	reply.fill(r, s.cfg.Model)
	return reply
}

// wait pauses for d. It reports false when the server closed meanwhile.
func (c *conn) wait(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	if c.timer == nil {
		c.timer = time.NewTimer(d)
	} else {
		c.timer.Reset(d)
	}
	select {
	case <-c.timer.C:
		return true
	case <-c.server.closing:
		c.timer.Stop()
		return false
	}
}

// send writes the reply to a chat request and counts it. It counts before the
// last write, so that a client that has its answer finds it counted, and
// takes the count back when that write fails.
func (c *conn) send(r *Reply) bool {
	buf := buffers.Get().(*[]byte)
	defer putBuffer(buf)
	out, headLen := appendResponse((*buf)[:0], r, c.req.N, c.head.close)
	*buf = out
	cut := r.CutAfter > 0 && r.CutAfter < len(out)-headLen
	if cut {
		out = out[:headLen+r.CutAfter]
	}
	out, err := c.drip(out, headLen, r.Drip)
	answered := err == nil && !cut && r.Status == http.StatusOK && !r.NoAnswer
	counts := &c.server.counts
	counts.sent(r.Status, c.req.Identity, answered, cut || err != nil)
	if err != nil {
		return false
	}
	if _, err = c.nc.Write(out); err != nil && !cut {
		counts.unsent(c.req.Identity, answered)
	}
	return err == nil && !cut
}

// drip writes all but the last chunk of a response, pausing before each chunk
// of the body, and returns the last chunk. Without a pause it writes nothing.
func (c *conn) drip(out []byte, headLen int, pause time.Duration) ([]byte, error) {
	if pause <= 0 {
		return out, nil
	}
	for size := headLen; size < len(out); size = dripChunk {
		if _, err := c.nc.Write(out[:size]); err != nil {
			return out, err
		}
		out = out[size:]
		if !c.wait(pause) {
			return out, net.ErrClosed
		}
	}
	return out, nil
}

// write sends a reply that is no answer to a chat request; it is not counted.
func (c *conn) write(r Reply) bool {
	r.fill(&c.req, c.server.cfg.Model)
	out, _ := appendResponse(nil, &r, 0, c.head.close)
	_, err := c.nc.Write(out)
	return err == nil
}

// reset ends the connection so that the client sees "connection reset by
// peer" and not an orderly end.
func (c *conn) reset() {
	if tcp, ok := c.nc.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.nc.Close()
}
