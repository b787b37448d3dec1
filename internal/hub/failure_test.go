package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"omniscope"
)

func TestRefusalAdvice(t *testing.T) {
	for name, c := range map[string]struct {
		status    int
		code      string
		anonymous bool
		kind      omniscope.Kind
		tells     []string
	}{
		"gated, without a token": {401, "GatedRepo", true, omniscope.Denied, []string{
			"accept the conditions at HUB/datasets/some-org/Talks.v1, and set HF_TOKEN", "HUB/settings/tokens"}},
		"gated, with a token":     {403, "GatedRepo", false, omniscope.Denied, []string{"accept the conditions at HUB/datasets/some-org/Talks.v1", "HF_TOKEN is valid"}},
		"hidden, without a token": {401, "RepoNotFound", true, omniscope.Denied, []string{"set HF_TOKEN", "name is right"}},
		"hidden, with a token":    {401, "", false, omniscope.Denied, []string{"HF_TOKEN is valid and may read some-org/Talks.v1"}},
		"no repository":           {404, "RepoNotFound", false, omniscope.NotFound, []string{"no dataset some-org/Talks.v1, or it is private"}},
		"no revision":             {404, "RevisionNotFound", false, omniscope.NotFound, []string{"no revision main", "HUB/datasets/some-org/Talks.v1/tree/main"}},
		"no file":                 {404, "EntryNotFound", false, omniscope.NotFound, []string{"no file a.xml at revision main"}},
		"nothing":                 {404, "", false, omniscope.NotFound, []string{"no file a.xml"}},
		"too many requests":       {429, "", false, omniscope.Transient, []string{"again later", "HUB/datasets/some-org/Talks.v1/resolve/main/a.xml yourself and pass it with -r FILE"}},
		"too many, anonymous":     {429, "", true, omniscope.Transient, []string{"set HF_TOKEN"}},
		"out of order":            {503, "", false, omniscope.Transient, []string{"503 service unavailable", "again later"}},
		"some other refusal":      {451, "", false, omniscope.Internal, []string{"451 unavailable for legal reasons", "yourself and pass it with -r FILE"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.before = func(w http.ResponseWriter, r *http.Request) bool {
				w.Header().Set("X-Error-Code", c.code)
				w.WriteHeader(c.status)
				return true
			}
			client := f.client()
			if c.anonymous {
				client.Token = omniscope.Secret{}
			}
			_, err := client.File(t.Context(), talks, "a.xml")
			for i, what := range c.tells {
				c.tells[i] = strings.ReplaceAll(what, "HUB", f.hub.URL)
			}
			mustFail(t, err, c.kind, append(c.tells, "download a.xml of dataset some-org/Talks.v1")...)
		})
	}
}

func TestWithoutAConnection(t *testing.T) {
	f := newFake(t)
	c := f.client()
	f.hub.Close()
	_, err := c.File(t.Context(), talks, "a.xml")
	mustFail(t, err, omniscope.Transient, "no connection to "+strings.TrimPrefix(f.hub.URL, "http://"), "refused",
		"download "+f.hub.URL+"/datasets/some-org/Talks.v1/resolve/main/a.xml yourself and pass it with -r FILE, or set HF_ENDPOINT to a mirror")

	f = newFake(t)
	c = f.client()
	f.store.Close()
	_, err = c.File(t.Context(), talks, "audio/talk.bin")
	mustFail(t, err, omniscope.Transient, "no connection to "+strings.TrimPrefix(f.store.URL, "http://"))
}

func TestUntrustedCertificate(t *testing.T) {
	f := newFake(t)
	f.hub.Close()
	asked := 0
	c := f.client()
	c.Transport = transport(func(r *http.Request) (*http.Response, error) {
		asked++
		return nil, untrusted
	})
	_, err := c.File(t.Context(), talks, "a.xml")
	mustFail(t, err, omniscope.Transient, "certificate")
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

func TestTroubleWithTheDisk(t *testing.T) {
	task := &task{Client: &Client{Cache: "the/cache"}}
	for _, c := range []struct {
		err   error
		kind  omniscope.Kind
		tells string
	}{
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, omniscope.Internal, "the disk of the/cache is full: make room"},
		{&fs.PathError{Op: "write", Path: "x", Err: syscall.EDQUOT}, omniscope.Internal, "what was received is kept"},
		{&os.LinkError{Op: "rename", Old: "x", New: "y", Err: syscall.EACCES}, omniscope.Denied, "a folder that you may write to"},
		{&fs.PathError{Op: "mkdir", Path: "x", Err: syscall.EROFS}, omniscope.Denied, "a folder that you may write to"},
		{errors.New("input/output error"), omniscope.Internal, "input/output error: set HF_HOME"},
	} {
		f, ok := errors.AsType[*failure](task.disk(fmt.Errorf("outer: %w", c.err)))
		if !ok || f.kind != c.kind || !strings.Contains(f.Error(), c.tells) || f.again {
			t.Errorf("%v becomes %+v, want kind %s and %q", c.err, f, c.kind, c.tells)
		}
	}
	if err := task.disk(nil); err != nil {
		t.Error(err)
	}
}
