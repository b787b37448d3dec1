package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"omniscope"
)

var untrusted = &tls.CertificateVerificationError{Err: errors.New("x509: certificate signed by unknown authority")}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func TestWaitsBetweenTries(t *testing.T) {
	var waits []time.Duration
	f := newFake(t)
	c := f.client()
	c.wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }

	f.before = times(4, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	mustFetch(t, c, talks, "notes/read me.txt", f.small["notes/read me.txt"])
	if d := cmp.Diff([]time.Duration{1e9, 2e9, 4e9, 8e9}, waits); d != "" {
		t.Errorf("they grow: %s", d)
	}

	waits = nil
	f.before = times(2, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "17")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
	if d := cmp.Diff([]time.Duration{17e9, 17e9}, waits); d != "" {
		t.Errorf("the server's wish goes first: %s", d)
	}

	waits, f.commit = nil, secondCommit
	f.before = func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	}
	c.Cache = t.TempDir()
	_, err := c.File(t.Context(), talks, "audio/talk.bin")
	mustFail(t, err, omniscope.Transient, "429 too many requests", "again in 1h0m0s")
	if own, _ := errors.AsType[*omniscope.Error](err); waits != nil || own.RetryAfter != time.Hour {
		t.Errorf("an hour is for the caller: waited %v, told %v", waits, own.RetryAfter)
	}
}

func TestAskedWait(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"Retry-After: ": 0, "Retry-After: 3": 3e9, "Retry-After: 0.5": 5e8, "Retry-After: -1": 0, "Retry-After: NaN": 0, "Retry-After: soon": 0, "Retry-After: 9e99": 1e15,
		"Retry-After: Fri, 01 May 2026 12:00:20 GMT": 20e9, "Retry-After: Fri, 01 May 2026 11:00:00 GMT": 0,
		`RateLimit: "api";r=0;t=5`: 5e9, `RateLimit: "api";r=499;t=5`: 0, `RateLimit-Policy: "fixed window";"api";q=500;w=300`: 0, "X-RateLimit-Reset: 7": 7e9,
	} {
		name, value, _ := strings.Cut(header, ": ")
		resp := &http.Response{StatusCode: http.StatusTooManyRequests, Header: make(http.Header)}
		resp.Header.Set(name, value)
		if got := askedWait(resp, now); got != want {
			t.Errorf("%q is %v, want %v", header, got, want)
		}
	}
}

func TestWaitEndsWithContext(t *testing.T) {
	f := newFake(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.before = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusBadGateway)
		cancel()
		return true
	}
	c := f.client()
	c.wait = nil
	if _, err := c.File(ctx, talks, "audio/talk.bin"); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

func TestPause(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	waiting := &task{Client: &Client{}}
	if err := waiting.pause(ctx, time.Nanosecond); err != nil {
		t.Error(err)
	}
	cancel()
	if err := waiting.pause(ctx, time.Hour); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

func TestEtagsOfManyForms(t *testing.T) {
	const words = "a few words\n"
	for _, form := range []string{`"%s"`, `W/"%s"`, `%s`} {
		f := newFake(t)
		f.before = func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("X-Repo-Commit", firstCommit)
			w.Header().Set("ETag", fmt.Sprintf(form, gitID(words)))
			fmt.Fprint(w, words)
			return true
		}
		mustFetch(t, f.client(), talks, "words.txt", words)
	}
}

