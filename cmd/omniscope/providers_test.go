package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"omniscope/internal/testing/fake"
)

// A dialect is how a provider answers, in its own protocol and words.
type dialect struct {
	judge string
	// answer is an answer with status 200 that ended for a reason, and its Content-Type.
	answer func(text, reason string) (kind, body string)
	// The reasons of complete answers, of limits, filters and failures, and an unknown one.
	complete, limit, filter, gaveUp, unknown string
	refusals                                 map[string]errorReply // by what they mean; see meanings
}

// An errorReply is an error of a provider.
type errorReply struct {
	status int
	body   string
}

// meanings are what the errors of providers mean: the outcome of every sample ("" = the run stops), the exit code, and the tries of a
// sample that may have to be paid for, of two.
var meanings = map[string]behaviour{
	"no money":                    {exit: exitFailed},
	"no money, with status 200":   {exit: exitFailed},
	"a wrong key":                 {exit: exitFailed},
	"no such model":               {exit: exitFailed},
	"a filter":                    {outcome: "refused", exit: exitFailures, served: 2},
	"a filter that blocks":        {outcome: "refused", exit: exitFailures, served: 2, paid: 1}, // with counted tokens
	"too many calls":              {outcome: "failed", exit: exitFailures},
	"overloaded":                  {outcome: "failed", exit: exitFailures},
	"overloaded, with status 200": {outcome: "failed", exit: exitFailures, paid: 2},
	"a bad request":               {outcome: "failed", exit: exitFailures, served: 2},
	"an error that came late":     {outcome: "failed", exit: exitFailures, paid: 2},
}

func chatAnswer(text, reason string) (kind, body string) {
	return "application/json", fmt.Sprintf(`{"choices":[{"message":{"content":%q},"finish_reason":%q}],"usage":{"prompt_tokens":40,"completion_tokens":9}}`, text, reason)
}

func chatStream(text, reason string) (kind, body string) {
	return "text/event-stream", fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":%q},\"finish_reason\":\"null\"}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":%q}]}\n\n", text, reason) +
		"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":40,\"completion_tokens\":9}}\n\ndata: [DONE]\n\n"
}

func messagesAnswer(text, reason string) (kind, body string) {
	return "application/json", fmt.Sprintf(`{"type":"message","model":"m","content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":%q}],"stop_reason":%q,"usage":{"input_tokens":40,"output_tokens":9}}`, text, reason)
}

func generateAnswer(text, reason string) (kind, body string) {
	return "application/json", fmt.Sprintf(`{"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true},{"text":%q}]},"finishReason":%q}],"usageMetadata":{"promptTokenCount":40,"candidatesTokenCount":9}}`, text, reason)
}

