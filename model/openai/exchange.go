package openai

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"omniscope/internal/endpoint"
	"omniscope/model"
)

// exchange sends one request, without a body if that is nil, and returns the
// bytes of a 2xx answer; those of a stream that broke off, too, beside the
// error. Its errors are of our kinds.
func (m *Model) exchange(ctx context.Context, timeout time.Duration, method, path string, body []byte) ([]byte, error) {
	tryCtx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answer, err := m.send(tryCtx, method, path, body)
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return answer, ctx.Err()
	case tryCtx.Err() != nil:
		late := fmt.Errorf("no whole answer within %s", timeout)
		if errors.As(err, new(noAnswer)) {
			late = &model.Unanswered{Err: late, Connected: true}
		}
		return answer, trouble(late)
	}
	return answer, m.classify(err)
}

func (m *Model) send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	req, err := m.request(ctx, method, path, body)
	if err != nil {
		return nil, noAnswer{err}
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return nil, noAnswer{err}
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return nil, m.statusError(resp, endpoint.Beginning(resp))
	}
	kind := resp.Header.Get("Content-Type")
	switch {
	case strings.Contains(kind, eventStream):
		return readStream(resp.Body)
	case kind == "" || strings.Contains(kind, "json"):
		return endpoint.ReadAll(resp.Body, resp.ContentLength)
	}
	start := endpoint.Beginning(resp)
	if text := bytes.TrimLeft(bytes.TrimPrefix(start, byteOrderMark), " \t\r\n"); bytes.HasPrefix(text, []byte("{")) || looksLikeStream(text) {
		return endpoint.ReadAll(io.MultiReader(bytes.NewReader(start), resp.Body), -1) // an answer under a wrong name
	}
	return nil, trouble(fmt.Errorf(
		"the endpoint answered with %s instead of JSON, as gateways do when the server behind them is away: %s",
		m.words(kind), m.words(string(start))))
}

// request is one to a path as seen from the base URL, whose query and headers it has.
func (m *Model) request(ctx context.Context, method, path string, body []byte) (*http.Request, error) {
	at := m.base.JoinPath(path)
	at.RawQuery = m.base.RawQuery
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, at.String(), reader)
	if err != nil {
		return nil, err
	}
	req.Header = m.header.Clone()
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}
