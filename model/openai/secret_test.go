package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/exchange"
)

const key = "sk-0123/456789-abcdef"

func TestServerRepeatsKey(t *testing.T) {
	slash := strings.ReplaceAll(key, "/", `\/`) // as PHP writes it
	for name, c := range map[string]struct {
		status int
		kind   string
		body   string
	}{
		"in an answer":                 {200, "application/json", completion("your key is " + key)},
		"in an answer, spelled anew":   {200, "application/json", strings.Replace(completion("yes"), "yes", slash+strings.ReplaceAll(key, "-", `\u002d`), 1)},
		"in every member":              {200, "application/json", `{"id":"` + key + `","model":"` + key + `","choices":[{"finish_reason":"` + key + `","message":{"content":[{"text":"` + key + `"}],"refusal":"` + key + `"}}]}`},
		"in JSON that is broken":       {200, "application/json", `{"id":"` + key},
		"in content of another kind":   {200, "application/json", `{"choices":[{"message":{"content":{"a":"` + key + `"}}}]}`},
		"in an answer without choices": {200, "application/json", `{"id":"` + key + `"}`},
		"in an error inside":           {200, "application/json", said("key "+key, "", key)},
		"in a page":                    {200, "text/html", key},
		"at the edge of what is shown": {200, "text/html", strings.Repeat("x", 290) + key},
		"as the kind of content":       {200, "a/" + key, "a"},
		"in an error":                  {401, "application/json", said("Incorrect API key: "+key, key, key)},
		"in an error, spelled anew":    {401, "application/json", said("@", "", "") + " "},
		"in an error that is text":     {500, "text/plain", "Authorization: Bearer " + key},
		"at the edge of an error":      {500, "text/plain", strings.Repeat("x", 290) + key},
	} {
		t.Run(name, func(t *testing.T) {
			body := strings.Replace(c.body, "@", slash, 1)
			m := serving(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer "+key {
					t.Errorf("authorized by %q", r.Header.Get("Authorization"))
				}
				answer(w, c.status, http.Header{"Content-Type": {c.kind}}, body)
			}, Options{Options: exchange.Options{Key: omniscope.NewSecret(key)}})
			resp, err := ask(t, m)
			if told := fmt.Sprintf("%+v %v %#v", resp, err, err); strings.Contains(told, "sk-0123") {
				t.Errorf("the key is told: %s", told)
			}
		})
	}
}

func TestKeyNeverPrinted(t *testing.T) {
	o := Options{Options: exchange.Options{BaseURL: "https://me:hunter2hunter2@example.org/v1?key=" + key, Key: omniscope.NewSecret(key)}}
	m := mustNew(t, o)
	text, err := json.Marshal(Options{Options: exchange.Options{Key: o.Key}})
	if err != nil || !strings.Contains(string(text), `"Key":"[secret]"`) {
		t.Errorf("got %s %v", text, err)
	}
	for _, v := range []any{m, struct{ M *Model }{m}, Options{Options: exchange.Options{Key: o.Key}}, &Options{Options: exchange.Options{Key: o.Key}}, o.Key, &o.Key} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			if told := fmt.Sprintf(format, v); strings.Contains(told, "sk-0123") || strings.Contains(told, "hunter2") {
				t.Errorf("%s of a %s tells it: %s", format, reflect.TypeOf(v), told)
			}
		}
	}
	if got := fmt.Sprint(m); got != "the endpoint https://example.org/v1" {
		t.Errorf("got %q", got)
	}
}

func TestKeyTrimmedAndChecked(t *testing.T) {
	var sent string
	m := serving(t, func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header.Get("Authorization")
		answer(w, 200, nil, completion(key))
	}, Options{Options: exchange.Options{Key: omniscope.NewSecret(" " + key + "\r\n")}})
	resp, err := ask(t, m)
	if err != nil || sent != "Bearer "+key || resp.Text != "[secret]" {
		t.Errorf("sent %q, got %+v %v", sent, resp, err)
	}
	_, err = New(Options{Options: exchange.Options{Key: omniscope.NewSecret("sk-0123\nsk-4567")}})
	fixture.WantError(t, err, omniscope.Usage, "API key")
	if strings.Contains(err.Error(), "sk-") {
		t.Errorf("the key is told: %v", err)
	}
}

func TestWithoutAKey(t *testing.T) {
	for _, c := range []struct{ user, want string }{{"", "Bearer none"}, {"me:hunter2@", "Basic bWU6aHVudGVyMg=="}} {
		var sent string
		m := serving(t, func(w http.ResponseWriter, r *http.Request) {
			sent = r.Header.Get("Authorization")
			answer(w, 200, nil, completion("yes"))
		}, Options{})
		m = mustNew(t, Options{Options: exchange.Options{BaseURL: strings.Replace(m.BaseURL(), "//", "//"+c.user, 1)}})
		if _, err := ask(t, m); err != nil || sent != c.want {
			t.Errorf("sent %q, want %q; %v", sent, c.want, err)
		}
	}
}

// TestEnvironmentIgnored sets what OpenAI's own clients look for by themselves: any
// endpoint may be meant, and these are for OpenAI alone.
func TestEnvironmentIgnored(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"} {
		t.Setenv(name, "hunter2")
	}
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Mine: hunter2\nAuthorization: hunter2")
	t.Setenv("OPENAI_BASE_URL", "http://hunter2:port")
	m := serving(t, func(w http.ResponseWriter, r *http.Request) {
		for name, values := range r.Header {
			if strings.Contains(strings.Join(values, " "), "hunter2") {
				t.Errorf("sent %s: %s", name, strconv.Quote(values[0]))
			}
		}
		answer(w, 200, nil, completion("yes"))
	}, Options{})
	if _, err := ask(t, m); err != nil {
		t.Error(err)
	}
}