func TestNotAHub(t *testing.T) {
	good := http.Header{"X-Repo-Commit": {firstCommit}, "Etag": {gitID("12345")}, "Content-Length": {"5"}}
	for name, change := range map[string]func(http.Header){
		"no commit":           func(h http.Header) { h.Del("X-Repo-Commit") },
		"a path as commit":    func(h http.Header) { h.Set("X-Repo-Commit", "../../../etc") },
		"no etag":             func(h http.Header) { h.Del("ETag") },
		"a path as etag":      func(h http.Header) { h.Set("X-Linked-Etag", "../../../../x") },
		"an etag of its own":  func(h http.Header) { h.Set("ETag", `"5f3a-1b"`) },
		"a size of its own":   func(h http.Header) { h.Set("X-Linked-Size", "many") },
		"a size below zero":   func(h http.Header) { h.Set("X-Linked-Size", "-5") },
		"a redirect, no size": func(h http.Header) { h.Set("Location", "http://elsewhere.test/") },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.before = func(w http.ResponseWriter, r *http.Request) bool {
				h := good.Clone()
				change(h)
				for k := range h {
					w.Header()[k] = h[k]
				}
				if h.Get("Location") != "" {
					w.WriteHeader(http.StatusFound)
				}
				return true
			}
			_, err := f.client().File(t.Context(), talks, "a.xml")
			mustFail(t, err, omniscope.Malformed, "does not answer as the hub does", "HF_ENDPOINT", "pass it with -r FILE")
		})
	}
	t.Run("another commit than was asked for", func(t *testing.T) {
		f := newFake(t)
		f.before = func(w http.ResponseWriter, _ *http.Request) bool {
			for k := range good {
				w.Header()[k] = good[k]
			}
			return true
		}
		other := talks
		other.Revision = secondCommit
		_, err := f.client().File(t.Context(), other, "a.xml")
		mustFail(t, err, omniscope.Malformed, "does not answer as the hub does")
	})
}

func TestRedirects(t *testing.T) {
	to := func(location string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("X-Repo-Commit", firstCommit)
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusMovedPermanently)
			return true
		}
	}
	f := newFake(t)
	f.before = to("/datasets/some-org/Talks.v1/resolve/main/a.xml")
	_, err := f.client().File(t.Context(), talks, "a.xml")
	mustFail(t, err, omniscope.Malformed, "redirects more than 10 times")
	for _, location := range []string{"ftp://elsewhere.test/Signature", "http://[::1/Signature", "file:///etc/passwd"} {
		f.before = to(location)
		_, err := f.client().File(t.Context(), talks, "a.xml")
		mustFail(t, err, omniscope.Malformed, "redirects to what is no address, or is not encrypted")
	}

	// A renamed repository, by an absolute address of the same server.
	f = newFake(t)
	f.before = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "Old") {
			return false
		}
		return to(f.hub.URL+strings.Replace(r.URL.Path, "Old", "Talks.v1", 1))(w, r)
	}
	old := talks
	old.Name = "some-org/Old"
	mustFetch(t, f.client(), old, "audio/talk.bin", f.large["audio/talk.bin"])
	for _, a := range f.auth {
		if a != "Bearer "+secret {
			t.Errorf("authorization %q", a)
		}
	}
}

func TestRedirectToPlainHTTP(t *testing.T) {
	c := &Client{Cache: t.TempDir(), Transport: transport(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 302, Header: http.Header{"Location": {"http://huggingface.co/"}}, Body: http.NoBody, Request: r}, nil
	})}
	_, err := c.File(t.Context(), talks, "a.xml")
	mustFail(t, err, omniscope.Malformed, "not encrypted")
}

func TestMirrorPasswordScope(t *testing.T) {
	f := newFake(t)
	c := f.client()
	c.Endpoint = strings.Replace(f.hub.URL, "http://", "http://me:hunter2hunter2@", 1) + "/"
	mustFetch(t, c, talks, "audio/talk.bin", f.large["audio/talk.bin"])
	mustFetch(t, c, talks, "notes/read me.txt", f.small["notes/read me.txt"]) // after a redirect as well
	if i := slices.IndexFunc(f.auth, func(a string) bool { return !strings.HasPrefix(a, "Basic ") }); i >= 0 {
		t.Errorf("authorization %q", f.auth[i])
	}
	if u := c.URL(talks, "a.xml"); u != f.hub.URL+"/datasets/some-org/Talks.v1/resolve/main/a.xml" {
		t.Errorf("URL %s", u)
	}
	_, err := c.File(t.Context(), talks, "a.xml")
	mustFail(t, err, omniscope.NotFound)
	f.hub.Close()
	_, err = c.File(t.Context(), talks, "a.xml")
	mustFail(t, err, omniscope.Transient)
	c.Transport = transport(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("they said " + secret + " and hunter2hunter2")
	})
	_, err = c.File(t.Context(), talks, "a.xml")
	mustFail(t, err, omniscope.Transient, "they said [secret] and [secret]")
}
