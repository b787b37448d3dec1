package gemini

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
)

// A request is one exchange with the server.
type request struct {
	method, url string
	header      http.Header
	body        []byte        // nil = none
	timeout     time.Duration // 0 = the model's
}

// An answer is what came of one with a status from 200 to 299.
type answer struct {
	header   http.Header
	body     []byte
	accepted bool // there was such a status, whatever came after it
}

// exchange sends one request and reads its answer. Its errors are of our kinds.
func (m *Model) exchange(ctx context.Context, r request) (answer, error) {
	timeout := r.timeout
	if timeout == 0 {
		timeout = m.timeout
	}
	tryCtx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	a, err := m.send(tryCtx, r)
	switch {
	case err == nil:
		return a, nil
	case ctx.Err() != nil:
		return a, ctx.Err()
	case tryCtx.Err() != nil:
		late := fmt.Errorf("no whole answer within %s", timeout)
		if errors.As(err, new(noAnswer)) {
			late = &model.Unanswered{Err: late, Connected: true}
		}
		return a, trouble(late)
	}
	return a, m.classify(err)
}

func (m *Model) send(ctx context.Context, r request) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return answer{}, err
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	if r.body != nil && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if m.key != "" {
		req.Header.Set("X-Goog-Api-Key", m.key)
	}
	for name, value := range m.headers {
		req.Header.Set(name, value.Reveal())
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return answer{}, noAnswer{err}
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode >= 300 {
		return answer{}, m.statusError(resp, endpoint.Beginning(resp))
	}
	a := answer{header: resp.Header, accepted: true}
	a.body, err = m.readBody(resp)
	return a, err
}

// readBody reads an answer. A page in its place is read no further than its
// first words; JSON under a wrong name is JSON.
func (m *Model) readBody(resp *http.Response) ([]byte, error) {
	kind := resp.Header.Get("Content-Type")
	if kind == "" || strings.Contains(kind, "json") {
		return endpoint.ReadAll(resp.Body, resp.ContentLength)
	}
	start := endpoint.Beginning(resp)
	text := bytes.TrimLeft(bytes.TrimPrefix(start, byteOrderMark), " \t\r\n")
	if len(text) == 0 || bytes.HasPrefix(text, []byte("{")) {
		return endpoint.ReadAll(io.MultiReader(bytes.NewReader(start), resp.Body), -1)
	}
	return nil, trouble(fmt.Errorf("the endpoint answered with %s instead of JSON, as gateways do when the server behind them is away: %s",
		m.secrets.Line(kind), m.secrets.Line(string(start))))
}

var byteOrderMark = []byte("\ufeff")

// noAnswer marks an error as one that came before any answer could be read.
type noAnswer struct{ error }

func (e noAnswer) Unwrap() error { return e.error }

// classify gives errors of the network a kind, and takes addresses and keys out
// of their words.
func (m *Model) classify(err error) error {
	var own *omniscope.Error
	if errors.As(err, &own) {
		return own
	}
	none := errors.As(err, new(noAnswer))
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	words := errors.New(m.secrets.Line(err.Error()))
	if none {
		words = model.NewUnanswered(err, words)
	}
	return &omniscope.Error{Kind: omniscope.Transient, Op: "connect to " + m.BaseURL(), Err: words}
}

func trouble(err error) error {
	return &omniscope.Error{Kind: omniscope.Transient, Err: err}
}
