package openai

import (
	"cmp"
	"net/url"
	"strings"

	"omniscope/internal/endpoint"
	"omniscope/model/exchange"
)

// defaultBaseURL is where OpenAI itself answers.
const defaultBaseURL = "https://api.openai.com/v1"

// NormalizeURL returns the base URL with a path and without a trailing slash.
// It accepts what people set elsewhere: with or without /v1, or the full
// address of a method, such as /chat/completions, which is taken by its word. A query stays: it is
// sent with every request.
func NormalizeURL(raw string) (string, error) {
	u, err := parseBaseURL(raw)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

func parseBaseURL(raw string) (*url.URL, error) {
	return exchange.ParseURL(cmp.Or(raw, defaultBaseURL), "http://localhost:8000/v1", func(path string) string {
		full := false
		for _, method := range []string{"/chat/completions", "/embeddings", "/audio/transcriptions"} {
			if base, ok := strings.CutSuffix(path, method); ok {
				path, full = base, true
			}
		}
		if path == "" && !full {
			path = "/v1"
		}
		return path
	})
}

// Redacted returns a URL without user name, password and query.
func Redacted(raw string) string { return endpoint.Redacted(raw) }
