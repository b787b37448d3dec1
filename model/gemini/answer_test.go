package gemini

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

func text(s string) map[string]any { return map[string]any{"text": s} }

func thought(s string) map[string]any { return map[string]any{"text": s, "thought": true} }

func TestThoughtsAreNoText(t *testing.T) {
	body := fake.GeminiCandidate("STOP", thought("Let me see. "), text("A dog"), text(" barks."))
	body["usageMetadata"] = fake.GeminiUsage(100, 5, 20)
	resp, err := ask(t, saying(t, fake.Reply{Body: body}))
	if err != nil || resp.Text != "A dog barks." || resp.Reasoning || resp.Usage.TokensIn != 100 || resp.Usage.TokensOut != 25 || resp.Report.Reasoning != 20 {
		t.Errorf("got %+v, %v", resp, err)
	}
	if resp.Model != "gemini-test-001" || resp.ID != "r1" {
		t.Errorf("got the model %q and the id %q", resp.Model, resp.ID)
	}
}

func TestAnswersWithoutText(t *testing.T) {
	withUsage := func(body map[string]any, thoughts int) map[string]any {
		body["usageMetadata"] = fake.GeminiUsage(100, 0, thoughts)
		return body
	}
	for words, body := range map[string]map[string]any{
		"while the model was reasoning": withUsage(fake.GeminiCandidate("MAX_TOKENS"), 99),
		"reasoning and no answer":       withUsage(fake.GeminiCandidate("STOP", thought("Hm.")), 0),
		"empty":                         withUsage(fake.GeminiCandidate("STOP"), 0),
		`calls the tool "look"`:         fake.GeminiCandidate("STOP", map[string]any{"functionCall": map[string]any{"name": "look"}}),
		"content filter withheld it":    fake.GeminiCandidate("RECITATION"),
	} {
		resp, err := ask(t, saying(t, fake.Reply{Body: body}))
		if err != nil || !strings.Contains(resp.Problem(), words) {
			t.Errorf("want %q, got %+v, %v", words, resp, err)
		}
	}
}

func TestFinishReasons(t *testing.T) {
	for reason, want := range map[string]omniscope.Outcome{
		"STOP": omniscope.OK, "": omniscope.OK, "FINISH_REASON_UNSPECIFIED": omniscope.OK, "SOMETHING_NEW": omniscope.OK, "MAX_TOKENS": omniscope.Truncated,
		"SAFETY": omniscope.Refused, "RECITATION": omniscope.Refused, "PROHIBITED_CONTENT": omniscope.Refused, "BLOCKLIST": omniscope.Refused, "SPII": omniscope.Refused,
	} {
		resp, err := ask(t, saying(t, fake.Reply{Body: fake.GeminiCandidate(reason, text("A dog"))}))
		if err != nil || resp.Outcome() != want || resp.Text != "A dog" {
			t.Errorf("%s: got %+v, %v", reason, resp, err)
		}
	}
	for number, want := range map[string]omniscope.Outcome{"0": omniscope.OK, "1": omniscope.OK, "2": omniscope.Truncated, "3": omniscope.Refused, "4": omniscope.Refused, "6": omniscope.OK, "null": omniscope.OK} {
		resp, err := ask(t, saying(t, fake.Reply{Body: `{"candidates": [{"content": {"parts": [{"text": "A dog"}]}, "finishReason": ` + number + `}]}`}))
		if err != nil || resp.Outcome() != want || resp.Finish.IsKnown() != (number != "6") {
			t.Errorf("%s: got %+v, %v", number, resp, err)
		}
	}
	for _, reason := range []string{"OTHER", "LANGUAGE", "MALFORMED_FUNCTION_CALL"} {
		_, err := ask(t, saying(t, fake.Reply{Body: fake.GeminiCandidate(reason, text("A dog"))}))
		fixture.WantError(t, err, omniscope.Transient, reason)
		if model.LostIn(err).Tries != 1 {
			t.Errorf("%s counts as free", reason)
		}
	}
}

