package openai

import (
	"strings"

	"omniscope/internal/endpoint"
	"omniscope/model/exchange"
)

// address accepts what people set elsewhere: with or without /v1, or the full address of a method, such as /chat/completions,
// which is taken by its word.
var address = exchange.Address{Default: "https://api.openai.com/v1", Example: "http://localhost:8000/v1", Path: func(path string) string {
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
}}

// NormalizeURL returns the base URL with a path and without a trailing slash.
func NormalizeURL(raw string) (string, error) { return address.Normalize(raw) }

// Redacted returns a URL without user name, password and query.
func Redacted(raw string) string { return endpoint.Redacted(raw) }
