package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

func TestFilesLieWhereHuggingfaceHubLooksForThem(t *testing.T) {
	f := newFake(t)
	c := f.client()
	small := mustFetch(t, c, talks, "notes/read me.txt", f.small["notes/read me.txt"])
	large := mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])

	folder := filepath.Join(c.Cache, "datasets--some-org--Talks.v1")
	gitBlob, lfsBlob := gitID(f.small["notes/read me.txt"]), sha256hex.Of(f.large["audio/talk.bin"])
	want := []string{"blobs/" + lfsBlob, "blobs/" + gitBlob, "refs/main",
		"snapshots/" + firstCommit + "/audio/talk.bin", "snapshots/" + firstCommit + "/notes/read me.txt"}
	slices.Sort(want)
	if d := cmp.Diff(want, list(t, folder)); d != "" {
		t.Error(d)
	}
	for blob, local := range map[string]Local{gitBlob: small, lfsBlob: large} {
		target, err := os.Readlink(local.Path)
		if want := "../../../blobs/" + blob; err != nil || filepath.ToSlash(target) != want {
			t.Errorf("link to %s, %v, want %s", target, err, want)
		}
		if local.Commit != firstCommit {
			t.Errorf("commit %s", local.Commit)
		}
		if _, err := os.Stat(filepath.Join(c.Cache, ".locks", "datasets--some-org--Talks.v1", blob+".lock")); err != nil {
			t.Error(err)
		}
	}
	if ref, err := os.ReadFile(filepath.Join(folder, "refs", "main")); string(ref) != firstCommit {
		t.Errorf("the ref is %q, %v", ref, err)
	}
	for _, a := range f.auth {
		if a != "Bearer "+secret {
			t.Errorf("the hub got the authorization %q", a)
		}
	}
}

func TestCachedFile(t *testing.T) {
	f := newFake(t)
	c := f.client()
	content := f.large["audio/talk.bin"]
	mustFetch(t, c, talks, "audio/talk.bin", content)
	f.requests()

	mustFetch(t, c, talks, "audio/talk.bin", content)
	if d := cmp.Diff([]string{"HEAD main audio/talk.bin"}, f.requests()); d != "" {
		t.Errorf("for a branch it asks whether it moved: %s", d)
	}
	at := talks
	at.Revision = firstCommit
	mustFetch(t, c, at, "audio/talk.bin", content)
	if asked := f.requests(); asked != nil {
		t.Errorf("for a commit it asks nothing, not %q", asked)
	}

	f.commit = secondCommit
	if got := mustFetch(t, c, talks, "audio/talk.bin", content); got.Commit != secondCommit {
		t.Errorf("commit %s after the branch moved", got.Commit)
	}
	if d := cmp.Diff([]string{"HEAD main audio/talk.bin"}, f.requests()); d != "" {
		t.Errorf("equal bytes of another commit are there: %s", d)
	}
	f.large["audio/talk.bin"] = "new " + content
	f.commit = firstCommit[1:] + "9"
	mustFetch(t, c, talks, "audio/talk.bin", "new "+content)
	mustFetch(t, c, at, "audio/talk.bin", content)
}

func TestDamagedFile(t *testing.T) {
	f := newFake(t)
	c := f.client()
	got := mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
	fixture.OK(t, os.Truncate(got.Path, 7))
	mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
	fixture.OK(t, os.Remove(c.blobOf(f.large["audio/talk.bin"])))
	mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"]) // its link led nowhere
	if _, err := os.Readlink(got.Path); err != nil {
		t.Error(err)
	}
}

func (c *Client) blobOf(content string) string {
	return filepath.Join(c.Cache, "datasets--some-org--Talks.v1", "blobs", sha256hex.Of(content))
}