func TestBlockedPrompt(t *testing.T) {
	for _, reason := range []string{"SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "OTHER"} {
		_, err := ask(t, saying(t, fake.Reply{Body: blocked(reason)}))
		fixture.WantError(t, err, omniscope.Declined, reason, "blocked the prompt")
		if lost := model.LostIn(err); lost.Tries != 1 || lost.TokensIn != 42 || lost.TokensOut != 0 {
			t.Errorf("%s: lost %+v", reason, lost)
		}
	}
}

// TestSoundInUsage reads the tokens of sound in a prompt.
func TestSoundInUsage(t *testing.T) {
	body := `{"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 300, "candidatesTokenCount": 2,
		"promptTokensDetails": [{"modality": "TEXT", "tokenCount": 44}, {"modality": "AUDIO", "tokenCount": 256}]}}`
	resp, err := ask(t, saying(t, fake.Reply{Body: body}))
	if err != nil || resp.Report.Audio != 256 || resp.Usage.TokensIn != 300 {
		t.Errorf("got %+v, %v", resp, err)
	}
}

func TestUsage(t *testing.T) {
	for usage, c := range map[string]struct {
		in, out, total int
		odd            bool
	}{
		`{"promptTokenCount": 7, "candidatesTokenCount": 2, "totalTokenCount": 9}`: {7, 2, 9, false},
		`{"promptTokenCount": 7}`: {7, 0, 0, false},
		`{"promptTokenCount": 7, "candidatesTokenCount": -2, "totalTokenCount": 9}`:         {7, 0, 9, true},
		`{"promptTokenCount": "7", "candidatesTokenCount": 2.5, "promptTokensDetails": []}`: {0, 0, 0, true},
		`{"promptTokenCount": 7, "candidatesTokenCount": 2, "thoughtsTokenCount": 1e300}`:   {7, 2, 0, true},
		`[1]`:  {0, 0, 0, true},
		`null`: {0, 0, 0, false},
	} {
		body := `{"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}], "usageMetadata": ` + usage + `}`
		resp, err := ask(t, saying(t, fake.Reply{Body: body}))
		if err != nil || resp.Usage.TokensIn != c.in || resp.Usage.TokensOut != c.out || resp.Report.Total != c.total || (resp.Report.Odd != "") != c.odd {
			t.Errorf("%s: got %+v, %v", usage, resp, err)
		}
	}
}

func TestUnreadableAnswers(t *testing.T) {
	html := http.Header{"Content-Type": {"text/html"}}
	for name, c := range map[string]struct {
		reply fake.Reply
		words string
	}{
		"no candidates":        {fake.Reply{Body: `{"usageMetadata": {}}`}, "no candidates"},
		"empty list":           {fake.Reply{Body: `{"candidates": []}`}, "no candidates"},
		"empty feedback":       {fake.Reply{Body: `{"promptFeedback": {}}`}, "no candidates"},
		"error inside":         {fake.Reply{Body: `{"error": {"message": "oh"}}`}, "oh"},
		"list":                 {fake.Reply{Body: `[{"candidates": []}]`}, "no candidates"},
		"list of other things": {fake.Reply{Body: `["a"]`}, "not the JSON"},
		"list without an end":  {fake.Reply{Body: `[{"candidates": [{"content": {"parts": [{"text": "A do"}]}}]}]`}, "ends before the answer does"},
		"stream with an error": {fake.Reply{Body: "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"A do\"}]}}]}\n\ndata: {\"error\": {\"code\": 500, \"message\": \"oh\"}}\n\n"}, "oh"},
		"half":                 {fake.Reply{Body: `{"candidates": [{"content"`}, "not the JSON"},
		"text in place":        {fake.Reply{Body: `{"candidates": "a"}`}, "not the JSON"},
		"page":                 {fake.Reply{Body: "<p>Sign in.", Header: html}, "Sign in"},
		"nothing":              {fake.Reply{Body: ""}, "not the JSON"},
		"cut":                  {fake.Reply{CutAfter: 20}, "broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(t, saying(t, c.reply))
			fixture.WantError(t, err, omniscope.Transient, c.words)
			if model.LostIn(err).Tries != 1 {
				t.Errorf("counts as free: %v", err)
			}
		})
	}
}

