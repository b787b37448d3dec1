package fake

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
)

// TestEffects checks what a client gets of each effect, and what is counted.
func TestEffects(t *testing.T) {
	const text = "an ordinary answer of some length"
	for _, test := range []struct {
		name   string
		effect Effect
		status int
		counts int // in Stats.Answered
		check  func(*answered) bool
	}{
		{"429 seconds", RateLimited("2"), 429, 0, func(a *answered) bool {
			return a.Header.Get("Retry-After") == "2" && *a.Error.Code == "rate_limit_exceeded"
		}},
		{"429 bare", RateLimited(""), 429, 0, func(a *answered) bool {
			return len(a.Header.Values("Retry-After")) == 0 && a.Error.Type == "requests"
		}},
		{"429 date", RateLimitedUntil(90 * time.Second), 429, 0, func(a *answered) bool {
			at, err := http.ParseTime(a.Header.Get("Retry-After"))
			left := time.Until(at)
			return err == nil && left > 30*time.Second && left <= 90*time.Second
		}},
		{"503", ServerError(503), 503, 0, func(a *answered) bool { return a.Error.Type == "server_error" }},
		{"drip", Drip(time.Microsecond), 200, 1, func(a *answered) bool { return a.content() == text }},
		{"html", HTMLPage(), 200, 0, func(a *answered) bool {
			return strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") && strings.Contains(string(a.body), "<html>")
		}},
		{"huge", Huge(11 << 20), 200, 1, func(a *answered) bool { return len(a.content()) == 11<<20 }},
		{"error inside", ErrorInside(), 200, 0, func(a *answered) bool { return a.Error != nil && a.Choices == nil }},
		{"no choices", EmptyChoices(), 200, 0, func(a *answered) bool { return a.Choices != nil && len(a.Choices) == 0 }},
		{"null content", NullContent(), 200, 0, func(a *answered) bool {
			return len(a.Choices) == 1 && a.Choices[0].Message.Content == nil && a.Model == "test/model"
		}},
		{"refusal", Refuse("I would rather not."), 200, 1, func(a *answered) bool {
			m := a.Choices[0].Message
			return m.Content == nil && *m.Refusal == "I would rather not."
		}},
		{"length", Finish("length"), 200, 1, func(a *answered) bool {
			return a.Choices[0].FinishReason == "length" && a.content() == text[:len(text)/2]
		}},
		{"filter", Finish("content_filter"), 200, 1, func(a *answered) bool {
			return a.Choices[0].FinishReason == "content_filter" && a.content() == ""
		}},
		{"schema", SchemaUnsupported(), 400, 0, func(a *answered) bool {
			return *a.Error.Param == "response_format" && strings.Contains(a.Error.Message, "response_format")
		}},
		{"context", ContextExceeded(4096), 400, 0, func(a *answered) bool {
			return *a.Error.Code == "context_length_exceeded" && strings.Contains(a.Error.Message, "4096 tokens")
		}},
		{"413", BodyTooLarge(), 413, 0, func(a *answered) bool { return a.Error != nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := Start(t, Config{
				Reply:  FixedReply(text),
				Faults: []Fault{{When: Between(1, 1), Do: test.effect}},
			})
			c := newClient(t)
			a := mustPost(t, c, s, request("x"))
			if a.StatusCode != test.status || !test.check(a) {
				t.Errorf("%d %.300s", a.StatusCode, a.body)
			}
			if st := s.Stats(); st.Answered != test.counts || st.Distinct != test.counts || st.Status[test.status] != 1 {
				t.Errorf("stats %+v", st)
			}
			if next := mustPost(t, c, s, request("x")); next.content() != text {
				t.Errorf("the next answer is %q", next.content())
			}
			if n := s.Stats().Connections; n != 1 {
				t.Errorf("%d connections: the fault ended one", n)
			}
		})
	}
}

func TestReset(t *testing.T) {
	s := Start(t, Config{Faults: []Fault{{When: Between(2, 2), Do: Reset(time.Millisecond)}}})
	c := newClient(t)
	mustPost(t, c, s, request("x"))
	if _, err := post(c, s, request("x")); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("got %v, want a reset connection", err)
	}
	mustPost(t, c, s, request("x"))
	if st := s.Stats(); st.Resets != 1 || st.Requests != 3 || st.Answered != 2 || st.MostPerIdentity != 2 {
		t.Errorf("stats %+v", st)
	}
}

