// Package exchange sends the requests of adapters and reads what comes back: timeouts,
// answers that are none, and errors of the network are the same for all protocols.
package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
)

// A Server is whom an adapter talks to.
type Server struct {
	Client  http.Client
	Shown   string      // its address without anything secret in it
	Header  http.Header // of every request; it wins over a request's own
	Secrets *model.Redactor

	// Refused makes an error of an answer outside 2xx, from the start of its body; nil = Refusal.
	Refused func(resp *http.Response, start []byte) error

	once   sync.Once
	shared http.Header // of requests that have no header of their own
}

// A Request is one exchange.
type Request struct {
	Method, URL string
	Header      http.Header
	Body        []byte // JSON, where Header does not say otherwise; nil = none
	Timeout     time.Duration
	// Once has it sent once. Else net/http itself sends a request with the header Idempotency-Key again where
	// a connection that was used before breaks off, and the server may not know such keys.
	Once bool
}

// An Answer is what came of a request.
type Answer struct {
	Header   http.Header
	Body     []byte // of a stream that broke off, what came of it
	Accepted bool   // the status was from 200 to 299, whatever came after it
	Sent     bool   // the request was, so that it may have to be paid for
	Wrote    bool   // all of the request was sent and answered: its body is not read any more
}

// Do sends a request and reads its answer. Its errors are of our kinds, or the context's
// own where ctx ended.
func (s *Server) Do(ctx context.Context, r Request) (Answer, error) {
	tryCtx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	var sent, wrote atomic.Bool
	a, err := s.send(httptrace.WithClientTrace(tryCtx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { wrote.Store(false) }, // net/http sends some requests again
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				sent.Store(true)
			}
			wrote.Store(info.Err == nil)
		},
		GotFirstResponseByte: func() { sent.Store(true) }, // which may come first
	}), r)
	a.Sent, a.Wrote = sent.Load(), err == nil && wrote.Load()
	switch {
	case err == nil:
		return a, nil
	case ctx.Err() != nil:
		return a, ctx.Err()
	case tryCtx.Err() != nil:
		late := fmt.Errorf("no whole answer within %s", r.Timeout)
		if errors.As(err, new(noAnswer)) {
			late = &model.Unanswered{Err: late, Connected: true}
		}
		return a, Trouble(late)
	}
	return a, s.classify(err)
}

func (s *Server) send(ctx context.Context, r Request) (Answer, error) {
	var body io.Reader
	if r.Body != nil {
		body = bytes.NewReader(r.Body)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, body)
	if err != nil {
		return Answer{}, err
	}
	req.Header = s.header(r)
	if r.Once {
		req.GetBody = nil
	}
	resp, err := s.Client.Do(req)
	if err != nil {
		return Answer{}, noAnswer{err}
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		start := endpoint.Beginning(resp)
		if s.Refused != nil {
			return Answer{}, s.Refused(resp, start)
		}
		return Answer{}, Refusal(resp, start, s.Secrets)
	}
	a := Answer{Header: resp.Header, Accepted: true}
	a.Body, err = s.read(resp)
	return a, err
}

// header returns the header of a request. Requests without a header of their own share one, which net/http only reads.
func (s *Server) header(r Request) http.Header {
	own := func() http.Header {
		h := http.Header{"User-Agent": {"omniscope"}}
		if r.Body != nil {
			h.Set("Content-Type", "application/json")
		}
		for _, header := range []http.Header{r.Header, s.Header} {
			maps.Copy(h, header)
		}
		return h
	}
	if len(r.Header) > 0 || r.Body == nil {
		return own()
	}
	s.once.Do(func() { s.shared = own() })
	return s.shared
}

// read reads an answer. A page in its place is read no further than its first words; JSON
// under a wrong name is JSON.
func (s *Server) read(resp *http.Response) ([]byte, error) {
	kind := resp.Header.Get("Content-Type")
	switch {
	case strings.Contains(kind, "text/event-stream"):
		return readStream(resp.Body)
	case kind == "" || strings.Contains(kind, "json"):
		return endpoint.ReadAll(resp.Body, resp.ContentLength)
	}
	start := endpoint.Beginning(resp)
	text := bytes.TrimLeft(bytes.TrimPrefix(start, byteOrderMark), " \t\r\n")
	if len(start) == 0 || bytes.HasPrefix(text, []byte("{")) || LooksLikeStream(text) {
		return endpoint.ReadAll(io.MultiReader(bytes.NewReader(start), resp.Body), -1)
	}
	return nil, Trouble(fmt.Errorf("the endpoint answered with %s instead of JSON, as gateways do when the server behind them is away: %s",
		s.Secrets.Line(kind), s.Secrets.Line(string(start))))
}

var byteOrderMark = []byte("\ufeff")

// classify gives errors of the network a kind, and takes addresses and keys out of their
// words.
func (s *Server) classify(err error) error {
	var own *omniscope.Error
	if errors.As(err, &own) {
		return own
	}
	none := errors.As(err, new(noAnswer))
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	words := errors.New(s.Secrets.Line(err.Error()))
	if none {
		words = model.NewUnanswered(err, words)
	}
	return &omniscope.Error{Kind: omniscope.Transient, Op: "connect to " + s.Shown, Err: words}
}

// noAnswer marks an error as one that came before any answer could be read.
type noAnswer struct{ error }

func (e noAnswer) Unwrap() error { return e.error }

// Trouble is an error of an answer that another try may mend.
func Trouble(err error) error { return &omniscope.Error{Kind: omniscope.Transient, Err: err} }