// dialects are the providers of models that answer over a network, each with the words of its documentation.
func dialects() []dialect {
	return []dialect{
		{"openai/m", chatAnswer, "stop", "length", "content_filter", "error", "weird", map[string]errorReply{
			"no money":                {429, `{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","code":"insufficient_quota"}}`},
			"a wrong key":             {401, `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`},
			"no such model":           {404, "{\"error\":{\"message\":\"The model `m` does not exist\",\"code\":\"model_not_found\"}}"},
			"a filter":                {400, `{"error":{"message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy.","code":"invalid_prompt"}}`},
			"too many calls":          {429, `{"error":{"message":"Rate limit reached. Please try again in 2ms.","code":"rate_limit_exceeded"}}`},
			"overloaded":              {503, `{"error":{"message":"The server is overloaded","type":"server_error"}}`},
			"a bad request":           {400, `{"error":{"message":"Invalid value","type":"invalid_request_error"}}`},
			"an error that came late": {200, `{"error":{"message":"The server had an error","type":"server_error"}}`},
		}},
		{"vllm/m", chatAnswer, "stop", "length", "content_filter", "abort", "weird", map[string]errorReply{
			"no such model": {404, "{\"object\":\"error\",\"message\":\"The model `m` does not exist.\",\"type\":\"NotFoundError\",\"code\":404}"},
			"a bad request": {400, `{"object":"error","message":"This model's maximum context length is 8192 tokens.","type":"BadRequestError","code":400}`},
			"overloaded":    {503, `{"error":"Service Unavailable"}`},
		}},
		{"sglang/m", chatAnswer, "stop", "length", "content_filter", "abort", "weird", map[string]errorReply{
			"a bad request": {400, `{"object":"error","message":"Only one image is taken","type":"BadRequest","code":400}`},
			"overloaded":    {500, `{"object":"error","message":"The engine is busy","type":"InternalServerError","code":500}`},
		}},
		{"dashscope/qwen3-omni-flash", chatStream, "stop", "length", "content_filter", "error", "weird", map[string]errorReply{
			"no money":                  {400, `{"error":{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}}`},
			"no money, with status 200": {200, "event:error\n:HTTP_STATUS/400\ndata:{\"code\":\"Arrearage\",\"message\":\"Access denied.\",\"request_id\":\"r\"}\n\n"},
			"a wrong key":               {200, `{"code":"InvalidApiKey","message":"Invalid API-key provided.","request_id":"r"}`},
			"no such model":             {404, "{\"error\":{\"message\":\"The model `m` does not exist or you do not have access to it.\",\"code\":\"model_not_found\"}}"},
			"a filter":                  {400, `{"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content."}}`},
			"too many calls":            {429, `{"error":{"code":"Throttling.RateQuota","message":"Requests rate limit exceeded, please try again later."}}`},
			"an error that came late":   {200, "data: {\"choices\":[{\"delta\":{\"content\":\"{\"},\"finish_reason\":null}]}\n\ndata: {\"error\":{\"message\":\"Internal error\",\"code\":\"InternalError\"}}\n\n"},
		}},
		{"openrouter/m", chatAnswer, "stop", "length", "content_filter", "error", "weird", map[string]errorReply{
			"no money":                    {402, `{"error":{"message":"Insufficient credits","code":402}}`},
			"no money, with status 200":   {200, `{"choices":[{"finish_reason":"error","error":{"code":402,"message":"Insufficient credits"}}]}`},
			"a filter":                    {403, `{"error":{"message":"Input blocked: request was flagged by moderation","code":403,"metadata":{"reasons":["violence"]}}}`},
			"too many calls":              {429, `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"m is temporarily rate-limited upstream","provider_name":"Acme"}}}`},
			"overloaded, with status 200": {200, `{"choices":[{"message":{"content":"{"},"finish_reason":"stop","error":{"code":502,"message":"Upstream idle timeout exceeded"}}]}`},
		}},
		{"azure/m", chatAnswer, "stop", "length", "content_filter", "error", "weird", map[string]errorReply{
			"a wrong key":    {401, `{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}`},
			"no such model":  {404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`},
			"a filter":       {400, `{"error":{"inner_error":{"code":"ResponsibleAIPolicyViolation"},"code":"content_filter","message":"The response was filtered."}}`},
			"too many calls": {429, `{"error":{"code":"429","message":"Requests have exceeded token rate limit of your current pricing tier. Please retry after 0.002 seconds."}}`},
		}},
		{"anthropic/m", messagesAnswer, "end_turn", "max_tokens", "refusal", "error", "pause_turn", map[string]errorReply{
			"no money":                    {400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`},
			"no money, with status 200":   {200, `{"type":"error","error":{"type":"billing_error","message":"Pay."}}`},
			"a wrong key":                 {401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`},
			"no such model":               {404, `{"type":"error","error":{"type":"not_found_error","message":"model: m"}}`},
			"a filter":                    {400, `{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}`},
			"too many calls":              {429, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your rate limit."}}`},
			"overloaded":                  {529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
			"overloaded, with status 200": {200, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
			"a bad request":               {400, `{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: too large"}}`},
		}},
		{"gemini/m", generateAnswer, "STOP", "MAX_TOKENS", "SAFETY", "OTHER", "FINISH_REASON_NEW", map[string]errorReply{
			"no money":                {429, `{"error":{"code":429,"message":"You exceeded your current quota.","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"retryDelay":"1s"}]}}`},
			"a wrong key":             {400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`},
			"no such model":           {404, `{"error":{"code":404,"message":"models/m is not found for API version v1beta","status":"NOT_FOUND"}}`},
			"a filter that blocks":    {200, `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":40}}`},
			"too many calls":          {429, `{"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"0.002s"}]}}`},
			"overloaded":              {503, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`},
			"a bad request":           {400, `{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT"}}`},
			"an error that came late": {200, `{"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}`},
		}},
	}
}

// TestLongRepliesOfProviders wants the outcome, the exit code and the tries that count as paid of each finish reason and error of each
// provider, in its own protocol.
func TestLongRepliesOfProviders(t *testing.T) {
	for _, d := range dialects() {
		ended := func(reason string) errorReply { return errorReply{body: reason} }
		for name, c := range map[string]struct {
			says errorReply // status 0 = a good answer that ends for the reason body
			want behaviour
		}{
			"complete":       {ended(d.complete), behaviour{outcome: "ok", paid: 1}},
			"a limit":        {ended(d.limit), behaviour{outcome: "truncated", exit: exitFailures, paid: 1}},
			"cut by filter":  {ended(d.filter), behaviour{outcome: "refused", exit: exitFailures, paid: 1}},
			"gave up":        {ended(d.gaveUp), behaviour{outcome: "failed", exit: exitFailures, paid: 2, says: d.gaveUp}},
			"unknown reason": {ended(d.unknown), behaviour{outcome: "ok", paid: 1, says: d.unknown}},
		} {
			t.Run(d.judge+", "+name, func(t *testing.T) { d.run(t, c.says, c.want) })
		}
		for name, says := range d.refusals {
			want, known := meanings[name]
			if !known {
				t.Fatalf("no meaning of %q", name)
			}
			t.Run(d.judge+", "+name, func(t *testing.T) { d.run(t, says, want) })
		}
	}
}

func (d *dialect) run(t *testing.T, says errorReply, want behaviour) {
	t.Parallel()
	want.later = want.outcome != "" // or the run would wait for the endpoint
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Method != http.MethodPost {
			return // a probe
		}
		status, kind, reply := says.status, "application/json", says.body
		text := ordinary(&fake.Request{Body: body}).Content
		switch first := asked.Add(1) == 1 && want.later; {
		case first:
			status = http.StatusOK
			kind, reply = d.answer(text, d.complete)
		case status == 0 && says.body != d.complete && says.body != d.unknown:
			text = text[:len(text)/2]
			fallthrough
		case status == 0:
			status = http.StatusOK
			kind, reply = d.answer(text, says.body)
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		if _, err := io.WriteString(w, reply); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(server.Close)
	tr := newTrial(t, behaviourSamples+want.first(), "-j", "1", "--retry-wait", "1ms", "--max-retries", "1", "--endpoint-wait", "1ms").asking(",attempts=1")
	tr.judge = d.judge
	v := tr.eval(server.URL)
	want.check(t, v, fake.Stats{Requests: int(asked.Load())})
	want.checkPaid(t, tr, v)
}
