package mcp

import (
	"fmt"
	"io"
	"net/http"
)

// bounded is a client that reads no endless answers and follows no redirects: the user named one server.
func bounded() *http.Client {
	return &http.Client{
		Transport:     boundedBodies{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type boundedBodies struct{ inner http.RoundTripper }

func (b boundedBodies) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.inner.RoundTrip(r)
	if err == nil {
		resp.Body = &boundedBody{resp.Body, longestMessage}
	}
	return resp, err
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
