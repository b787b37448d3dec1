package openai

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model/exchange"
)

// endless writes a body until the client has gone.
func endless(w http.ResponseWriter, r *http.Request) {
	chunk := []byte(strings.Repeat(" ", 64<<10))
	for r.Context().Err() == nil {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

// TestTooLargeAnswer has bodies without end: reading one whole would
// never come back.
func TestTooLargeAnswer(t *testing.T) {
	for _, c := range []struct {
		name   string
		header http.Header
		status int
		kind   omniscope.Kind
	}{
		{"in chunks", nil, 200, omniscope.Malformed},
		{"of a length that is told", http.Header{"Content-Length": {"10485761"}}, 200, omniscope.Malformed},
		{"not JSON", http.Header{"Content-Type": {"text/html"}}, 200, omniscope.Transient},
		{"an error", nil, 502, omniscope.Transient},
		{"an error of a length that is told", http.Header{"Content-Length": {"99999999999"}}, 401, omniscope.Denied},
		{"a redirect", http.Header{"Location": {"https://example.org/v1"}}, 308, omniscope.Denied},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := serving(t, func(w http.ResponseWriter, r *http.Request) {
				answer(w, c.status, c.header, "")
				endless(w, r)
			}, Options{})
			_, err := ask(t, m)
			fixture.WantError(t, err, c.kind)
			if err := m.Probe(t.Context()); omniscope.KindOf(err) != c.kind {
				t.Errorf("the probe got %v", err)
			}
		})
	}
}

func TestLargestAnswer(t *testing.T) {
	body := completion("yes")
	body += strings.Repeat(" ", endpoint.MostBytes-len(body))
	for _, chunked := range []bool{false, true} {
		m := serving(t, func(w http.ResponseWriter, _ *http.Request) {
			if !chunked {
				w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			}
			answer(w, 200, nil, body)
		}, Options{})
		if resp, err := ask(t, m); err != nil || resp.Text != "yes" {
			t.Errorf("in chunks %v: got %v", chunked, err)
		}
	}
}

// TestAnswersUnderAnyContentType wants an answer whatever it is called: it has
// been paid for.
func TestAnswersUnderAnyContentType(t *testing.T) {
	for _, kind := range []string{
		"application/json", "application/json; charset=utf-8", "application/problem+json", "",
		"text/html", "text/plain", "text/event-stream",
	} {
		resp, err := ask(t, answering(t, 200, http.Header{"Content-Type": {kind}}, "\ufeff"+completion("yes")))
		if err != nil || resp.Text != "yes" {
			t.Errorf("%q: got %v", kind, err)
		}
		if strings.Contains(kind, "json") || kind == "" {
			continue
		}
		_, err = ask(t, answering(t, 200, http.Header{"Content-Type": {kind}}, "<p>Sign in."))
		fixture.WantError(t, err, omniscope.Transient, "Sign in.")
	}
}

// hanging is an endpoint that goes silent after the given part of an answer,
// and tells when it has.
func hanging(t *testing.T, status int, part string, o Options) (*Model, <-chan struct{}) {
	silent := make(chan struct{}, 10)
	return serving(t, func(w http.ResponseWriter, r *http.Request) {
		if status != 0 {
			w.Header().Set("Content-Length", "1000")
			answer(w, status, nil, part)
			w.(http.Flusher).Flush()
		}
		silent <- struct{}{}
		<-r.Context().Done()
	}, o), silent
}

func TestSilence(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		part   string
	}{{"before the answer", 0, ""}, {"after the head", 200, ""}, {"within the answer", 200, `{"id":`}, {"within an error", 500, "oh"}} {
		t.Run("times out "+c.name, func(t *testing.T) {
			m, _ := hanging(t, c.status, c.part, Options{Options: exchange.Options{Timeout: 50 * time.Millisecond}})
			_, err := ask(t, m)
			fixture.WantError(t, err, omniscope.Transient, "no whole answer within 50ms")
			fixture.WantError(t, m.Probe(t.Context()), omniscope.Transient, "no whole answer within 50ms")
		})
		t.Run("is given up "+c.name, func(t *testing.T) {
			m, silent := hanging(t, c.status, c.part, Options{})
			ctx, cancel := context.WithCancel(t.Context())
			go func() { <-silent; cancel() }()
			if _, err := m.Generate(ctx, question()); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the context's own error", err)
			}
		})
		t.Run("ends with the caller's time "+c.name, func(t *testing.T) {
			m, _ := hanging(t, c.status, c.part, Options{})
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := m.Generate(ctx, question()); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want the context's own error", err)
			}
		})
	}
}

func TestSlowDripTimeout(t *testing.T) {
	m := against(t, fake.Config{
		Reply:  fake.FixedReply(strings.Repeat("slow ", 2000)),
		Faults: []fake.Fault{{When: fake.Always(), Do: fake.Drip(5 * time.Millisecond)}},
	}, Options{Options: exchange.Options{Timeout: 50 * time.Millisecond}})
	_, err := ask(t, m)
	fixture.WantError(t, err, omniscope.Transient, "no whole answer within 50ms")
}

func TestNetworkFails(t *testing.T) {
	for name, do := range map[string]fake.Effect{
		"reset":    fake.Reset(0),
		"cut":      fake.CutBody(50),
		"cut soon": fake.CutBody(1),
	} {
		t.Run(name, func(t *testing.T) {
			m := against(t, fake.Config{Faults: []fake.Fault{{When: fake.Always(), Do: do}}}, Options{})
			_, err := ask(t, m)
			fixture.WantError(t, err, omniscope.Transient, m.BaseURL())
		})
	}
}

func TestConnectionRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fixture.OK(t, err)
	l.Close()
	m := mustNew(t, Options{Options: exchange.Options{BaseURL: "http://me:hunter2@" + l.Addr().String() + "/v1?key=hunter2"}})
	_, err = ask(t, m)
	fixture.WantError(t, err, omniscope.Transient, "connect to http://"+l.Addr().String()+"/v1: ", "refused")
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error tells the password: %v", err)
	}
}

func TestRedirects(t *testing.T) {
	strangers := 0
	stranger := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strangers++ }))
	t.Cleanup(stranger.Close)
	for _, c := range []struct {
		name   string
		status int
		to     string
		kind   omniscope.Kind // Internal = an answer
		words  string
	}{
		{"to another server", 307, stranger.URL + "/v1/chat/completions?key=hunter2", omniscope.Denied, "307: it has moved to " + stranger.URL + "/v1/chat/completions, give"},
		{"to another server, as a GET", 302, stranger.URL, omniscope.Denied, stranger.URL},
		{"to another port by name", 308, "//localhost:1/v1", omniscope.Denied, "http://localhost:1/v1"},
		{"to the same server", 307, "/there", omniscope.Internal, ""},
		{"to the same server for good", 308, "/there", omniscope.Internal, ""},
		{"to the same server, as a GET", 301, "/there", omniscope.Denied, "/there"},
		{"round and round", 307, "/v1/chat/completions", omniscope.Denied, "307"},
		{"nowhere", 307, "", omniscope.Denied, "307"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := serving(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/there" {
					if r.Method != http.MethodPost || r.ContentLength == 0 || !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
						t.Errorf("got %s of %d bytes, authorized by %q", r.Method, r.ContentLength, r.Header.Get("Authorization"))
					}
					answer(w, 200, nil, completion("yes"))
					return
				}
				if c.to != "" {
					w.Header().Set("Location", c.to)
				}
				answer(w, c.status, nil, "")
			}, Options{})
			_, err := ask(t, m)
			if c.kind == omniscope.Internal {
				if err != nil {
					t.Error(err)
				}
				return
			}
			fixture.WantError(t, err, c.kind, c.words)
		})
	}
	if strangers > 0 {
		t.Errorf("%d requests went to another server", strangers)
	}
}

func TestConnectionReuse(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		kind   string
		body   string
	}{
		"an answer":        {200, "application/json", completion("yes")},
		"a long answer":    {200, "application/json", completion(strings.Repeat("again ", 10000))},
		"broken JSON":      {200, "application/json", completion("yes")[:40]},
		"no choices":       {200, "application/json", `{"choices":[]}`},
		"a page":           {200, "text/html", strings.Repeat("<p>", 10000)},
		"nothing":          {200, "application/json", ""},
		"an error":         {400, "application/json", said("no", "", "")},
		"an error, a page": {502, "text/html", strings.Repeat("<p>", 10000)},
		"an empty error":   {500, "", ""},
	} {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, in chunks %v", name, chunked), func(t *testing.T) {
				connections := map[string]bool{}
				m := serving(t, func(w http.ResponseWriter, r *http.Request) {
					connections[r.RemoteAddr] = true
					if !chunked {
						w.Header().Set("Content-Length", fmt.Sprint(len(c.body)))
					}
					w.Header().Set("Content-Type", c.kind)
					w.WriteHeader(c.status)
					w.(http.Flusher).Flush()
					w.Write([]byte(c.body))
				}, Options{})
				for range 3 {
					ask(t, m)
				}
				if len(connections) != 1 {
					t.Errorf("3 calls took %d connections", len(connections))
				}
			})
		}
	}
}

// TestNoLeaks wants no goroutine and no open connection after calls
// that failed in every way.
func TestNoLeaks(t *testing.T) {
	before := runtime.NumGoroutine()
	s := fake.Start(t, fake.Config{
		Reply: fake.FixedReply(strings.Repeat("a", 1000)),
		Faults: []fake.Fault{
			{When: fake.Containing("reset"), Do: fake.Reset(0)},
			{When: fake.Containing("cut"), Do: fake.CutBody(100)},
			{When: fake.Containing("hang"), Do: fake.Delayed(time.Hour)},
			{When: fake.Containing("drip"), Do: fake.Drip(time.Hour)},
			{When: fake.Containing("huge"), Do: fake.Huge(11 << 20)},
			{When: fake.Containing("page"), Do: fake.HTMLPage()},
			{When: fake.Containing("error"), Do: fake.ServerError(500)},
		},
	})
	m := mustNew(t, Options{Options: exchange.Options{BaseURL: s.URL(), Timeout: 100 * time.Millisecond}})
	var calls sync.WaitGroup
	for _, fault := range []string{"reset", "cut", "hang", "drip", "huge", "page", "error", "none"} {
		for range 8 {
			calls.Go(func() {
				req := question()
				req.Model = fault
				if _, err := m.Generate(t.Context(), req); fault != "none" && err == nil {
					t.Errorf("%s: got an answer", fault)
				}
			})
		}
	}
	calls.Wait()
	s.Close() // which ends the connections that are kept
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func TestModels(t *testing.T) {
	m := against(t, fake.Config{Model: "judge", APIKey: "sk-0123456789"}, Options{})
	_, err := m.Models(t.Context())
	fixture.WantError(t, err, omniscope.Denied, "401")
	m = answering(t, 200, nil, `{"data":[{"id":"a"},{"id":"b"}]}`)
	if names, err := m.Models(t.Context()); err != nil || fmt.Sprint(names) != "[a b]" {
		t.Errorf("got %v %v", names, err)
	}
	m = answering(t, 200, nil, `{"data":`)
	fixture.WantError(t, m.Probe(t.Context()), omniscope.Transient, "not the JSON", `{"data":`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Probe(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
