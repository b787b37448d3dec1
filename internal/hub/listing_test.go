package hub

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

func TestListing(t *testing.T) {
	answers := []string{ // the hub is busy first
		"", fmt.Sprintf(`{"sha":%q,"siblings":[{"rfilename":"a/b c.txt","size":7},{"rfilename":"../../etc/passwd","size":1},{"rfilename":"x.bin"}]}`, firstCommit),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/datasets/some-org/Talks.v1/revision/main" || r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("asked for %s by %q", r.URL, r.Header.Get("Authorization"))
		}
		text := answers[0]
		if answers = answers[1:]; text == "" {
			http.Error(w, "busy", http.StatusTooManyRequests)
			return
		}
		fmt.Fprint(w, text)
	}))
	defer server.Close()
	c := &Client{Endpoint: server.URL, Token: omniscope.NewSecret(secret), Cache: t.TempDir(), wait: newFake(t).client().wait}
	commit, files, err := c.List(t.Context(), talks)
	if err != nil || commit != firstCommit || !slices.Equal(files, []Listed{{Path: "a/b c.txt", Size: 7}, {Path: "x.bin", Size: -1}}) {
		t.Errorf("%s, %v, %v", commit, files, err)
	}
	for text, kind := range map[string]omniscope.Kind{"<html>sign in</html>": omniscope.Malformed, `{"sha":"main"}`: omniscope.Malformed} {
		answers = []string{text}
		if _, _, err := c.List(t.Context(), talks); omniscope.KindOf(err) != kind || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want kind %v", text, err, kind)
		}
	}
	c.Offline = true
	if _, _, err := c.List(t.Context(), talks); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("offline: %v", err)
	}
}

func TestFilesOfTheCache(t *testing.T) {
	f := newFake(t)
	c := f.client()
	if folder, names, err := c.CachedFiles(talks); folder != "" || names != nil || err != nil {
		t.Errorf("an empty cache: %q, %q, %v", folder, names, err)
	}
	for _, name := range []string{"notes/read me.txt", "audio/talk.bin"} {
		local, err := c.File(t.Context(), talks, name)
		fixture.OK(t, err)
		if intact, known, err := Intact(local.Path); !intact || !known || err != nil {
			t.Errorf("%s: %v, %v, %v", name, intact, known, err)
		}
	}
	folder, names, err := c.CachedFiles(talks)
	if err != nil || !slices.Equal(names, []string{"audio/talk.bin", "notes/read me.txt"}) {
		t.Errorf("%q, %v", names, err)
	}
	own := filepath.Join(folder, "mine.txt")
	fixture.OK(t, os.WriteFile(own, []byte("x"), 0o600))
	if _, known, err := Intact(own); known || err != nil {
		t.Errorf("a file without a blob: %v, %v", known, err)
	}
}
