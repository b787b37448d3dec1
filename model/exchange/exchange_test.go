package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/model"
)

// server serves an adapter from a handler.
func server(t *testing.T, h http.HandlerFunc) (*Server, string) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return &Server{Shown: "there", Secrets: model.NewRedactor(omniscope.NewSecret("hunter22")), Header: http.Header{"X-Key": {"hunter22"}},
		Refused: func(resp *http.Response, start []byte) error {
			return &omniscope.Error{Kind: omniscope.Denied, Err: fmt.Errorf("%d %s", resp.StatusCode, start)}
		}}, s.URL
}

func TestWhatIsSentAndRead(t *testing.T) {
	s, at := server(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-More", "yes")
		fmt.Fprintf(w, `{"got":"%s %s %s %s %s"}`, r.Method, r.Header.Get("Content-Type"), r.Header.Get("X-Key"), r.Header.Get("X-Own"), body)
	})
	a, err := s.Do(t.Context(), Request{Method: "POST", URL: at, Body: []byte("{}"), Header: http.Header{"X-Own": {"own"}, "X-Key": {"loses"}}, Timeout: time.Minute})
	if err != nil || string(a.Body) != `{"got":"POST application/json hunter22 own {}"}` || !a.Sent || !a.Accepted || a.Header.Get("X-More") != "yes" {
		t.Errorf("%s, %+v, %v", a.Body, a, err)
	}
	a, err = s.Do(t.Context(), Request{Method: "GET", URL: at, Timeout: time.Minute})
	if err != nil || string(a.Body) != `{"got":"GET  hunter22  "}` {
		t.Errorf("without a body: %s, %v", a.Body, err)
	}
}

// TestAnswersUnderOtherNames takes JSON and streams for what they are, and a page for
// what gateways send.
func TestAnswersUnderOtherNames(t *testing.T) {
	for _, c := range []struct{ kind, body, want, says string }{
		{"application/json; charset=utf-8", `{}`, `{}`, ""},
		{"text/plain", " \n{}", " \n{}", ""},
		{"text/plain", "\ufeff{}", "\ufeff{}", ""},
		{"text/plain", "", "", ""},
		{"text/event-stream", "data: a", "data: a", ""},
		{"text/event-stream", "data: a\n\ndata: [DONE]\n", "data: a\n\ndata: [DONE]\n", ""},
		{"text/plain", "data: a", "data: a", ""},
		{"text/html", "<html>hunter22 is away", "", "text/html instead of JSON, as gateways do"},
		{"text/html", strings.Repeat(" ", 100), "", "instead of JSON"},
	} {
		s, at := server(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", c.kind)
			io.WriteString(w, c.body)
		})
		a, err := s.Do(t.Context(), Request{Method: "GET", URL: at, Timeout: time.Minute})
		switch {
		case c.says == "" && (err != nil || string(a.Body) != c.want):
			t.Errorf("%s %q: %q, %v", c.kind, c.body, a.Body, err)
		case c.says != "" && (omniscope.KindOf(err) != omniscope.Transient || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hunter22")):
			t.Errorf("%s %q: %v", c.kind, c.body, err)
		}
	}
}

func TestErrors(t *testing.T) {
	s, at := server(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/refuse":
			http.Error(w, "no", http.StatusForbidden)
		case "/slow":
			select {
			case <-r.Context().Done():
			case <-time.After(time.Second):
			}
		case "/cut":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{"half`)
		}
	})
	do := func(ctx context.Context, path string, timeout time.Duration) (Answer, error) {
		return s.Do(ctx, Request{Method: "POST", URL: at + path, Body: []byte("{}"), Timeout: timeout})
	}
	if a, err := do(t.Context(), "/refuse", time.Minute); omniscope.KindOf(err) != omniscope.Denied || a.Accepted || !a.Sent {
		t.Errorf("refused: %+v, %v", a, err)
	}
	a, err := do(t.Context(), "/slow", 50*time.Millisecond)
	var none *model.Unanswered
	if omniscope.KindOf(err) != omniscope.Transient || !errors.As(err, &none) || !none.Connected || !strings.Contains(err.Error(), "no whole answer within 50ms") || !a.Sent {
		t.Errorf("late: %+v, %v", a, err)
	}
	if a, err := do(t.Context(), "/cut", time.Minute); omniscope.KindOf(err) != omniscope.Transient || !a.Accepted || errors.As(err, &none) {
		t.Errorf("cut: %+v, %v", a, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := do(ctx, "/", time.Minute); !errors.Is(err, context.Canceled) || omniscope.KindOf(err) == omniscope.Transient {
		t.Errorf("ended: %v", err)
	}
	a, err = s.Do(t.Context(), Request{Method: "GET", URL: "http://hunter22.invalid:1/", Timeout: time.Minute})
	if omniscope.KindOf(err) != omniscope.Transient || !errors.As(err, &none) || a.Sent || strings.Contains(err.Error(), "hunter22") || !strings.HasPrefix(err.Error(), "connect to there") {
		t.Errorf("nobody there: %+v, %v", a, err)
	}
}