func TestAnswerUnderAWrongName(t *testing.T) {
	body := "\ufeff" + `{"candidates": [{"content": {"parts": [{"text": "yes"}]}, "finishReason": "STOP"}]}`
	resp, err := ask(t, saying(t, fake.Reply{Body: body, Header: http.Header{"Content-Type": {"text/plain"}}}))
	if err != nil || resp.Text != "yes" {
		t.Errorf("got %+v, %v", resp, err)
	}
}

// TestEndlessAnswers has bodies without end: reading one whole would never come
// back.
func TestEndlessAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		kind   string
		want   omniscope.Kind
	}{
		"JSON": {200, "application/json", omniscope.Malformed}, "blanks": {200, "text/html", omniscope.Transient}, "error": {502, "application/json", omniscope.Transient},
	} {
		m, s := against(t, &fake.Gemini{})
		s.Faults = always(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", c.kind)
			w.WriteHeader(c.status)
			for chunk := []byte(strings.Repeat(" ", 64<<10)); r.Context().Err() == nil; {
				if _, err := w.Write(chunk); err != nil {
					break
				}
			}
		})
		_, err := ask(t, m)
		if omniscope.KindOf(err) != c.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestErrorKinds(t *testing.T) {
	type failure struct {
		status  int
		code    string
		message string
		detail  map[string]any
	}
	for _, c := range []struct {
		failure
		want omniscope.Kind
	}{
		{failure{400, "INVALID_ARGUMENT", "The request is malformed.", nil}, omniscope.Invalid},
		{failure{400, "INVALID_ARGUMENT", "API key not valid.", fake.ErrorInfo("API_KEY_INVALID")}, omniscope.Denied},
		{failure{400, "FAILED_PRECONDITION", "User location is not supported for the API use.", nil}, omniscope.Denied},
		{failure{400, "FAILED_PRECONDITION", "The File f1 is not in an ACTIVE state.", nil}, omniscope.Invalid},
		{failure{401, "UNAUTHENTICATED", "No.", nil}, omniscope.Denied},
		{failure{403, "PERMISSION_DENIED", "The caller does not have permission", nil}, omniscope.Denied},
		{failure{403, "PERMISSION_DENIED", "You do not have permission to access the File f1 or it may not exist.", nil}, omniscope.Invalid},
		{failure{404, "NOT_FOUND", "models/x is not found", nil}, omniscope.Denied},
		{failure{405, "", "No.", nil}, omniscope.Denied},
		{failure{413, "", "Too large.", nil}, omniscope.Invalid},
		{failure{429, "RESOURCE_EXHAUSTED", "Slow down.", fake.QuotaFailure("GenerateRequestsPerMinutePerProjectPerModel")}, omniscope.Transient},
		{failure{429, "RESOURCE_EXHAUSTED", "Come back tomorrow.", fake.QuotaFailure("GenerateRequestsPerDayPerProjectPerModel-FreeTier")}, omniscope.Denied},
		{failure{499, "CANCELLED", "Gone.", nil}, omniscope.Transient},
		{failure{500, "INTERNAL", "Oh.", nil}, omniscope.Transient},
		{failure{503, "UNAVAILABLE", "Overloaded.", nil}, omniscope.Transient},
		{failure{504, "DEADLINE_EXCEEDED", "Late.", nil}, omniscope.Transient},
	} {
		var details []map[string]any
		if c.detail != nil {
			details = append(details, c.detail)
		}
		_, err := ask(t, saying(t, fake.GeminiFailure(c.status, c.code, c.message, details...)))
		fixture.WantError(t, err, c.want, c.message, fmt.Sprint(c.status))
		if got := model.RateLimited(err); got != (c.status == 429) {
			t.Errorf("%d: rate limited: %v", c.status, got)
		}
		if got := model.LostIn(err).Tries == 1; got != (c.status == 504) {
			t.Errorf("%d: may be charged: %v", c.status, got)
		}
	}
}

