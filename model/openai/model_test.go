package openai

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/modeltest"
	"omniscope/model"
)

func TestSuite(t *testing.T) {
	modeltest.Run(t, modeltest.Harness{
		Start: func(t *testing.T, replies map[string]modeltest.Reply) model.Model {
			return against(t, fake.Config{Reply: func(r *fake.Request) fake.Reply {
				return wired(replies[modeltest.StepOf(r.Text())])
			}}, Options{})
		},
	})
}

// wired is what a server sends to give a reply.
func wired(r modeltest.Reply) fake.Reply {
	switch r.Failure {
	case omniscope.Transient:
		failed := fake.ErrorReply(503, "The engine is overloaded.", "server_error", "", "")
		if r.RetryAfter > 0 {
			failed.Header = http.Header{"Retry-After": {strconv.Itoa(int(r.RetryAfter.Seconds()))}}
		}
		return failed
	case omniscope.Denied:
		return fake.ErrorReply(401, "Incorrect API key provided.", "invalid_request_error", "", "invalid_api_key")
	case omniscope.Invalid:
		return fake.ErrorReply(400, "The messages are too long.", "invalid_request_error", "messages", "context_length_exceeded")
	case omniscope.Declined:
		return fake.ErrorReply(400, "The prompt was filtered.", "invalid_request_error", "prompt", "content_filter")
	case omniscope.Malformed:
		return fake.Reply{Content: strings.Repeat("again and ", endpoint.MostBytes/10)}
	}
	reply := fake.Reply{Content: r.Text, Refusal: r.Refusal, FinishReason: string(r.Finish), Model: r.Model,
		PromptTokens: r.TokensIn, CompletionTokens: r.TokensOut}
	if r.Hang {
		reply.Delay = time.Hour // or until the server closes
	}
	return reply
}

// against starts a mock server and a Model that calls it.
func against(t *testing.T, cfg fake.Config, o Options) *Model {
	t.Helper()
	s := fake.Start(t, cfg)
	o.BaseURL = s.URL()
	return mustNew(t, o)
}

// serving starts a server of one handler and a Model that calls it.
func serving(t *testing.T, h http.HandlerFunc, o Options) *Model {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // or the server does not notice a client that leaves
		h(w, r)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	o.BaseURL = s.URL + o.BaseURL
	return mustNew(t, o)
}

// answering is a Model whose endpoint gives every call the same answer.
func answering(t *testing.T, status int, header http.Header, body string) *Model {
	t.Helper()
	return serving(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, status, header, body) }, Options{})
}

func answer(w http.ResponseWriter, status int, header http.Header, body string) {
	w.Header().Set("Content-Type", "application/json")
	for name, values := range header {
		w.Header()[name] = values
	}
	w.WriteHeader(status)
	w.Write([]byte(body))
}

func mustNew(t *testing.T, o Options) *Model {
	t.Helper()
	m, err := New(o)
	fixture.OK(t, err)
	return m
}

func ask(t *testing.T, m *Model) (*model.Response, error) {
	t.Helper()
	return m.Generate(t.Context(), question())
}

func question() *model.Request {
	return &model.Request{Step: "s1", Attempt: 1, Model: "judge", Messages: []model.Message{model.Text(model.User, "What do you see?")}}
}

// completion is the body of an ordinary answer.
func completion(content string) string {
	return `{"id":"c1","model":"judge-1","choices":[{"index":0,"message":{"role":"assistant","content":` +
		strconv.Quote(content) + `},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`
}
