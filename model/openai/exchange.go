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

	"omniscope"
	"omniscope/model"
)

const (
	// mostBytes bounds an answer, so that a server gone wild cannot fill memory.
	mostBytes = 10 << 20

	// mostErrorBytes bounds what is read of an answer that only its first words
	// are wanted of. Shorter ones are read to their end, or their connection
	// could not be used again.
	mostErrorBytes = 64 << 10
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
		return readAll(resp.Body, resp.ContentLength)
	}
	start := beginning(resp)
	if text := bytes.TrimLeft(bytes.TrimPrefix(start, byteOrderMark), " \t\r\n"); bytes.HasPrefix(text, []byte("{")) || looksLikeStream(text) {
		return readAll(io.MultiReader(bytes.NewReader(start), resp.Body), -1) // an answer under a wrong name
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
	return nil, m.statusError(resp, beginning(resp))
}

// beginning reads the first bytes of an answer. Those of one that breaks off
// will do.
func beginning(resp *http.Response) []byte {
	start, _ := io.ReadAll(io.LimitReader(resp.Body, mostErrorBytes))
	return start
}

// readAll reads a body of the given size, -1 if that is not known.
func readAll(body io.Reader, size int64) ([]byte, error) {
	if size < 0 {
		size = 4 << 10
	}
	if size > mostBytes {
		return nil, tooLarge()
	}
	buf := make([]byte, 0, size+512)
	for {
		n, err := body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if len(buf) > mostBytes {
			return nil, tooLarge()
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the answer broke off: %w", err)
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

func tooLarge() error {
	return &omniscope.Error{Kind: omniscope.Malformed, Err: fmt.Errorf("the answer is larger than %d MB and was not read", mostBytes>>20)}
}