func TestCutBody(t *testing.T) {
	s := Start(t, Config{Faults: []Fault{
		{When: Between(1, 1), Do: CutBody(20)},
		{When: Between(2, 2), Do: CutBody(1 << 20)},
	}})
	c := newClient(t)
	a, err := post(c, s, request("x"))
	if !errors.Is(err, io.ErrUnexpectedEOF) || a.StatusCode != 200 || len(a.body) != 20 {
		t.Errorf("got %q, %v", a.body, err)
	}
	if st := s.Stats(); st.Broken != 1 || st.Answered != 0 || st.Status[200] != 1 {
		t.Errorf("stats %+v", st)
	}
	mustPost(t, c, s, request("x")) // shorter than the cut: whole
	if st := s.Stats(); st.Broken != 1 || st.Answered != 1 {
		t.Errorf("stats %+v", st)
	}
}

// TestUnread checks that an answer the client does not take is not counted.
func TestUnread(t *testing.T) {
	huge := make([]byte, 32<<20) // more than the buffers of a connection hold
	s := Start(t, Config{Reply: func(*Request) Reply { return Reply{Body: huge} }})
	resp, err := newClient(t).Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(request("x")))
	fixture.OK(t, err)
	resp.Body.Close()
	eventually(t, "the write to fail", func() bool { return s.Stats().Broken == 1 })
	if st := s.Stats(); st.Answered != 0 || st.Distinct != 0 || st.MostPerIdentity != 0 {
		t.Errorf("stats %+v", st)
	}
}

// picked returns the numbers of the requests, out of n, that a When picks.
// bodyOf makes the bodies.
func picked(when When, n int, every time.Duration, bodyOf func(n int) string) string {
	var out []string
	for i := 1; i <= n; i++ {
		body := []byte(bodyOf(i))
		r := &Request{Route: "chat", N: i, Body: body, Identity: hashBody(body), Elapsed: time.Duration(i-1) * every}
		if when(r) {
			out = append(out, fmt.Sprint(i))
		}
	}
	return strings.Join(out, " ")
}

func TestWhens(t *testing.T) {
	pair := func(n int) string { return fmt.Sprintf("body %d", (n+1)/2) } // 1 1 2 2 3 3
	for _, test := range []struct {
		name string
		when When
		body func(int) string
		want string
	}{
		{"always", Always(), pair, "1 2 3 4 5 6 7 8"},
		{"every 3", Every(3), pair, "3 6"},
		{"every 0", Every(0), pair, ""},
		{"between", Between(2, 4), pair, "2 3 4"},
		{"containing", Containing("body 2"), pair, "3 4"},
		{"first 3", First(3, Every(2)), pair, "2 4 6"},
		{"on a route", On("chat"), pair, "1 2 3 4 5 6 7 8"},
		{"on another route", On("commit"), pair, ""},
		{"first try", FirstTries(1), pair, "1 3 5 7"},
		// One request each 100 ms against a bucket of 2 that gets one
		// token each 250 ms.
		{"over rate", OverRate(4, 2), pair, "3 5 7 8"},
	} {
		if got := picked(test.when, 8, 100*time.Millisecond, test.body); got != test.want {
			t.Errorf("%s: picked %q, want %q", test.name, got, test.want)
		}
	}
	schema := &Request{Body: []byte(`{"response_format":{"type":"json_schema"}}`)}
	if !WithSchema()(schema) || WithSchema()(&Request{}) {
		t.Error("WithSchema")
	}
}

func TestFirstFaultWins(t *testing.T) {
	s := Start(t, Config{Faults: []Fault{
		{When: Every(2), Do: ServerError(502)},
		{When: Always(), Do: RateLimited("")},
	}})
	c := newClient(t)
	for _, want := range []int{429, 502, 429, 502} {
		if a := mustPost(t, c, s, request("x")); a.StatusCode != want {
			t.Errorf("status %d, want %d", a.StatusCode, want)
		}
	}
}