func TestErrorsInOtherForms(t *testing.T) {
	for body, words := range map[string]string{
		`[{"error": {"message": "in a list", "status": "INTERNAL"}}]`: "500 (INTERNAL): in a list",
		`<html><p>Bad gateway`: "Bad gateway",
		``:                     "internal server error",
		`{"error": "words"}`:   "words",
	} {
		_, err := ask(t, saying(t, fake.Reply{Status: 500, Body: body}))
		fixture.WantError(t, err, omniscope.Transient, words)
	}
}

func TestRetryDelays(t *testing.T) {
	for delay, want := range map[string]time.Duration{
		"37s": 37 * time.Second, "37.5s": 37500 * time.Millisecond, "": 3 * time.Second, "soon": 3 * time.Second, "-5s": 3 * time.Second, "9999999999s": 3 * time.Second, "2000000s": 1e6 * time.Second,
	} {
		r := fake.GeminiFailure(429, "RESOURCE_EXHAUSTED", "Slow down.", fake.QuotaFailure("PerMinute"), fake.RetryInfo(delay))
		r.Header = http.Header{"Retry-After": {"3"}}
		_, err := ask(t, saying(t, r))
		var e *omniscope.Error
		if !errors.As(err, &e) || e.RetryAfter != want {
			t.Errorf("%q: got %#v", delay, err)
		}
	}
}

func TestServerRepeatsKey(t *testing.T) {
	for name, r := range map[string]fake.Reply{
		"in an answer":     {Body: fake.GeminiAnswer("your key is " + key)},
		"in every member":  {Body: `{"responseId": "` + key + `", "modelVersion": "` + key + `", "candidates": [{"finishReason": "SAFETY", "finishMessage": "` + key + `"}], "usageMetadata": ["` + key + `"]}`},
		"in a tool call":   {Body: fake.GeminiCandidate("STOP", map[string]any{"functionCall": map[string]any{"name": key}})},
		"in broken JSON":   {Body: `{"responseId": "` + key},
		"in a wrong type":  {Body: `{"candidates": "` + key + `"}`},
		"in a block":       {Body: blocked(key)},
		"in an error":      fake.GeminiFailure(400, key, "key "+key, fake.ErrorInfo(key)),
		"in text":          {Status: 500, Body: "x-goog-api-key: " + key},
		"in a page":        {Body: "<p>" + key, Header: http.Header{"Content-Type": {"text/html; " + key}}},
		"in a redirection": {Status: 307, Body: "", Header: http.Header{"Location": {"https://example.org/" + key}}},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := ask(t, saying(t, r))
			if told := fmt.Sprintf("%+v %v %#v", resp, err, err); strings.Contains(told, key[:12]) {
				t.Errorf("the key is told: %s", told)
			}
		})
	}
}

func TestKeyNeverPrinted(t *testing.T) {
	m := mustNew(t, exchange.Options{BaseURL: "https://me:hunter2hunter2@example.org/?token=" + key, Key: omniscope.NewSecret(key)})
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if told := fmt.Sprintf(format, m); told != "the endpoint https://example.org/v1beta" {
			t.Errorf("%s tells %s", format, told)
		}
	}
	if _, err := m.here("https://other.org/upload?upload_id=1"); err != nil {
		t.Error(err)
	}
}

func TestEndlessPage(t *testing.T) {
	m, s := against(t, &fake.Gemini{})
	s.Faults = always(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for chunk := []byte(strings.Repeat("<p>", 16<<10)); r.Context().Err() == nil; {
			if _, err := w.Write(chunk); err != nil {
				break
			}
		}
	})
	_, err := ask(t, m)
	fixture.WantError(t, err, omniscope.Transient, "<p>")
}
