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

	"github.com/openai/openai-go/v3/option"

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
	if m.query != "" {
		path += "?" + m.query
	}
	var params any
	if body != nil {
		params = body
	}
	var resp *http.Response
	if err := m.client.Execute(ctx, method, path, params, &resp); err != nil {
		return nil, noAnswer{err} // or one that refuse made an error of
	}
	defer resp.Body.Close()
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

// refuse is the SDK's middleware that turns every answer outside 2xx into an
// error of ours. The SDK would read its body whole, however large, and forget
// the status of one that is not JSON.
func (m *Model) refuse(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(req)
	if err != nil || resp.StatusCode < 300 {
		return resp, err
	}
	defer resp.Body.Close()
	return nil, m.statusError(resp, endpoint.Beginning(resp))
}
