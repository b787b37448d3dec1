package mcp

import (
	"bufio"
	"fmt"
	"io"
	"net/http"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/model"
)

// bounded is a client that sends further headers, reads no endless answers and follows no redirects: the user named one
// server, and the headers may hold its key. Where an answer repeats one, it is blackened.
func bounded(headers map[string]omniscope.Secret) *http.Client {
	b := boundedBodies{inner: http.DefaultTransport, headers: headers}
	if len(headers) > 0 {
		b.secrets = model.NewRedactor(endpoint.SecretsAmong(headers, nil)...)
	}
	return &http.Client{
		Transport:     b,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type boundedBodies struct {
	inner   http.RoundTripper
	headers map[string]omniscope.Secret
	secrets *model.Redactor // nil = there are none
}

func (b boundedBodies) RoundTrip(r *http.Request) (*http.Response, error) {
	if len(b.headers) > 0 {
		r = r.Clone(r.Context())
		for name, value := range b.headers {
			r.Header.Set(name, value.Reveal())
		}
	}
	resp, err := b.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = &boundedBody{resp.Body, longestMessage}
	if b.secrets != nil {
		resp.Body = &redactedBody{Closer: resp.Body, lines: bufio.NewReader(resp.Body), secrets: b.secrets}
	}
	return resp, nil
}

// A redactedBody is read line by line, so that no secret is cut in two. Messages and events are lines.
type redactedBody struct {
	io.Closer
	lines   *bufio.Reader
	secrets *model.Redactor
	line    []byte // what is left of it
	err     error  // after the line
}

func (b *redactedBody) Read(p []byte) (int, error) {
	if len(b.line) == 0 && b.err == nil {
		var text string
		text, b.err = b.lines.ReadString('\n')
		b.line = []byte(b.secrets.Redact(text))
	}
	if len(b.line) == 0 {
		return 0, b.err
	}
	n := copy(p, b.line)
	b.line = b.line[n:]
	return n, nil
}

// A boundedBody fails once it has more bytes than are left.
type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("the server's answer has more than %d bytes", longestMessage)
	}
	return n, err
}
