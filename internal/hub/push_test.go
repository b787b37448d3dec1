package hub

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

var target = Repo{Kind: "dataset", Name: "some-org/runs"}

// pushHub starts a hub with an almost empty repository, and a client that waits for nothing.
func pushHub(t *testing.T) (*fake.Hub, *Client) {
	h := (&fake.Hub{Token: secret}).Start(t)
	h.Make(target.Name, map[string]string{".gitattributes": "x\n"})
	return h, &Client{Endpoint: h.URL(), Token: omniscope.NewSecret(secret), Cache: t.TempDir(),
		wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
}

func addition(path, content string) Addition {
	return Addition{Path: path, Size: int64(len(content)), SHA256: sha256hex.Of(content),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}

var (
	smallText = `{"score": 0.5}` + "\n"
	largeText = strings.Repeat("a row of a table\n", 500)
)

func twoFiles() []Addition {
	return []Addition{addition("runs/a b/results.json", smallText), addition("data/scores.parquet", largeText), addition("empty.txt", "")}
}

func mustHave(t *testing.T, h *fake.Hub, commits int) {
	t.Helper()
	files := h.Files(target.Name)
	if files["runs/a b/results.json"] != smallText || files["data/scores.parquet"] != largeText || files[".gitattributes"] != "x\n" {
		t.Errorf("the repository has %d files, not those that were pushed", len(files))
	}
	if _, there := files["empty.txt"]; !there {
		t.Error("the empty file is not there")
	}
	if n := len(h.Commits(target.Name)); n != commits {
		t.Errorf("there are %d commits, want %d: %q", n, commits, h.Commits(target.Name))
	}
}

func TestPushIsOneCommit(t *testing.T) {
	for name, chunk := range map[string]int{"in one piece": 0, "in parts": 1000} {
		t.Run(name, func(t *testing.T) {
			h, c := pushHub(t)
			h.ChunkFrom = chunk
			parent, _, err := c.ListTarget(t.Context(), target)
			fixture.OK(t, err)
			commit, err := c.Push(t.Context(), target, Push{Parent: parent, Summary: "Two runs", Files: twoFiles()})
			fixture.OK(t, err)
			mustHave(t, h, 2)
			now, files, err := c.ListTarget(t.Context(), target)
			if err != nil || now != commit || now == parent {
				t.Errorf("the revision is at %s, the push says %s: %v", now, commit, err)
			}
			for _, f := range twoFiles() {
				i := slices.IndexFunc(files, func(l Listed) bool { return l.Path == f.Path })
				if same, err := f.Same(files[i]); !same || err != nil {
					t.Errorf("%s is not known to be the same: %v", f.Path, err)
				}
			}
			other := addition("runs/a b/results.json", strings.Replace(smallText, "5", "6", 1))
			i := slices.IndexFunc(files, func(l Listed) bool { return l.Path == other.Path })
			if same, err := other.Same(files[i]); same || err != nil {
				t.Errorf("another text is taken for the same: %v", err)
			}
		})
	}
}

// fails acts the first n times that the hub is asked for something.
func fails(what string, n int, act http.HandlerFunc) []fake.Fault {
	return []fake.Fault{{When: fake.First(n, fake.On(what)), Do: fake.Handle(act)}}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(code)
	}
}

func drop(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func TestPushOutlastsPassingFailures(t *testing.T) {
	for _, what := range []string{"preupload", "batch", "put", "verify", "commit"} {
		for name, act := range map[string]http.HandlerFunc{"429": status(429), "500": status(500), "503": status(503), "dropped": drop} {
			t.Run(what+" "+name, func(t *testing.T) {
				h, c := pushHub(t)
				h.Faults = fails(what, 2, act)
				if _, err := c.Push(t.Context(), target, Push{Summary: "x", Files: twoFiles()}); err != nil {
					t.Fatal(err)
				}
				mustHave(t, h, 2)
			})
		}
	}
}

func TestRetryAfterIsObeyed(t *testing.T) {
	h, c := pushHub(t)
	h.Faults = fails("commit", 1, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "77")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	var waited time.Duration
	c.wait = func(_ context.Context, d time.Duration) error { waited = d; return nil }
	if _, err := c.Push(t.Context(), target, Push{Summary: "x", Files: twoFiles()}); err != nil || waited != 77*time.Second {
		t.Errorf("waited %s, %v", waited, err)
	}
}

// A commit whose answer is lost was made once, and is found.
func TestCommitWithoutAnswer(t *testing.T) {
	h, c := pushHub(t)
	parent, _, err := c.ListTarget(t.Context(), target)
	fixture.OK(t, err)
	lost := false
	c.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err == nil && strings.Contains(r.URL.Path, "/commit/") && !lost {
			lost = true
			resp.Body.Close()
			return nil, io.ErrUnexpectedEOF
		}
		return resp, err
	})
	commit, err := c.Push(t.Context(), target, Push{Parent: parent, Summary: "x", Files: twoFiles()})
	fixture.OK(t, err)
	mustHave(t, h, 2)
	if now, _, _ := c.ListTarget(t.Context(), target); now != commit {
		t.Errorf("the commit is %s, the push says %s", now, commit)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestPushFailuresSayWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		faults []fake.Fault
		kind   omniscope.Kind
		tells  []string
	}{
		"401":          {fails("preupload", 99, status(401)), omniscope.Denied, []string{"push to dataset some-org/runs", "may write to some-org/runs"}},
		"403":          {fails("commit", 99, status(403)), omniscope.Denied, []string{"the right to write"}},
		"409 for ever": {fails("commit", 99, status(409)), omniscope.Transient, []string{"another push", "run the same command again"}},
		"503 for ever": {fails("batch", 99, status(503)), omniscope.Transient, []string{"503", "upload the files yourself at"}},
		"429 for an hour": {fails("commit", 99, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(429)
		}), omniscope.Transient, []string{"429"}},
		"400 with a reason": {fails("commit", 99, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(400)
			fmt.Fprint(w, `{"error":"README.md: the YAML header cannot be read"}`)
		}), omniscope.Invalid, []string{"the YAML header cannot be read"}},
		"no hub at all": {fails("preupload", 99, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>sign in") }), omniscope.Malformed, []string{"HF_ENDPOINT"}},
		"moved": {fails("preupload", 99, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}), omniscope.Invalid, []string{"another name"}},
		"no way to upload": {fails("batch", 99, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"objects":[]}`) }), omniscope.Malformed, []string{"data/scores.parquet"}},
		"an object refused": {fails("batch", 99, func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"objects":[{"oid":%q,"size":1,"error":{"code":422,"message":"too large"}}]}`, sha256hex.Of(largeText))
		}), omniscope.Invalid, []string{"too large", "data/scores.parquet"}},
		"an address of http:": {fails("batch", 99, func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"objects":[{"oid":%q,"size":1,"actions":{"upload":{"href":"ftp://x/"}}}]}`, sha256hex.Of(largeText))
		}), omniscope.Malformed, []string{"not encrypted"}},
	} {
		t.Run(name, func(t *testing.T) {
			h, client := pushHub(t)
			h.Faults = c.faults
			_, err := client.Push(t.Context(), target, Push{Summary: "x", Files: twoFiles()})
			mustFail(t, err, c.kind, c.tells...)
			if n := len(h.Commits(target.Name)); n != 1 {
				t.Errorf("there are %d commits", n)
			}
		})
	}
}

func TestSomebodyElsesCommit(t *testing.T) {
	h, c := pushHub(t)
	parent, _, err := c.ListTarget(t.Context(), target)
	fixture.OK(t, err)
	h.Commit(target.Name, "notes.txt", "mine")
	_, err = c.Push(t.Context(), target, Push{Parent: parent, Summary: "x", Files: twoFiles()})
	mustFail(t, err, omniscope.Invalid, "another commit meanwhile", "run the same command again")
	if files := h.Files(target.Name); len(files) != 2 {
		t.Errorf("%d files are visible", len(files))
	}
}

// What was uploaded before a failure is not uploaded again, and is not visible before
// the commit.
func TestPushGoesOn(t *testing.T) {
	h, c := pushHub(t)
	h.Faults = fails("commit", 99, status(500))
	if _, err := c.Push(t.Context(), target, Push{Summary: "x", Files: twoFiles()}); err == nil {
		t.Fatal("no error")
	}
	if files := h.Files(target.Name); len(files) != 1 || !slices.Contains(h.Objects(), sha256hex.Of(largeText)) {
		t.Errorf("%d files are visible; objects %q", len(files), h.Objects())
	}
	h.Faults = nil
	h.Asked()
	if _, err := c.Push(t.Context(), target, Push{Summary: "x", Files: twoFiles()}); err != nil {
		t.Fatal(err)
	}
	if asked := h.Asked(); slices.Contains(asked, "put") {
		t.Errorf("an object that is there was sent again: %q", asked)
	}
	mustHave(t, h, 2)
}

// A file that was changed after its digest was taken is not committed, small or large.
func TestChangedFileIsNotPushed(t *testing.T) {
	for _, text := range []string{smallText, largeText} {
		h, c := pushHub(t)
		changed := addition("x", strings.ToUpper(text))
		changed.SHA256 = sha256hex.Of(text)
		_, err := c.Push(t.Context(), target, Push{Summary: "x", Files: []Addition{changed}})
		mustFail(t, err, omniscope.Invalid, "x was changed while it was being pushed")
		short := addition("x", text[:len(text)-1])
		short.Size, short.SHA256 = int64(len(text)), sha256hex.Of(text)
		_, err = c.Push(t.Context(), target, Push{Summary: "x", Files: []Addition{short}})
		mustFail(t, err, omniscope.Invalid, "x was changed while it was being pushed")
		if files := h.Files(target.Name); len(files) != 1 {
			t.Errorf("%d files", len(files))
		}
	}
}

func TestCreateRepository(t *testing.T) {
	h, c := pushHub(t)
	fresh := Repo{Kind: "dataset", Name: "some-org/fresh"}
	_, _, err := c.ListTarget(t.Context(), fresh)
	mustFail(t, err, omniscope.NotFound, "--create")
	for range 2 { // the second time it is there
		fixture.OK(t, c.Create(t.Context(), fresh, true))
	}
	if !h.Private(fresh.Name) || h.Files(fresh.Name) == nil {
		t.Error("it is not there, or not private")
	}
}

func TestPushOffline(t *testing.T) {
	_, c := pushHub(t)
	c.Offline = true
	_, err := c.Push(t.Context(), target, Push{})
	mustFail(t, err, omniscope.Usage, "HF_HUB_OFFLINE")
}

// An object that a proxy damages on its way is sent again.
func TestDamagedObject(t *testing.T) {
	h, c := pushHub(t)
	damaged := false
	c.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPut && !damaged {
			damaged = true
			text, _ := io.ReadAll(r.Body)
			text[0] ^= 1
			r.Body = io.NopCloser(strings.NewReader(string(text)))
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	if _, err := c.Push(t.Context(), target, Push{Summary: "x", Files: twoFiles()}); err != nil || !damaged {
		t.Fatal(damaged, err)
	}
	mustHave(t, h, 2)
}

// TestInterruptedPush interrupts a push at each step: the data set stays as it was, and the same push then succeeds.
func TestInterruptedPush(t *testing.T) {
	for _, what := range []string{"preupload", "put", "commit"} {
		h, c := pushHub(t)
		ctx, cancel := context.WithCancel(t.Context())
		h.Faults = fails(what, 1, func(http.ResponseWriter, *http.Request) {
			cancel()
			panic(http.ErrAbortHandler)
		})
		if _, err := c.Push(ctx, target, Push{Summary: "x", Files: twoFiles()}); err != context.Canceled {
			t.Errorf("%s: %v", what, err)
		}
		if files := h.Files(target.Name); len(files) != 1 {
			t.Errorf("%s: %d files can be seen", what, len(files))
		}
		if _, err := c.Push(t.Context(), target, Push{Summary: "x", Files: twoFiles()}); err != nil {
			t.Fatal(err)
		}
		mustHave(t, h, 2)
	}
}
