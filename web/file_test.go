package web_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/web"
)

// TestAnotherFileIsNeverTheCachedOne asks for a file again under the same address, where by now another file is: of
// the same size, and of the same time or an older one. A browser that compares times alone would keep the first.
func TestAnotherFileIsNeverTheCachedOne(t *testing.T) {
	dir := t.TempDir()
	served := filepath.Join(dir, "first")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := web.SendFile(w, r, served); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	now := time.Now().Truncate(time.Second)
	write := func(name, text string, at time.Time) {
		path := filepath.Join(dir, name)
		fixture.OK(t, errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, at, at)))
	}
	write("first", "first!", now)
	write("older", "second", now.Add(-time.Hour))
	write("same", "second", now)
	get := func(headers http.Header) *http.Response {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		fixture.OK(t, err)
		request.Header = headers
		reply, err := http.DefaultClient.Do(request)
		fixture.OK(t, err)
		reply.Body.Close()
		return reply
	}
	kept := get(http.Header{}).Header
	again := http.Header{"If-None-Match": {kept.Get("ETag")}, "If-Modified-Since": {kept.Get("Last-Modified")}}
	for name, want := range map[string]int{"first": http.StatusNotModified, "older": http.StatusOK, "same": http.StatusOK} {
		served = filepath.Join(dir, name)
		if got := get(again).StatusCode; got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
		part := http.Header{"If-Range": {kept.Get("ETag")}, "Range": {"bytes=3-5"}}
		if got, replaced := get(part).StatusCode, name != "first"; (got == http.StatusOK) != replaced {
			t.Errorf("a part of %s: %d", name, got)
		}
	}
	served = filepath.Join(dir, "first")
	write("first", "other!", now.Add(-time.Minute))
	if got := get(again).StatusCode; got != http.StatusOK {
		t.Errorf("written again: %d", got)
	}
}

// TestSendFileInParts shows what each range of a file of two megabytes gets.
func TestSendFileInParts(t *testing.T) {
	const size, part = 2_000_000, 512 << 10
	content := bytes.Repeat([]byte("0123456789"), size/10)
	path := filepath.Join(t.TempDir(), "film.mp4")
	fixture.OK(t, os.WriteFile(path, content, 0o600))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := web.SendFile(w, r, path); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	for _, c := range []struct {
		ranges   string
		code     int
		from, to int // the bytes that come, to not included
	}{
		{"", http.StatusOK, 0, size},
		{"bytes=0-", http.StatusPartialContent, 0, part},
		{"bytes=7-", http.StatusPartialContent, 7, 7 + part},
		{"bytes=1999990-", http.StatusPartialContent, 1_999_990, size},
		{"bytes=5-1500000", http.StatusPartialContent, 5, 1_500_001},
		{"bytes=-10", http.StatusPartialContent, size - 10, size},
		{"bytes=2000000-", http.StatusRequestedRangeNotSatisfiable, 0, -1},
		{"bytes=9223372036854775807-", http.StatusRequestedRangeNotSatisfiable, 0, -1},
		{"bytes=x-", http.StatusRequestedRangeNotSatisfiable, 0, -1},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		fixture.OK(t, err)
		if c.ranges != "" {
			request.Header.Set("Range", c.ranges)
		}
		reply, err := http.DefaultClient.Do(request)
		fixture.OK(t, err)
		got, err := io.ReadAll(reply.Body)
		reply.Body.Close()
		if err != nil || reply.StatusCode != c.code {
			t.Errorf("%q: %s, %v; want %d", c.ranges, reply.Status, err, c.code)
		}
		if c.to < 0 {
			continue
		}
		if !bytes.Equal(got, content[c.from:c.to]) {
			t.Errorf("%q: %d bytes came, want %d", c.ranges, len(got), c.to-c.from)
		}
		if want := fmt.Sprintf("bytes %d-%d/%d", c.from, c.to-1, size); c.code == http.StatusPartialContent && reply.Header.Get("Content-Range") != want {
			t.Errorf("%q: Content-Range %q, want %q", c.ranges, reply.Header.Get("Content-Range"), want)
		}
	}
}

// TestSendFileThatIsNotThere shows that the caller gets the error, and nothing is sent.
func TestSendFileThatIsNotThere(t *testing.T) {
	w := httptest.NewRecorder()
	err := web.SendFile(w, httptest.NewRequest(http.MethodGet, "/", nil), filepath.Join(t.TempDir(), "none"))
	if !os.IsNotExist(err) || w.Body.Len() > 0 {
		t.Errorf("%v, %q", err, w.Body)
	}
}
