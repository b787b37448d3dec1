package openai

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

// said is an error as OpenAI words it.
func said(message, kind, code string) string {
	return fmt.Sprintf(`{"error":{"message":%q,"type":%q,"param":null,"code":%q}}`, message, kind, code)
}

func TestErrorKindByStatus(t *testing.T) {
	kinds := map[int]omniscope.Kind{
		301: omniscope.Denied, 304: omniscope.Denied, 400: omniscope.Invalid, 401: omniscope.Denied, 402: omniscope.Denied, 403: omniscope.Denied, 404: omniscope.Denied,
		405: omniscope.Denied, 408: omniscope.Transient, 409: omniscope.Transient, 413: omniscope.Invalid, 415: omniscope.Invalid, 422: omniscope.Invalid,
		425: omniscope.Transient, 429: omniscope.Transient, 451: omniscope.Invalid, 500: omniscope.Transient, 502: omniscope.Transient, 503: omniscope.Transient,
		504: omniscope.Transient, 529: omniscope.Transient,
	}
	bodies := map[string]struct{ kind, body, words string }{
		"as OpenAI words it":   {"application/json", said("It failed.", "some_error", ""), "(some_error): It failed."},
		"not JSON":             {"text/plain", "No healthy\nupstream", ": No healthy upstream"},
		"a page":               {"text/html", "<html><body>Bad gateway</body></html>", ": <html><body>Bad gateway</body></html>"},
		"not JSON but says so": {"application/json", "<html>oh", ": <html>oh"},
		"empty":                {"", "", ""},
		"JSON cut":             {"application/json", `{"error":{"mess`, `: {"error":{"mess`},
		"a word":               {"application/json", `{"error":"It failed."}`, ": It failed."},
		"a string":             {"application/json", `"It failed."`, ": It failed."},
		"at the top":           {"application/json", `{"object":"error","message":"It failed.","type":"BadThing","code":400}`, "(BadThing): It failed."},
		"a detail":             {"application/json", `{"detail":"It failed."}`, ": It failed."},
		"a list of details":    {"application/json", `{"detail":[{"loc":["body"],"msg":"It failed.","input":"AAAA"}]}`, ": body: It failed."},
		"a list of one":        {"application/json", `[{"error":{"code":400,"message":"It failed.","status":"BAD"}}]`, ": It failed."},
		"an object of nothing": {"application/json", `{"error":{}}`, ": {}"},
		"null":                 {"application/json", `null`, ""},
	}
	for name, b := range bodies {
		t.Run(name, func(t *testing.T) {
			status := 0
			m := serving(t, func(w http.ResponseWriter, _ *http.Request) {
				body := b.body
				if status == 304 {
					body = "" // it has none by definition
				}
				answer(w, status, http.Header{"Content-Type": {b.kind}}, body)
			}, Options{})
			var kind omniscope.Kind
			for status, kind = range kinds {
				_, err := ask(t, m)
				fixture.WantError(t, err, kind, fmt.Sprintf("the endpoint answered %d", status))
				if status != 304 && !strings.Contains(err.Error(), b.words) {
					t.Errorf("%d: %q does not say %q", status, err, b.words)
				}
				if (status == 429) != model.RateLimited(err) {
					t.Errorf("%d: the limiter takes it wrongly", status)
				}
				if err := m.Probe(t.Context()); omniscope.KindOf(err) != kind {
					t.Errorf("%d: the probe got %v", status, err)
				}
			}
		})
	}
}

func TestErrorKindByMessage(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   omniscope.Kind
	}{
		{"no quota", 429, said("You exceeded your current quota.", "insufficient_quota", "insufficient_quota"), omniscope.Denied},
		{"no quota, by the type alone", 429, `{"error":{"message":"No.","type":"insufficient_quota","code":null}}`, omniscope.Denied},
		{"an account in arrears", 400, said("Access denied.", "Arrearage", "Arrearage"), omniscope.Denied},
		{"a rate limit", 429, said("Rate limit reached for requests", "requests", "rate_limit_exceeded"), omniscope.Transient},
		{"a rate limit of a moderation model", 429, said("Rate limit reached for omni-moderation-latest", "requests", ""), omniscope.Transient},
		{"a filter", 400, said("The response was filtered.", "", "content_filter"), omniscope.Declined},
		{"a filter that names a policy", 400, said("Your request was rejected.", "", "content_policy_violation"), omniscope.Declined},
		{"a filter that inspects", 400, said("Input data may contain inappropriate content.", "", "data_inspection_failed"), omniscope.Declined},
		{"moderation", 403, `{"error":{"code":403,"message":"Your input was flagged by moderation"}}`, omniscope.Declined},
		{"a filter out of order", 503, said("The moderation service is not available.", "", ""), omniscope.Transient},
		{"a reply that was cut off before it had the form of the schema", 500, said("The model produced output that does not match the expected peg-native format", "server_error", ""), omniscope.Malformed},
		{"no permission", 403, said("You may not use this model.", "", ""), omniscope.Denied},
		{"no such model", 404, said("The model does not exist.", "", "model_not_found"), omniscope.Denied},
		{"too long", 400, said("maximum context length", "", "context_length_exceeded"), omniscope.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ask(t, answering(t, c.status, nil, c.body))
			fixture.WantError(t, err, c.kind, fmt.Sprint(c.status))
		})
	}
}

func TestRetryAfterInError(t *testing.T) {
	for header, want := range map[string]time.Duration{"": 0, "7": 7 * time.Second} {
		_, err := ask(t, answering(t, 429, http.Header{"Retry-After": {header}}, "slow down"))
		if e, ok := err.(*omniscope.Error); !ok || e.RetryAfter != want || !model.RateLimited(err) {
			t.Errorf("%q: got %#v", header, err)
		}
	}
}

func TestWordsFitALogLine(t *testing.T) {
	var secrets *model.Redactor
	for from, want := range map[string]string{
		" a\r\n\tb ":                   "a b",
		"\x1b[31mred\x00":              "[31mred",
		"bad \xff":                     "bad \ufffd",
		strings.Repeat("é", 200):       strings.Repeat("é", 150) + "…",
		strings.Repeat("€", 101):       strings.Repeat("€", 100) + "…",
		"1" + strings.Repeat("€", 101): "1" + strings.Repeat("€", 99) + "…",
	} {
		if got := secrets.Line(from); got != want {
			t.Errorf("%q: got %q, want %q", from, got, want)
		}
	}
}
