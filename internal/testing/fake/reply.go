package fake

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"time"
)

// dripChunk is the number of body bytes between two pauses of a Drip.
const dripChunk = 64

// Reply is the answer to one request. The zero value is a status 200 answer of the
// protocol: a completion with an empty text, or Gemini's "ok".
type Reply struct {
	Status int         // HTTP status; 0 is 200
	Header http.Header // next to Content-Length; Content-Type is application/json unless given
	Body   any         // a string or bytes as they are, or a value as JSON; nil is an answer of the protocol

	// Serve, when set, writes the response itself.
	Serve http.HandlerFunc

	// The completion of a chat, sent unless there is a Body.
	Content          string
	Refusal          string // when set, the content is null unless given too
	FinishReason     string // "" is "stop"
	Model            string // "" is the model asked for
	PromptTokens     int    // 0 is a quarter of the bytes of the request body
	CompletionTokens int    // 0 is a quarter of the bytes of the content
	Usage            string // JSON instead of the usage; "" is two numbers and their sum

	Delay    time.Duration // waited before the response, on top of any latency
	Drip     time.Duration // paused between chunks of 64 body bytes; 0 sends all at once
	CutAfter int           // close after that many bytes of the body; 0 sends all of it
	Close    bool          // reset the connection instead of a response

	// NoAnswer keeps a response of status 200 out of Stats.Answered: the
	// client cannot use it.
	NoAnswer bool
}

// bytes returns the body as it is sent. JSON is written to b.
func (r *Reply) bytes(b *bytes.Buffer) []byte {
	switch body := r.Body.(type) {
	case []byte:
		return body
	case string:
		return []byte(body)
	}
	return encodeTo(b, r.Body)
}

// encode returns a value as JSON without escapes for HTML.
func encode(v any) []byte { return encodeTo(new(bytes.Buffer), v) }

func encodeTo(b *bytes.Buffer, v any) []byte {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // a fault of this package
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// writeHead writes the status and the headers of a response.
func (s *Server) writeHead(w http.ResponseWriter, r *Reply, length int) {
	h := w.Header()
	h["Content-Type"] = []string{s.protocol.content}
	for name, values := range r.Header {
		h[name] = values
	}
	h["Content-Length"] = []string{strconv.Itoa(length)}
	w.WriteHeader(r.Status)
}

// send writes the reply to a request and counts it. It counts before the
// last write, so that a client that has its answer finds it counted, and
// takes the count back when that write fails.
func (s *Server) send(w http.ResponseWriter, r *http.Request, req *Request, reply *Reply) {
	buffer := buffers.Get().(*bytes.Buffer)
	defer putBuffer(buffer)
	out := reply.bytes(buffer)
	s.writeHead(w, reply, len(out))
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

// drip writes all but the last chunk of a body, pausing before each, and returns
// the last chunk. Without a pause it does not write.
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
