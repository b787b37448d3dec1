package hub

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
)

func TestResumeCutDownload(t *testing.T) {
	f := newFake(t)
	content := f.large["audio/talk.bin"]
	f.beforeStore = times(1, func(w http.ResponseWriter, _ *http.Request) { cut(w, len(content), content[:25000]) })
	c := f.client()
	last := int64(-1)
	c.Progress = func(file string, done, total int64) {
		if file != "audio/talk.bin" || done < last || total != int64(len(content)) {
			t.Errorf("progress %s %d/%d after %d", file, done, total, last)
		}
		last = done
	}
	mustFetch(t, c, talks, "audio/talk.bin", content)
	if d := cmp.Diff([]string{"HEAD main audio/talk.bin", "GET " + firstCommit + " audio/talk.bin", "GET store",
		"GET " + firstCommit + " audio/talk.bin", "GET store bytes=25000-"}, f.requests()); d != "" {
		t.Error(d)
	}
	if last != int64(len(content)) {
		t.Errorf("progress ends at %d", last)
	}
}

func TestProgressRenewsTheTries(t *testing.T) {
	f := newFake(t)
	content := f.large["audio/talk.bin"]
	f.beforeStore = times(20, func(w http.ResponseWriter, r *http.Request) {
		var from int
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(content)-1, len(content)))
		w.Header().Set("Content-Length", fmt.Sprint(len(content)-from))
		w.WriteHeader(http.StatusPartialContent)
		cut(w, len(content)-from, content[from:from+100])
	})
	mustFetch(t, f.client(), talks, "audio/talk.bin", content)
}

func TestWithoutProgressTheTriesEnd(t *testing.T) {
	f := newFake(t)
	content := f.large["audio/talk.bin"]
	f.beforeStore = func(w http.ResponseWriter, _ *http.Request) bool { // no ranges here
		cut(w, len(content), content[:100])
		return true
	}
	_, err := f.client().File(t.Context(), talks, "audio/talk.bin")
	mustFail(t, err, omniscope.Transient, "100 of 60000 bytes", "run the same command again to go on from there", "pass it with -r FILE")
	if n := len(f.requests()); n != 1+2*tries {
		t.Errorf("%d requests", n)
	}
}

func TestResumeCancelledDownload(t *testing.T) {
	f := newFake(t)
	content := f.large["audio/talk.bin"]
	c := f.client()
	ctx, cancel := context.WithCancel(t.Context())
	f.beforeStore = times(1, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write([]byte(content[:30000]))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c.Progress = func(_ string, done, _ int64) {
		if done == 30000 {
			cancel()
		}
	}
	if _, err := c.File(ctx, talks, "audio/talk.bin"); err != context.Canceled {
		t.Fatalf("%v, want %v", err, context.Canceled)
	}
	if ondisk.Exists(c.blobOf(content)) {
		t.Error("half a file is served")
	}
	offline := *c
	offline.Offline = true
	_, err := offline.File(t.Context(), talks, "audio/talk.bin")
	mustFail(t, err, omniscope.NotFound)

	f.requests()
	c.Progress = nil
	mustFetch(t, c, talks, "audio/talk.bin", content)
	if asked := f.requests(); asked[len(asked)-1] != "GET store bytes=30000-" {
		t.Errorf("asked %q", asked)
	}
}

func TestPartialFileContents(t *testing.T) {
	f := newFake(t)
	content := f.large["audio/talk.bin"]
	for name, c := range map[string]struct {
		partial string
		asked   []string
	}{
		"a beginning is gone on with":           {content[:400], []string{"GET store bytes=400-"}},
		"all of it is checked and taken":        {content, nil},
		"too much is thrown away":               {content + "more", []string{"GET store"}},
		"another beginning is found out":        {"X" + content[1:400], []string{"GET store bytes=400-", "GET store"}},
		"another file as long is found out":     {"X" + content[1:], []string{"GET store"}},
		"nothing at all is a beginning as well": {"", []string{"GET store"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := f.client()
			partial := client.blobOf(content) + ".incomplete"
			fixture.OK(t, replace(partial, strings.NewReader(c.partial)))
			f.requests()
			mustFetch(t, client, talks, "audio/talk.bin", content)
			var asked []string
			for _, a := range f.requests() {
				if strings.HasPrefix(a, "GET store") {
					asked = append(asked, a)
				}
			}
			if d := cmp.Diff(c.asked, asked); d != "" {
				t.Error(d)
			}
			if ondisk.Exists(partial) {
				t.Error("the partial file is left over")
			}
		})
	}
}

func TestServersRangeReplies(t *testing.T) {
	content := newFake(t).large["audio/talk.bin"]
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request){
		"it sends all":          func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(content)) },
		"it has no such range":  func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) },
		"it sends another part": func(w http.ResponseWriter, r *http.Request) { part(w, "bytes 0-9/60000", content[:10]) },
		"it sends a part of another file": func(w http.ResponseWriter, r *http.Request) {
			part(w, "bytes 400-409/410", content[:10])
		},
		"it does not say which part":  func(w http.ResponseWriter, r *http.Request) { part(w, "", content[400:]) },
		"it sends a part of the rest": func(w http.ResponseWriter, r *http.Request) { part(w, "bytes 400-409/60000", content[400:410]) },
		"its address has expired":     func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			c := f.client()
			fixture.OK(t, replace(c.blobOf(content)+".incomplete", strings.NewReader(content[:400])))
			f.beforeStore = times(1, answer)
			mustFetch(t, c, talks, "audio/talk.bin", content)
		})
	}
}