func TestWithoutAHubTheCacheWillDo(t *testing.T) {
	for name, answer := range map[string]int{"an error": 500, "too many requests": 429, "no access": 403, "a hotel's page": 200} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			c := f.client()
			mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
			f.requests()
			f.before = func(w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(answer); return true }
			got := mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
			if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "0123456789ab") || !strings.Contains(got.Warnings[0], "main") {
				t.Errorf("warnings %q", got.Warnings)
			}
			if n := len(f.requests()); n != 1 {
				t.Errorf("%d requests though the file is there", n)
			}
		})
	}
	t.Run("but not for those who have left", func(t *testing.T) {
		f := newFake(t)
		c := f.client()
		mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := c.File(ctx, talks, "audio/talk.bin"); err != context.Canceled {
			t.Errorf("%v, %v, want %v", got, err, context.Canceled)
		}
	})
	t.Run("but a file that is gone is told", func(t *testing.T) {
		f := newFake(t)
		c := f.client()
		mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
		delete(f.large, "audio/talk.bin")
		_, err := c.File(t.Context(), talks, "audio/talk.bin")
		mustFail(t, err, omniscope.NotFound, "no file audio/talk.bin at revision main")
	})
}

func TestOffline(t *testing.T) {
	f := newFake(t)
	c := f.client()
	mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
	f.requests()
	c.Offline = true
	if got := mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"]); got.Warnings != nil {
		t.Errorf("warnings %q", got.Warnings)
	}
	_, err := c.File(t.Context(), talks, "notes/read me.txt")
	mustFail(t, err, omniscope.NotFound, c.Cache, "HF_HUB_OFFLINE", f.hub.URL+"/datasets/some-org/Talks.v1/resolve/main/notes/read%20me.txt", "pass it with -r FILE")
	if asked := f.requests(); asked != nil {
		t.Errorf("asked %q", asked)
	}
}

func TestTwoProcessesFetchOnce(t *testing.T) {
	f := newFake(t)
	first, second := f.client(), f.client()
	second.Cache = first.Cache
	began, waited, done := make(chan bool), make(chan bool), make(chan bool)
	f.beforeStore = func(http.ResponseWriter, *http.Request) bool { // the first comes here and stays until the second waits
		close(began)
		<-waited
		return false
	}
	var once sync.Once
	second.wait = func(context.Context, time.Duration) error {
		once.Do(func() { close(waited) })
		<-done
		return nil
	}
	go func() {
		defer close(done)
		if _, err := first.File(t.Context(), talks, "audio/talk.bin"); err != nil {
			t.Error(err)
		}
	}()
	<-began
	mustFetch(t, second, talks, "audio/talk.bin", f.large["audio/talk.bin"])
	got := 0
	for _, asked := range f.requests() {
		if strings.HasPrefix(asked, "GET store") {
			got++
		}
	}
	if got != 1 {
		t.Errorf("fetched %d times", got)
	}
}

func TestClientConcurrently(t *testing.T) {
	f := newFake(t)
	for i := range 8 {
		f.large[fmt.Sprint(i)] = strings.Repeat(fmt.Sprint(i), 5000+i)
	}
	c := f.client()
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			name := fmt.Sprint(i % 8)
			got, err := c.File(t.Context(), talks, name)
			if err != nil {
				t.Error(err)
				return
			}
			if text, err := os.ReadFile(got.Path); string(text) != f.large[name] {
				t.Errorf("%d bytes, %v", len(text), err)
			}
		})
	}
	all.Wait()
}

func TestCopyWithoutLinks(t *testing.T) {
	f := newFake(t)
	c := f.client()
	c.symlink = func(string, string) error { return errors.ErrUnsupported }
	got := mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
	info, err := os.Lstat(got.Path)
	if err != nil || !info.Mode().IsRegular() {
		t.Errorf("%v, %v", info, err)
	}
	if names := list(t, filepath.Dir(got.Path)); len(names) != 1 {
		t.Errorf("left over: %q", names)
	}
}

func TestReadOnlyCache(t *testing.T) {
	f := newFake(t)
	c := f.client()
	mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
	refs := filepath.Join(c.Cache, "datasets--some-org--Talks.v1", "refs")
	if err := errors.Join(os.RemoveAll(refs), os.WriteFile(refs, nil, 0o600)); err != nil { // no folder can be made there
		t.Fatal(err)
	}
	got := mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "offline, revision main") {
		t.Errorf("warnings %q", got.Warnings)
	}
}
