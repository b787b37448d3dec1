package anthropic

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/exchange"
)

const key = "sk-ant-0123/456789-abcdef"

func TestBaseURLForms(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                      address.Default,
		"https://api.anthropic.com":             "https://api.anthropic.com/v1",
		"https://api.anthropic.com/":            "https://api.anthropic.com/v1",
		" https://api.anthropic.com/v1/\n":      "https://api.anthropic.com/v1",
		"https://api.anthropic.com/v1/messages": "https://api.anthropic.com/v1",
		"https://example.org/anthropic":         "https://example.org/anthropic/v1",
		"https://example.org/a?b=c#d":           "https://example.org/a/v1?b=c",
	} {
		if got, err := NormalizeURL(raw); err != nil || got != want {
			t.Errorf("NormalizeURL(%q) = %q, %v; want %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{"localhost:8000", "ftp://me:hunter2@example.org?key=hunter2", "/v1", "%"} {
		_, err := NormalizeURL(raw)
		fixture.WantError(t, err, omniscope.Usage, "base URL")
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error tells the password: %v", err)
		}
	}
}

func TestBaseURLQuery(t *testing.T) {
	var seen []string
	s := &strictServer{respond: func(w http.ResponseWriter, r *http.Request, _ string) {
		seen = append(seen, r.URL.String())
		reply(w, 200, nil, said("yes"))
	}}
	m := s.start(t, exchange.Options{BaseURL: "/v1?team=a", Name: "claude/1"})
	if _, err := ask(t, m); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, m.Probe(t.Context()))
	if _, err := m.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"/v1/messages?team=a", "/v1/models/claude%2F1?team=a", "/v1/models?limit=1000&team=a"}; !reflect.DeepEqual(seen, want) {
		t.Errorf("asked for %q, want %q", seen, want)
	}
}

func TestKeyIsSentAsItIs(t *testing.T) {
	s := takingAll()
	s.key = key
	if _, err := ask(t, s.start(t, exchange.Options{Key: omniscope.NewSecret(" " + key + "\r\n")})); err != nil {
		t.Error(err)
	}
	_, err := ask(t, s.start(t, exchange.Options{Key: omniscope.NewSecret("sk-ant-other-0123456789")}))
	fixture.WantError(t, err, omniscope.Denied, "invalid x-api-key")
	_, err = New(exchange.Options{Key: omniscope.NewSecret("sk-0123\nsk-4567")})
	fixture.WantError(t, err, omniscope.Usage, "API key")
	if strings.Contains(err.Error(), "sk-") {
		t.Errorf("the key is told: %v", err)
	}
}

func TestServerRepeatsKey(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		kind, body string
	}{
		"in every member": {200, "application/json", `{"id":"` + key + `","type":"message","model":"` + key + `","content":[{"type":"text","text":"` + key + `"},{"type":"tool_use","name":"` + key + `"}],"stop_reason":"` + key + `","usage":{"input_tokens":"` + key + `"}}`},
		"in a refusal":    {200, "application/json", completion(`{"type":"text","text":"`+key+`"}`, "refusal", "m", 1, 1)},
		"in broken JSON":  {200, "application/json", `{"id":"` + key},
		"in a page":       {200, "text/html", key},
		"in an error":     {401, "application/json", `{"type":"error","error":{"type":"` + key + `","message":"` + key + `"}}`},
		"in plain text":   {500, "text/plain", key},
	} {
		t.Run(name, func(t *testing.T) {
			s := &strictServer{respond: func(w http.ResponseWriter, _ *http.Request, _ string) {
				reply(w, c.status, http.Header{"Content-Type": {c.kind}, "Request-Id": {key}}, c.body)
			}}
			m := s.start(t, exchange.Options{Key: omniscope.NewSecret(key)})
			resp, err := ask(t, m)
			names, failed := m.Models(t.Context())
			if told := fmt.Sprintf("%+v %v %#v %v %v", resp, err, err, names, failed); strings.Contains(told, "sk-ant") {
				t.Errorf("the key is told: %s", told)
			}
		})
	}
}

func TestKeyNeverPrinted(t *testing.T) {
	m, err := New(exchange.Options{BaseURL: "https://me:hunter2hunter2@example.org?key=" + key, Key: omniscope.NewSecret(key)})
	fixture.OK(t, err)
	text, err := json.Marshal(exchange.Options{Key: omniscope.NewSecret(key)})
	if err != nil || strings.Contains(string(text), "sk-ant") {
		t.Errorf("got %s %v", text, err)
	}
	for _, v := range []any{m, struct{ M *Model }{m}, exchange.Options{Key: omniscope.NewSecret(key)}} {
		for _, format := range []string{"%v", "%+v", "%#v"} {
			if told := fmt.Sprintf(format, v); strings.Contains(told, "sk-ant") || strings.Contains(told, "hunter2") {
				t.Errorf("%s tells it: %s", format, told)
			}
		}
	}
}

func TestProbe(t *testing.T) {
	var path string
	s := &strictServer{respond: func(w http.ResponseWriter, r *http.Request, _ string) {
		if path = r.URL.Path; strings.HasSuffix(path, "/none") {
			fail(w, "not_found_error", "model: none", "")
			return
		}
		reply(w, 200, nil, `{"data":[{"type":"model","id":"claude-a"},{"type":"model","id":"claude-b"}],"has_more":false}`)
	}}
	if err := s.start(t, exchange.Options{Name: "claude-a"}).Probe(t.Context()); err != nil || path != "/v1/models/claude-a" {
		t.Errorf("asked for %s, got %v", path, err)
	}
	fixture.WantError(t, s.start(t, exchange.Options{Name: "none"}).Probe(t.Context()), omniscope.Denied, `model "none"`)
	m := s.start(t, exchange.Options{})
	if err := m.Probe(t.Context()); err != nil || path != "/v1/models" {
		t.Errorf("asked for %s, got %v", path, err)
	}
	if names, err := m.Models(t.Context()); err != nil || !reflect.DeepEqual(names, []string{"claude-a", "claude-b"}) {
		t.Errorf("got %q, %v", names, err)
	}
}

// TestRedirectNotFollowed keeps key and prompt from another server.
func TestRedirectNotFollowed(t *testing.T) {
	_, err := ask(t, answering(t, 308, http.Header{"Location": {"https://me:hunter2@example.org/v1"}}, ""))
	fixture.WantError(t, err, omniscope.Denied, "it has moved to https://example.org/v1")
}
