package mediaserver

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
func (s *Server) fetch(kind, address string) (payload, *rejection) {
	scheme, _, _ := strings.Cut(address, ":")
	switch strings.ToLower(scheme) {
	case "data":
		return s.rules.decodeDataURL(kind, address)
	case "http", "https":
		return s.get(address)
	case "file":
		return s.rules.openFile(address)
	}
	return payload{}, s.rules.badAddress(kind, address)
}

// badAddress says that an address is none.
func (r rules) badAddress(kind, address string) *rejection {
	start := address[:min(len(address), 32)]
	switch r.dialect {
	case DashScope: // in its words
		return &rejection{message: "<400> InternalError.Algo.InvalidParameter: The provided URL does not appear to be valid. Ensure it is correctly formatted.", code: "invalid_parameter_error"}
	case VLLM: // in the words of vllm/multimodal/media/connector.py
		return rejectf("The URL must be either a HTTP, data or file URL.")
	}
	return &rejection{message: fmt.Sprintf("Invalid %s address: %q.", kind, start), code: "invalid_value", param: kind + "_url"}
}

// decodeDataURL reads a data URL (RFC 2397), which must be base64.
func (r rules) decodeDataURL(kind, address string) (payload, *rejection) {
	if r.maxData > 0 && len(address) > r.maxData { // in the words of DashScope
		return payload{}, rejectf("<400> InternalError.Algo.InvalidParameter: Exceeded limit on max bytes per data-uri item : %d", r.maxData)
	}
	head, text, ok := strings.Cut(strings.TrimPrefix(address, "data:"), ",")
	mime, base64ed := strings.CutSuffix(head, ";base64")
	if !ok || !base64ed {
		return payload{}, rejectf("Only base64 data URLs are supported for now.") // vLLM's words
	}
	data, rejected := decodeBase64(text)
	return payload{mime, data}, rejected
}

func decodeBase64(text string) ([]byte, *rejection) {
	data, err := base64.StdEncoding.DecodeString(text)
	switch {
	case err != nil:
		return nil, &rejection{message: fmt.Sprintf("Invalid base64 data: %v.", err), code: "invalid_base64"}
	case len(data) == 0:
		return nil, &rejection{message: "The media are empty: there is no data after base64 decoding.", code: "invalid_value"}
	}
	return data, nil
}

// get fetches from this machine, and from nowhere else: a test must not reach
// out. OpenAI and DashScope could not fetch from there; for tests they can.
func (s *Server) get(address string) (payload, *rejection) {
	u, err := url.Parse(address)
	if err != nil {
		return payload{}, rejectf("Failed to fetch media from URL: Invalid URL format")
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return payload{}, rejectf("This test server fetches media from this machine alone, not from %s.", u.Hostname())
	}
	req, err := http.NewRequestWithContext(s.ctx, http.MethodGet, address, nil)
	if err != nil {
		return payload{}, rejectf("Failed to fetch media from URL: Invalid URL format")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return payload{}, rejectf("Failed to fetch media from URL: no answer")
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK { // vLLM's words and status
		return payload{}, &rejection{status: http.StatusUnprocessableEntity, message: fmt.Sprintf("Failed to fetch media from URL: HTTP %d error", resp.StatusCode)}
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, mostFetched))
	if err != nil || len(data) == 0 {
		return payload{}, rejectf("Failed to fetch media from URL: the body is empty or broke off")
	}
	mime, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	if mime == "application/octet-stream" {
		mime = ""
	}
	return payload{mime, data}, nil
}

// openFile reads a file:// URL as vllm/multimodal/media/connector.py does.
func (r rules) openFile(address string) (payload, *rejection) {
	if r.dialect == OpenAI || r.dialect == DashScope {
		return payload{}, r.badAddress("media", address)
	}
	if r.fileRoot == "" {
		return payload{}, rejectf("Cannot load local files without `--allowed-local-media-path`.")
	}
	u, err := url.Parse(address)
	if err != nil {
		return payload{}, r.badAddress("media", address)
	}
	path, err := filepath.EvalSymlinks(filepath.FromSlash(u.Path))
	root, rootErr := filepath.EvalSymlinks(r.fileRoot)
	if err != nil || rootErr != nil {
		return payload{}, rejectf("The file path %s cannot be opened.", u.Path)
	}
	if inside, err := filepath.Rel(root, path); err != nil || !filepath.IsLocal(inside) {
		return payload{}, rejectf("The file path %s must be a subpath of `--allowed-local-media-path %s`.", u.Path, r.fileRoot)
	}
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		return payload{}, rejectf("The file path %s cannot be opened, or is empty.", u.Path)
	}
	return payload{"", data}, nil
}
