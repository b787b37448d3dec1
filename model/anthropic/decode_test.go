package anthropic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

const (
	text     = `{"type":"text","text":"A dog."}`
	thinking = `{"type":"thinking","thinking":"Four legs.","signature":"x"}`
)

func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		content, stop string
		want          model.Response
		outcome       omniscope.Outcome
	}{
		"a text":                     {text, "end_turn", model.Response{Text: "A dog.", Finish: model.Stop}, omniscope.OK},
		"a stop sequence":            {text, "stop_sequence", model.Response{Text: "A dog.", Finish: model.Stop}, omniscope.OK},
		"texts are joined":           {text + "," + text, "end_turn", model.Response{Text: "A dog.A dog.", Finish: model.Stop}, omniscope.OK},
		"thinking before the text":   {thinking + "," + text, "end_turn", model.Response{Text: "A dog.", Finish: model.Stop, Report: model.Report{Reasoning: 3}}, omniscope.OK},
		"thinking alone":             {thinking, "max_tokens", model.Response{Finish: model.Length, Reasoning: true, Report: model.Report{Reasoning: 3}}, omniscope.Truncated},
		"hidden thinking alone":      {`{"type":"redacted_thinking","data":"xyz"}`, "end_turn", model.Response{Finish: model.Stop, Reasoning: true, Report: model.Report{Reasoning: 1}}, omniscope.OK},
		"a tool":                     {`{"type":"tool_use","id":"t","name":"look","input":{}}`, "tool_use", model.Response{Finish: "tool_calls", ToolCalls: []string{"look"}}, omniscope.OK},
		"a full context":             {text, "model_context_window_exceeded", model.Response{Text: "A dog.", Finish: model.Length}, omniscope.Truncated},
		"a refusal with a text":      {text, "refusal", model.Response{Refusal: "A dog.", Finish: model.ContentFilter}, omniscope.Refused},
		"a refusal without a text":   {"", "refusal", model.Response{Finish: model.ContentFilter}, omniscope.Refused},
		"an unknown stop":            {text, "pause_turn", model.Response{Text: "A dog.", Finish: "pause_turn"}, omniscope.OK},
		"a block of an unknown type": {text + `,{"type":"new"}`, "end_turn", model.Response{Text: "A dog.", Finish: model.Stop}, omniscope.OK},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := ask(t, answering(t, 200, http.Header{"Request-Id": {"req_7"}}, completion(c.content, c.stop, "claude-test-1", 3, 4)))
			fixture.OK(t, err)
			c.want.ID, c.want.Model, c.want.Usage = "req_7", "claude-test-1", model.Usage{TokensIn: 3, TokensOut: 4}
			if !reflect.DeepEqual(*resp, c.want) || resp.Outcome() != c.outcome {
				t.Errorf("got\n%+v, %s\nwant\n%+v, %s", *resp, resp.Outcome(), c.want, c.outcome)
			}
		})
	}
}

func TestRefusalExplained(t *testing.T) {
	body := strings.Replace(completion("", "refusal", "m", 1, 1), `"stop_sequence":null`, `"stop_details":{"type":"refusal","category":"bio","explanation":"It is about pathogens."}`, 1)
	resp, err := ask(t, answering(t, 200, nil, body))
	if err != nil || resp.Refusal != "It is about pathogens." {
		t.Errorf("got %+v, %v", resp, err)
	}
}

func TestUsage(t *testing.T) {
	for usage, want := range map[string]model.Response{
		`{"input_tokens":10,"cache_creation_input_tokens":200,"cache_read_input_tokens":3000,"output_tokens":7}`: {Usage: model.Usage{TokensIn: 3210, Cached: 3000, TokensOut: 7}},
		`{"input_tokens":10,"output_tokens":7,"output_tokens_details":{"thinking_tokens":5}}`:                    {Usage: model.Usage{TokensIn: 10, TokensOut: 7}, Report: model.Report{Reasoning: 5}},
		`{"input_tokens":-1,"output_tokens":7}`:                                                                  {Usage: model.Usage{TokensOut: 7}, Report: model.Report{Odd: `{"input_tokens":-1,"output_tokens":7}`}},
		`{"input_tokens":1,"output_tokens":"many"}`:                                                              {Usage: model.Usage{TokensIn: 1}, Report: model.Report{Odd: `{"input_tokens":1,"output_tokens":"many"}`}},
		`null`: {}, `7`: {},
	} {
		body := said("yes")
		body = body[:strings.Index(body, `"usage":`)] + `"usage":` + usage + "}"
		resp, err := ask(t, answering(t, 200, nil, body))
		if err != nil || resp.Usage != want.Usage || resp.Report != want.Report {
			t.Errorf("%s: got %+v, %v", usage, resp, err)
		}
	}
}

