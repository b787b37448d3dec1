package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

var hello = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") })

// TestOnlyItsOwnNamesAreAnswered keeps pages from elsewhere away from a server on this
// machine: a name of theirs may lead to 127.0.0.1.
func TestOnlyItsOwnNamesAreAnswered(t *testing.T) {
	h := Handler(hello, "", []string{"localhost", "127.0.0.1", "::1"})
	for host, want := range map[string]int{
		"localhost:7460": 200, "127.0.0.1:7460": 200, "[::1]:7460": 200, "localhost": 200,
		"evil.example:7460": 403, "127.0.0.1.evil.example": 403, "": 403,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%q: %d, want %d", host, w.Code, want)
		}
	}
}

func TestPagesAreKeptToThisServer(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(hello, "", nil).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if p := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'; script-src 'self';") {
		t.Errorf("policy: %s", p)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Error("types may be guessed")
	}
}

func TestFilesOfPages(t *testing.T) {
	h := Handler(hello, "p { color: red }", nil)
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Code, w.Body.String()
	}
	if code, style := get("/static/page.css"); code != 200 || !strings.HasSuffix(style, "p { color: red }") || !strings.Contains(style, "color-scheme") {
		t.Errorf("style: %d", code)
	}
	// As static/README.md says, it is unchanged.
	const htmx = "449317ade7881e949510db614991e195c3a099c4c791c24dacec55f9f4a2a452"
	if _, text := get("/static/htmx.min.js"); sha256hex.Of(text) != htmx {
		t.Error("htmx.min.js is not that of its version")
	}
	if code, _ := get("/static/../web.go"); code == 200 {
		t.Error("a file of the program is served")
	}
}

func TestListen(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	fixture.OK(t, err)
	defer taken.Close()
	if _, err := Listen(taken.Addr().String(), true); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("a port that is taken: %v", err)
	}
	if _, err := Listen("nonsense", true); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("no port: %v", err)
	}
	s, err := Listen(taken.Addr().String(), false)
	fixture.OK(t, err)
	if s.Open || len(s.Hosts) == 0 {
		t.Errorf("%+v can be reached by others", s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, hello, "") }()
	resp, err := http.Get(s.URL)
	fixture.OK(t, err)
	if text, _ := io.ReadAll(resp.Body); string(text) != "hello" {
		t.Errorf("%s", text)
	}
	resp.Body.Close()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("at the end: %v", err)
	}
	all, err := Listen("0.0.0.0:0", true)
	fixture.OK(t, err)
	defer all.listener.Close()
	if !all.Open || all.Hosts != nil {
		t.Errorf("%+v is not said to be open", all)
	}
}
