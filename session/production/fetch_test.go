package production

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"omniscope"
	"omniscope/run"
)

// fetcher fetches paths of a server, a row each.
func fetcher(t *testing.T, server *httptest.Server, keep bool, paths ...string) (*Fetcher, []Row) {
	t.Helper()
	rows := make([]Row, len(paths))
	for i, path := range paths {
		rows[i] = Row{Path: server.URL + path}
	}
	f := NewFetcher(filepath.Join(t.TempDir(), "fetched"), rows, 1<<20, keep)
	f.wait = time.Millisecond
	return f, rows
}

func left(t *testing.T, f *Fetcher) (files []string) {
	t.Helper()
	err := filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

// TestFetchOnceAndRemove has three rows with one address: it is downloaded once, and the file is removed
// when the last row is done.
func TestFetchOnceAndRemove(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		time.Sleep(20 * time.Millisecond)
		fmt.Fprint(w, "film")
	}))
	defer server.Close()
	f, rows := fetcher(t, server, false, "/a.MP4?key=secret", "/a.MP4?key=secret", "/a.MP4?key=secret")
	var all sync.WaitGroup
	releases := make(chan func(), 3)
	for i := range rows {
		all.Go(func() {
			file, release, err := f.Get(t.Context(), &rows[i])
			if text, err2 := os.ReadFile(file); err != nil || err2 != nil || string(text) != "film" || filepath.Ext(file) != ".mp4" || strings.Contains(file, "secret") {
				t.Errorf("%s, %q, %v, %v", file, text, err, err2)
			}
			releases <- release
		})
	}
	all.Wait()
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
	for n := range 3 {
		if len(left(t, f)) != 1 {
			t.Errorf("after %d rows: %q", n, left(t, f))
		}
		(<-releases)()
	}
	if len(left(t, f)) != 0 {
		t.Errorf("left: %q", left(t, f))
	}
}

func TestFetchedFilesThatAreKept(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "film") }))
	f, rows := fetcher(t, server, true, "/a.mp4")
	_, release, err := f.Get(t.Context(), &rows[0])
	release()
	server.Close()
	again := NewFetcher(f.dir, rows, 1<<20, true)
	file, _, err2 := again.Get(t.Context(), &rows[0])
	if err != nil || err2 != nil || len(left(t, f)) != 1 || file != left(t, f)[0] {
		t.Errorf("%s, %v, %v", file, err, err2)
	}
}

// TestServersThatMisbehave shows, for each fault of a server, how often the address is tried and what the
// error says. No partial file is left.
func TestServersThatMisbehave(t *testing.T) {
	body := strings.Repeat("x", 1000)
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, try int64)
		asked  int64
		why    string // "" = it is fetched
	}{
		"gone":        {func(w http.ResponseWriter, _ int64) { w.WriteHeader(404) }, 1, "the server says 404 Not Found"},
		"forbidden":   {func(w http.ResponseWriter, _ int64) { w.WriteHeader(403) }, 1, "403"},
		"busy, once":  {func(w http.ResponseWriter, try int64) { again503(w, try, 1, body) }, 2, ""},
		"busy":        {func(w http.ResponseWriter, try int64) { again503(w, try, 100, body) }, fetchTries, "503"},
		"cut off":     {func(w http.ResponseWriter, _ int64) { w.Header().Set("Content-Length", "5000"); fmt.Fprint(w, body) }, fetchTries, "broke off after 1000"},
		"too long":    {func(w http.ResponseWriter, _ int64) { w.Header().Set("Content-Length", "2000000"); fmt.Fprint(w, body) }, 1, "--max-file-size"},
		"never ends":  {func(w http.ResponseWriter, _ int64) { endless(w, body) }, 1, "--max-file-size"},
		"empty":       {func(w http.ResponseWriter, _ int64) {}, 1, "nothing in it"},
		"hangs up":    {func(w http.ResponseWriter, _ int64) { panic(http.ErrAbortHandler) }, fetchTries, "EOF"},
		"turns round": {func(w http.ResponseWriter, _ int64) { w.Header().Set("Location", "/a.mp4?secret"); w.WriteHeader(302) }, -1, "redirects"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { c.answer(w, asked.Add(1)) }))
			defer server.Close()
			f, rows := fetcher(t, server, false, "/a.mp4?token=secret")
			_, release, err := f.Get(t.Context(), &rows[0])
			if c.why == "" && err != nil || c.why != "" && (omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.why)) || err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("%v", err)
			}
			if c.asked >= 0 && asked.Load() != c.asked {
				t.Errorf("asked %d times, want %d", asked.Load(), c.asked)
			}
			before := asked.Load()
			if _, _, again := f.Get(t.Context(), &rows[0]); Refused(again) != (c.why != "") || asked.Load() != before {
				t.Errorf("asked again: %v", again)
			}
			release()
			if len(left(t, f)) > 0 {
				t.Errorf("left: %q", left(t, f))
			}
		})
	}
}

func again503(w http.ResponseWriter, try, bad int64, body string) {
	if try <= bad {
		w.WriteHeader(503)
		return
	}
	fmt.Fprint(w, body)
}

func endless(w http.ResponseWriter, body string) {
	for {
		if _, err := fmt.Fprint(w, body); err != nil {
			return
		}
	}
}

func TestDeadAddress(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	f, rows := fetcher(t, server, false, "/a.mp4")
	server.Close()
	if _, _, err := f.Get(t.Context(), &rows[0]); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "refused") {
		t.Errorf("%v", err)
	}
}

// TestFetchStopsWithTheRun shows that a transfer ends when the run winds down.
func TestFetchStopsWithTheRun(t *testing.T) {
	began := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "x")
		w.(http.Flusher).Flush()
		close(began)
		<-r.Context().Done()
	}))
	defer server.Close()
	f, rows := fetcher(t, server, false, "/a.mp4")
	soft, stop := context.WithCancel(t.Context())
	go func() { <-began; stop() }()
	if _, _, err := f.Get(run.WithStop(soft), &rows[0]); err == nil || len(left(t, f)) > 0 {
		t.Errorf("%v, left %q", err, left(t, f))
	}
}