// TestBodiesThatAreNoAnswer may have been paid for: their status was 200.
func TestBodiesThatAreNoAnswer(t *testing.T) {
	whole := said("yes")
	for name, body := range map[string]string{
		"nothing": "", "a page": "<html>Sign in.", "cut": whole[:len(whole)/2], "null": "null", "a list": "[]",
		"no content": `{"type":"message","stop_reason":"end_turn"}`, "no stop reason": `{"type":"message","content":[],"stop_reason":null}`,
		"content that is text": `{"type":"message","content":"yes","stop_reason":"end_turn"}`, "two answers": whole + whole,
		"another protocol": `{"choices":[{"message":{"content":"yes"}}]}`,
	} {
		_, err := ask(t, answering(t, 200, nil, body))
		fixture.WantError(t, err, omniscope.Transient, "not the JSON of the protocol")
		if model.LostIn(err).Tries != 1 {
			t.Errorf("%s: does not count as paid", name)
		}
	}
	const start = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"type\":\"message\",\"content\":[]}}\n\n"
	for body, want := range map[string]string{
		start + "event: ping\ndata: {\"type\":\"ping\"}\n\n":                                                                        "no whole message",
		start + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n": "Overloaded",
		start + "data: {\"type\":\"content_bl":                                                                                      "not JSON",
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n":                                                                "no whole message",
	} {
		_, err := ask(t, answering(t, 200, http.Header{"Content-Type": {"text/event-stream"}}, body))
		fixture.WantError(t, err, omniscope.Transient, want)
	}
	_, err := ask(t, answering(t, 200, http.Header{"Content-Type": {"text/html"}}, "<p>Sign in."))
	fixture.WantError(t, err, omniscope.Transient, "text/html instead of JSON", "Sign in.")
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		status        int
		kind, message string
		want          omniscope.Kind
	}{
		{400, "invalid_request_error", "messages: at least one message is required", omniscope.Invalid},
		{400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.", omniscope.Denied},
		{400, "invalid_request_error", "You have reached your specified API usage limits.", omniscope.Denied},
		{400, "invalid_request_error", "Output blocked by content filtering policy", omniscope.Declined},
		{401, "authentication_error", "invalid x-api-key", omniscope.Denied},
		{402, "billing_error", "pay", omniscope.Denied},
		{403, "permission_error", "no", omniscope.Denied},
		{404, "not_found_error", "model: claude-test", omniscope.Denied},
		{413, "request_too_large", "too large", omniscope.Invalid},
		{429, "rate_limit_error", "slow down", omniscope.Transient},
		{500, "api_error", "oh", omniscope.Transient},
		{504, "timeout_error", "late", omniscope.Transient},
		{529, "overloaded_error", "Overloaded", omniscope.Transient},
		{418, "new_error", "oh", omniscope.Invalid},
	} {
		body := fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, c.kind, c.message)
		_, err := ask(t, answering(t, c.status, nil, body))
		fixture.WantError(t, err, c.want, fmt.Sprint(c.status), c.kind, c.message)
		if got, late := model.LostIn(err).Tries == 1, c.status == 504; got != late {
			t.Errorf("%d: counts as paid: %v, want %v", c.status, got, late)
		}
		if c.kind == "new_error" { // no status of its own
			continue
		}
		_, err = ask(t, answering(t, 200, nil, body)) // an error that came too late for its status
		fixture.WantError(t, err, c.want, fmt.Sprint(c.status), c.kind)
	}
}

// TestErrorsOfGateways have no type, or are no JSON.
func TestErrorsOfGateways(t *testing.T) {
	for status, kind := range map[int]omniscope.Kind{
		301: omniscope.Denied, 400: omniscope.Invalid, 401: omniscope.Denied, 403: omniscope.Denied, 404: omniscope.Denied, 405: omniscope.Denied,
		408: omniscope.Transient, 409: omniscope.Transient, 413: omniscope.Invalid, 422: omniscope.Invalid, 429: omniscope.Transient,
		500: omniscope.Transient, 502: omniscope.Transient, 503: omniscope.Transient, 529: omniscope.Transient,
	} {
		for _, body := range []string{"<h1>oh</h1>", `{"detail":"oh"}`, `{"error":"oh"}`} {
			_, err := ask(t, answering(t, status, http.Header{"Content-Type": {"text/html"}}, body))
			fixture.WantError(t, err, kind, fmt.Sprint(status), "oh")
		}
	}
}

func TestUnknownModelIsNamed(t *testing.T) {
	_, err := ask(t, answering(t, 404, nil, `{"type":"error","error":{"type":"not_found_error","message":"Not Found"}}`))
	fixture.WantError(t, err, omniscope.Denied, `model "claude-test"`)
}

func TestRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{"": 0, "7": 7 * time.Second} {
		_, err := ask(t, answering(t, 429, http.Header{"Retry-After": {header}}, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`))
		var e *omniscope.Error
		if !errors.As(err, &e) || e.RetryAfter != want || !model.RateLimited(err) {
			t.Errorf("%q: got %#v", header, err)
		}
	}
}

func TestConnectionEndsWithinAnswer(t *testing.T) {
	s := &strictServer{respond: func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Length", "1000")
		reply(w, 200, nil, said("yes")[:40])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}}
	_, err := ask(t, s.start(t, exchange.Options{}))
	fixture.WantError(t, err, omniscope.Transient, "the answer broke off")
	if model.LostIn(err).Tries != 1 {
		t.Error("does not count as paid")
	}
}

func TestNoServer(t *testing.T) {
	m, err := New(exchange.Options{BaseURL: "http://127.0.0.1:1"})
	fixture.OK(t, err)
	_, err = ask(t, m)
	fixture.WantError(t, err, omniscope.Transient, "connect to http://127.0.0.1:1/v1")
	var none *model.Unanswered
	if !errors.As(err, &none) || none.Connected || model.LostIn(err).Tries != 0 {
		t.Errorf("got %#v", err)
	}
}

func TestSilentServer(t *testing.T) {
	s := &strictServer{respond: func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() }}
	m := s.start(t, exchange.Options{Timeout: 50 * time.Millisecond})
	_, err := ask(t, m)
	fixture.WantError(t, err, omniscope.Transient, "no whole answer within 50ms")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Generate(ctx, question()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's own error", err)
	}
}
