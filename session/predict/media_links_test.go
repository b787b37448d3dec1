package predict

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestOnlyNamedFilesAreServedAndWhileTheRunLasts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a film?.MP4")
	fixture.OK(t, os.WriteFile(path, []byte("0123456789"), 0o600))
	s, err := serveMedia("")
	fixture.OK(t, err)
	address, err := s.add(path)
	if again, _ := s.add(path); err != nil || again != address || !strings.HasPrefix(address, "http://127.0.0.1:") || !strings.HasSuffix(address, ".mp4") || strings.Contains(address, "film") {
		t.Errorf("the address is %s, then %s, %v", address, again, err)
	}
	get := func(method, address, span string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
		fixture.OK(t, err)
		if span != "" {
			req.Header.Set("Range", span)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, err.Error()
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		fixture.OK(t, err)
		return resp.StatusCode, string(body)
	}
	for _, c := range []struct {
		method, address, span string
		status                int
		body                  string
	}{
		{"GET", address, "", 200, "0123456789"},
		{"HEAD", address, "", 200, ""},
		{"GET", address, "bytes=2-4", 206, "234"},
		{"POST", address, "", 405, "GET or HEAD\n"},
		{"GET", s.base + "/", "", 404, "404 page not found\n"},
		{"GET", s.base + "/" + filepath.Base(path), "", 404, "404 page not found\n"},
		{"GET", s.base + path, "", 404, "404 page not found\n"},
		{"GET", address + "/../..", "", 404, "404 page not found\n"},
	} {
		if status, body := get(c.method, c.address, c.span); status != c.status || body != c.body {
			t.Errorf("%s %s %s: %d %q, want %d %q", c.method, c.address, c.span, status, body, c.status, c.body)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if status, body := get("GET", address, ""); status != 0 {
		t.Errorf("after the run: %d %q", status, body)
	}
	for _, bad := range []string{"nothing", ":80", "0.0.0.0:80", "[::]:80", "127.0.0.1:99999"} {
		if s, err := serveMedia(bad); err == nil {
			t.Errorf("served at %s: %v", bad, s.Close())
		}
	}
}

func TestFileURLs(t *testing.T) {
	if got, err := fileURL("/a dir/50% of it?#.mp4"); err != nil || got != "file:///a%20dir/50%25%20of%20it%3F%23.mp4" {
		t.Errorf("%s, %v", got, err)
	}
}
