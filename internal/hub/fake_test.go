package hub

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

const (
	firstCommit  = "0123456789abcdef0123456789abcdef01234567"
	secondCommit = "89abcdef0123456789abcdef0123456789abcdef"
	secret       = "hf_averysecrettoken"
)

var talks = Repo{Kind: "dataset", Name: "some-org/Talks.v1", Revision: "main"}

// A fakeHub is a hub with one repository, and the server it keeps large files on.
type fakeHub struct {
	*testing.T
	hub, store *httptest.Server

	// before, if not nil, may answer a request itself and then returns true.
	before, beforeStore func(http.ResponseWriter, *http.Request) bool

	mu     sync.Mutex
	commit string
	small  map[string]string // by path
	large  map[string]string
	asked  []string // "HEAD main notes.txt", "GET store bytes=5-"
	auth   []string // the Authorization headers at the hub
}

func newFake(t *testing.T) *fakeHub {
	f := &fakeHub{T: t, commit: firstCommit, small: map[string]string{"notes/read me.txt": "a few words\n"},
		large: map[string]string{"audio/talk.bin": strings.Repeat("sound ", 10000)}}
	f.hub, f.store = httptest.NewServer(http.HandlerFunc(f.serveHub)), httptest.NewServer(http.HandlerFunc(f.serveStore))
	t.Cleanup(f.hub.Close)
	t.Cleanup(f.store.Close)
	return f
}

// client returns a Client with an empty cache that waits for nothing.
func (f *fakeHub) client() *Client {
	return &Client{Endpoint: f.hub.URL, Token: omniscope.NewSecret(secret), Cache: f.TempDir(), ByHand: "pass it with -r FILE",
		wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
}

func (f *fakeHub) note(line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, line)
}

// requests returns what was asked since the last time.
func (f *fakeHub) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	asked := f.asked
	f.asked = nil
	return asked
}

func (f *fakeHub) serveHub(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.auth = append(f.auth, r.Header.Get("Authorization"))
	f.mu.Unlock()
	if path, ok := strings.CutPrefix(r.URL.Path, "/api/resolve-cache/"); ok {
		w.Header().Set("ETag", `"`+gitID(f.small[path])+`"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(f.small[path]))
		return
	}
	revision, path, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/datasets/some-org/Talks.v1/resolve/"), "/")
	f.note(r.Method + " " + revision + " " + path)
	if f.before != nil && f.before(w, r) {
		return
	}
	w.Header().Set("X-Repo-Commit", f.commit)
	content, isLarge := f.large[path]
	_, isSmall := f.small[path]
	switch {
	case !ok:
		w.Header().Set("X-Error-Code", "RepoNotFound")
		http.NotFound(w, r)
	case revision != "main" && revision != "1.0" && revision != f.commit:
		w.Header().Set("X-Error-Code", "RevisionNotFound")
		http.NotFound(w, r)
	case isLarge:
		w.Header().Set("X-Linked-Etag", `"`+sha256hex.Of(content)+`"`)
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(content)))
		w.Header().Set("Location", f.store.URL+"/blob/"+sha256hex.Of(content)+"?Signature=signed")
		w.WriteHeader(http.StatusFound)
	case isSmall: // as the hub does since 2025
		w.Header().Set("Location", "/api/resolve-cache/"+strings.ReplaceAll(path, " ", "%20")+"?etag=x")
		w.WriteHeader(http.StatusTemporaryRedirect)
	default:
		w.Header().Set("X-Error-Code", "EntryNotFound")
		http.NotFound(w, r)
	}
}

func (f *fakeHub) serveStore(w http.ResponseWriter, r *http.Request) {
	f.note(strings.TrimSpace(r.Method + " store " + r.Header.Get("Range")))
	if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" {
		f.Error("the token was sent to another server")
	}
	if r.URL.Query().Get("Signature") != "signed" {
		f.Errorf("the signature of %s is lost", r.URL)
	}
	if f.beforeStore != nil && f.beforeStore(w, r) {
		return
	}
	for _, content := range f.large {
		if strings.HasSuffix(r.URL.Path, sha256hex.Of(content)) {
			w.Header().Set("ETag", `"another tag"`)
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
			return
		}
	}
	http.NotFound(w, r)
}

// cut sends a body of the given length and breaks off after some bytes.
func cut(w http.ResponseWriter, length int, sent string) {
	w.Header().Set("Content-Length", fmt.Sprint(length))
	w.Write([]byte(sent))
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// times makes a hook that acts the first n times.
func times(n int, act func(http.ResponseWriter, *http.Request)) func(http.ResponseWriter, *http.Request) bool {
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		n--
		now := n >= 0
		mu.Unlock()
		if now {
			act(w, r)
		}
		return now
	}
}

func gitID(s string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(s), s))
	return hex.EncodeToString(sum[:])
}

func mustFetch(t *testing.T, c *Client, r Repo, path, content string) Local {
	t.Helper()
	local, err := c.File(t.Context(), r, path)
	fixture.OK(t, err)
	got, err := os.ReadFile(local.Path)
	fixture.OK(t, err)
	if !bytes.Equal(got, []byte(content)) {
		t.Fatalf("%s has %d bytes that are not the %d expected", path, len(got), len(content))
	}
	return local
}

func mustFail(t *testing.T, err error, kind omniscope.Kind, tells ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one of kind %s that tells %q", kind, tells)
	}
	if omniscope.KindOf(err) != kind {
		t.Errorf("%q is of kind %s, want %s", err, omniscope.KindOf(err), kind)
	}
	for _, what := range append(tells, "") {
		if !strings.Contains(err.Error(), what) {
			t.Errorf("%q does not tell %q", err, what)
		}
	}
	for _, hidden := range []string{secret, "Signature", "hunter2"} {
		if strings.Contains(err.Error(), hidden) {
			t.Errorf("%q tells %q", err, hidden)
		}
	}
}

// list returns the files and links below a folder, locks apart.
func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".lock") {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	fixture.OK(t, err)
	return names
}