func part(w http.ResponseWriter, which, body string) {
	if which != "" {
		w.Header().Set("Content-Range", which)
	}
	w.WriteHeader(http.StatusPartialContent)
	w.Write([]byte(body))
}

func TestWrongBytes(t *testing.T) {
	for _, path := range []string{"audio/talk.bin", "notes/read me.txt"} {
		f := newFake(t)
		c := f.client()
		wrong := func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodHead {
				return false
			}
			w.Write([]byte(strings.Repeat("?", max(len(f.large[path]), len(f.small[path])))))
			return true
		}
		f.beforeStore = wrong
		if f.small[path] != "" {
			f.before = wrong
		}
		_, err := c.File(t.Context(), talks, path)
		mustFail(t, err, omniscope.Malformed, "digest", "proxy or a mirror", "pass it with -r FILE")
		gets := 0
		for _, a := range f.requests() {
			if strings.HasPrefix(a, "GET "+firstCommit) {
				gets++
			}
		}
		if gets != 2 {
			t.Errorf("%s was fetched %d times", path, gets)
		}
		for _, name := range list(t, c.Cache) {
			if !strings.HasSuffix(name, ".incomplete") {
				t.Errorf("%s is left", name)
			}
		}
	}
}

func TestWrongSize(t *testing.T) {
	f := newFake(t)
	f.beforeStore = func(w http.ResponseWriter, _ *http.Request) bool { w.Write([]byte("an error page")); return true }
	_, err := f.client().File(t.Context(), talks, "audio/talk.bin")
	mustFail(t, err, omniscope.Malformed, "13 bytes", "60000")
}

func TestEmptyFile(t *testing.T) {
	f := newFake(t)
	f.small["empty"] = ""
	mustFetch(t, f.client(), talks, "empty", "")
}

func TestSilentServer(t *testing.T) {
	f := newFake(t)
	content := f.large["audio/talk.bin"]
	f.beforeStore = times(1, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		w.Write([]byte(content[:30000]))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c := f.client()
	c.Timeout = 200 * time.Millisecond
	mustFetch(t, c, talks, "audio/talk.bin", content)

	f.before = func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true }
	c.Timeout, c.Cache = 10*time.Millisecond, t.TempDir()
	_, err := c.File(t.Context(), talks, "audio/talk.bin")
	mustFail(t, err, omniscope.Transient, "no connection to 127.0.0.1", "silent", "-r FILE", "HF_ENDPOINT")
}
