package gemini

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/endpoint"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/modeltest"
	"omniscope/model"
	"omniscope/model/exchange"
)

const key = "AIzaTest-9f3c7b21d8e4a605"

func TestSuite(t *testing.T) {
	modeltest.Run(t, modeltest.Harness{
		Start: func(t *testing.T, replies map[string]modeltest.Reply) model.Model {
			m, _ := against(t, &fake.Gemini{
				Accept: []string{"top_k", "a"}, External: true, // the suite's request of every field has these
				Reply: func(r *fake.GeminiRequest) fake.Reply {
					return wired(replies[modeltest.StepOf(r.Text())])
				},
			})
			return m
		},
	})
}

// wired is what the server sends to give a reply.
func wired(r modeltest.Reply) fake.Reply {
	switch r.Failure {
	case omniscope.Transient:
		if r.RetryAfter > 0 {
			return fake.GeminiFailure(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", fake.RetryInfo(r.RetryAfter.String()))
		}
		return fake.GeminiFailure(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")
	case omniscope.Denied:
		return fake.GeminiFailure(400, "INVALID_ARGUMENT", "API key not valid.", fake.ErrorInfo("API_KEY_INVALID"))
	case omniscope.Invalid:
		return fake.GeminiFailure(400, "INVALID_ARGUMENT", "The input token count exceeds the maximum number of tokens allowed.")
	case omniscope.Declined:
		return fake.Reply{Body: blocked("PROHIBITED_CONTENT")}
	case omniscope.Malformed:
		return fake.Reply{Body: fake.GeminiAnswer(strings.Repeat("again and ", endpoint.MostBytes/10))}
	}
	finish := map[model.Finish]string{model.Length: "MAX_TOKENS", model.ContentFilter: "SAFETY"}[r.Finish]
	if finish == "" {
		finish = "STOP"
	}
	var parts []map[string]any
	if r.Text != "" {
		parts = append(parts, map[string]any{"text": r.Text})
	}
	body := fake.GeminiCandidate(finish, parts...)
	if r.Refusal != "" {
		first := body["candidates"].([]any)[0].(map[string]any)
		first["finishReason"], first["finishMessage"] = "PROHIBITED_CONTENT", r.Refusal
	}
	if r.Model != "" {
		body["modelVersion"] = r.Model
	}
	body["usageMetadata"] = fake.GeminiUsage(r.TokensIn, r.TokensOut, 0)
	reply := fake.Reply{Body: body}
	if r.Hang {
		reply.Delay = time.Hour // or until the client has gone
	}
	return reply
}

func blocked(reason string) map[string]any {
	return map[string]any{"promptFeedback": map[string]any{"blockReason": reason}, "usageMetadata": fake.GeminiUsage(42, 0, 0), "modelVersion": "m"}
}

// against starts a server and a Model that calls it, with small waits.
func against(t *testing.T, g *fake.Gemini) (*Model, *fake.Gemini) {
	t.Helper()
	s := g.Start(t)
	m := mustNew(t, exchange.Options{BaseURL: s.URL(), Key: omniscope.NewSecret(key)})
	return m, s
}

// saying is a Model whose server gives every call the same answer.
func saying(t *testing.T, r fake.Reply) *Model {
	t.Helper()
	m, _ := against(t, &fake.Gemini{Reply: func(*fake.GeminiRequest) fake.Reply { return r }})
	return m
}

func mustNew(t *testing.T, o exchange.Options) *Model {
	t.Helper()
	m, err := New(o)
	fixture.OK(t, err)
	m.firstPoll = time.Millisecond
	return m
}

func question(parts ...model.Part) *model.Request {
	parts = append([]model.Part{{Kind: model.TextPart, Text: "What do you see?"}}, parts...)
	return &model.Request{Step: "s1", Attempt: 1, Model: "gemini-test", Messages: []model.Message{{Role: model.User, Parts: parts}}}
}

func ask(t *testing.T, m *Model) (*model.Response, error) {
	t.Helper()
	return m.Generate(t.Context(), question())
}

func TestProbe(t *testing.T) {
	s := (&fake.Gemini{Models: []string{"gemini-test"}, Key: key}).Start(t)
	for name, kind := range map[string]omniscope.Kind{"gemini-test": omniscope.Internal, "": omniscope.Internal, "gemini-9": omniscope.Denied} {
		m := mustNew(t, exchange.Options{BaseURL: s.URL(), Key: omniscope.NewSecret(key), Name: name})
		err := m.Probe(t.Context())
		if omniscope.KindOf(err) != kind || (err != nil) != (kind == omniscope.Denied) {
			t.Errorf("%q: got %v", name, err)
		}
		if err != nil && !strings.Contains(err.Error(), "gemini-9") {
			t.Errorf("%v does not name the model", err)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("the probe asked the model %d times", n)
	}
}

func TestWrongKey(t *testing.T) {
	for given, kind := range map[string]omniscope.Kind{key: omniscope.Internal, "AIzaWrong-9876543210": omniscope.Denied, "": omniscope.Denied} {
		s := (&fake.Gemini{Key: key}).Start(t)
		m := mustNew(t, exchange.Options{BaseURL: s.URL(), Key: omniscope.NewSecret(given)})
		_, err := ask(t, m)
		if omniscope.KindOf(err) != kind || (err == nil) != (kind == omniscope.Internal) {
			t.Errorf("%q: got %v", given, err)
		}
	}
}

func TestUnknownModelIsNamed(t *testing.T) {
	m, _ := against(t, &fake.Gemini{Models: []string{"gemini-other"}})
	_, err := ask(t, m)
	fixture.WantError(t, err, omniscope.Denied, "model gemini-test at http", "404")
}

func TestBaseURLs(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                  base.Default,
		"https://example.org":               "https://example.org/v1beta",
		"https://example.org/":              "https://example.org/v1beta",
		"https://example.org/v1":            "https://example.org/v1",
		"https://example.org/v1beta/":       "https://example.org/v1beta",
		"http://localhost:8080/gemini":      "http://localhost:8080/gemini/v1beta",
		" http://localhost:8080/x/v1alpha ": "http://localhost:8080/x/v1alpha",
		"https://example.org?tenant=7":      "https://example.org/v1beta?tenant=7",
	} {
		if got, err := NormalizeURL(raw); err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", raw, got, err, want)
		}
		if again, err := NormalizeURL(want); err != nil || again != want {
			t.Errorf("%q: becomes %q, %v", want, again, err)
		}
	}
	_, err := NormalizeURL("localhost:8080?key=hunter2")
	if omniscope.KindOf(err) != omniscope.Usage || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestAddresses(t *testing.T) {
	m := mustNew(t, exchange.Options{BaseURL: "https://example.org/g?tenant=7"})
	for got, want := range map[string]string{
		m.address(modelPath("gemini-2.5-pro") + ":generateContent"): "https://example.org/g/v1beta/models/gemini-2.5-pro:generateContent?tenant=7",
		m.address(modelPath("models/x")):                            "https://example.org/g/v1beta/models/x?tenant=7",
		m.address(modelPath("tunedModels/x")):                       "https://example.org/g/v1beta/tunedModels/x?tenant=7",
		m.address(modelPath("../files/x?y")):                        "https://example.org/g/v1beta/models/..%2Ffiles%2Fx%3Fy?tenant=7",
		m.uploadAddress():                                           "https://example.org/g/upload/v1beta/files?tenant=7",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestTimeout(t *testing.T) {
	m := saying(t, fake.Reply{Delay: time.Hour})
	m.Timeout = 100 * time.Millisecond
	_, err := ask(t, m)
	fixture.WantError(t, err, omniscope.Transient, "no whole answer within 100ms")
	if model.LostIn(err).Tries != 1 {
		t.Error("a request that was sent and not answered counts as free")
	}
}

func TestRedirectElsewhereIsNotFollowed(t *testing.T) {
	elsewhere, other := against(t, &fake.Gemini{})
	_ = elsewhere
	m, s := against(t, &fake.Gemini{})
	s.Faults = always(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", other.URL()+r.URL.Path)
		w.WriteHeader(307)
	})
	_, err := ask(t, m)
	fixture.WantError(t, err, omniscope.Denied, "moved to "+other.URL())
	if len(other.Requests()) != 0 {
		t.Error("the prompt went to another server")
	}
}

func TestNoEndpoint(t *testing.T) {
	m, s := against(t, &fake.Gemini{})
	s.Close()
	_, err := ask(t, m)
	fixture.WantError(t, err, omniscope.Transient, "connect to "+m.BaseURL())
	if model.LostIn(err).Tries != 0 {
		t.Error("a connection that was never made counts as paid")
	}
}
