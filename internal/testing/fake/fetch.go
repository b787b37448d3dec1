package fake

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// mostFetched bounds what one address may bring.
const mostFetched = 1 << 30

// A payload is one piece of media as it arrived.
type payload struct {
	mime string // as the sender names it; "" = not named
	data []byte
}

// fetch gets the media that an address names: a data URL, an address on this
// machine, or a file in the allowed folder.
func (m *Media) fetch(kind, address string) payload {
	scheme, _, _ := strings.Cut(address, ":")
	switch strings.ToLower(scheme) {
	case "data":
		return m.decodeDataURL(address)
	case "http", "https":
		return m.get(address)
	case "file":
		return m.openFile(address)
	}
	m.badAddress(kind, address)
	return payload{}
}

// badAddress rejects an invalid address.
func (m *Media) badAddress(kind, address string) {
	start := address[:min(len(address), 32)]
	switch m.rules.dialect {
	case DashScope: // in its words
		m.reject(rejection{message: "<400> InternalError.Algo.InvalidParameter: The provided URL does not appear to be valid. Ensure it is correctly formatted.", code: "invalid_parameter_error"})
	case VLLM: // in the words of vllm/multimodal/media/connector.py
		m.rejectf("The URL must be either a HTTP, data or file URL.")
	}
	m.reject(rejection{message: fmt.Sprintf("Invalid %s address: %q.", kind, start), code: "invalid_value", param: kind + "_url"})
}

// decodeDataURL reads a data URL (RFC 2397), which must be base64.
func (m *Media) decodeDataURL(address string) payload {
	if m.rules.maxData > 0 && len(address) > m.rules.maxData { // in the words of DashScope
		m.rejectf("<400> InternalError.Algo.InvalidParameter: Exceeded limit on max bytes per data-uri item : %d", m.rules.maxData)
	}
	head, text, ok := strings.Cut(strings.TrimPrefix(address, "data:"), ",")
	mime, base64ed := strings.CutSuffix(head, ";base64")
	if !ok || !base64ed {
		m.rejectf("Only base64 data URLs are supported for now.") // vLLM's words
	}
	return payload{mime, m.decodeBase64(text)}
}

func (m *Media) decodeBase64(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	switch {
	case err != nil:
		m.reject(rejection{message: fmt.Sprintf("Invalid base64 data: %v.", err), code: "invalid_base64"})
	case len(data) == 0:
		m.reject(rejection{message: "The media are empty: there is no data after base64 decoding.", code: "invalid_value"})
	}
	return data
}

// get fetches from this machine, and from nowhere else: a test must not reach
// out. OpenAI and DashScope could not fetch from there; for tests they can.
func (m *Media) get(address string) payload {
	u, err := url.Parse(address)
	req, reqErr := http.NewRequestWithContext(m.ctx, http.MethodGet, address, nil)
	if err != nil || reqErr != nil {
		m.rejectf("Failed to fetch media from URL: Invalid URL format")
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		m.rejectf("This test server fetches media from this machine alone, not from %s.", u.Hostname())
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		m.rejectf("Failed to fetch media from URL: no answer")
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK { // vLLM's words and status
		m.reject(rejection{status: http.StatusUnprocessableEntity, message: fmt.Sprintf("Failed to fetch media from URL: HTTP %d error", resp.StatusCode)})
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, mostFetched))
	if err != nil || len(data) == 0 {
		m.rejectf("Failed to fetch media from URL: the body is empty or broke off")
	}
	mime, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	if mime == "application/octet-stream" {
		mime = ""
	}
	return payload{mime, data}
}

// openFile reads a file:// URL as vllm/multimodal/media/connector.py does.
func (m *Media) openFile(address string) payload {
	if m.rules.dialect == OpenAI || m.rules.dialect == DashScope {
		m.badAddress("media", address)
	}
	if m.FileRoot == "" {
		m.rejectf("Cannot load local files without `--allowed-local-media-path`.")
	}
	u, err := url.Parse(address)
	if err != nil {
		m.badAddress("media", address)
	}
	path, err := filepath.EvalSymlinks(filepath.FromSlash(u.Path))
	root, rootErr := filepath.EvalSymlinks(m.FileRoot)
	if err != nil || rootErr != nil {
		m.rejectf("The file path %s cannot be opened.", u.Path)
	}
	if inside, err := filepath.Rel(root, path); err != nil || !filepath.IsLocal(inside) {
		m.rejectf("The file path %s must be a subpath of `--allowed-local-media-path %s`.", u.Path, m.FileRoot)
	}
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		m.rejectf("The file path %s cannot be opened, or is empty.", u.Path)
	}
	return payload{"", data}
}
