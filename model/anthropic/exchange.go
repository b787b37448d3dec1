package anthropic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
)

// call sends one request, without a body if that is nil, and has read take the
// body of a 2xx answer. Errors are of our kinds, the context's own where ctx
// ended; those of a body that may have to be paid for are marked so.
func (m *Model) call(ctx context.Context, timeout time.Duration, method, address string, body []byte, read func(header http.Header, answer []byte) error) error {
	var sent atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(wrote httptrace.WroteRequestInfo) {
			if wrote.Err == nil {
				sent.Store(true)
			}
		},
		GotFirstResponseByte: func() { sent.Store(true) }, // which may come first
	})
	header, answer, err := m.exchange(traced, timeout, method, address, body)
	accepted := err == nil
	if accepted {
		err = read(header, answer)
	}
	if err == nil || body == nil {
		return err
	}
	return model.MarkLost(err, sent.Load(), accepted)
}

func (m *Model) exchange(ctx context.Context, timeout time.Duration, method, address string, body []byte) (http.Header, []byte, error) {
	tryCtx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	header, answer, err := m.send(tryCtx, method, address, body)
	switch {
	case err == nil:
		return header, answer, nil
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case tryCtx.Err() != nil:
		late := fmt.Errorf("no whole answer within %s", timeout)
		if errors.As(err, new(noAnswer)) {
			late = &model.Unanswered{Err: late, Connected: true}
		}
		return nil, nil, trouble(late)
	}
	return nil, nil, m.classify(err)
}

func (m *Model) send(ctx context.Context, method, address string, body []byte) (http.Header, []byte, error) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, reader)
	if err != nil {
		return nil, nil, err
	}
	req.Header = m.header.Clone()
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return nil, nil, noAnswer{err}
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return nil, nil, m.statusError(resp, endpoint.Beginning(resp))
	}
	if kind := resp.Header.Get("Content-Type"); kind != "" && !strings.Contains(kind, "json") {
		return nil, nil, trouble(fmt.Errorf(
			"the endpoint answered with %s instead of JSON, as gateways do when the server behind them is away: %s",
			m.words(kind), m.words(string(endpoint.Beginning(resp)))))
	}
	answer, err := endpoint.ReadAll(resp.Body, resp.ContentLength)
	return resp.Header, answer, err
}

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
	words := errors.New(m.words(err.Error()))
	if none {
		words = model.NewUnanswered(err, words)
	}
	return &omniscope.Error{Kind: omniscope.Transient, Op: "connect to " + m.shown, Err: words}
}

// noAnswer marks an error as one that came before any answer could be read.
type noAnswer struct{ error }

func (e noAnswer) Unwrap() error { return e.error }

func trouble(err error) error {
	return &omniscope.Error{Kind: omniscope.Transient, Err: err}
}
