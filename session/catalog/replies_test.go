package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
)

// The text of each answer, which ends within a word.
const halfText = "A person walks along a quiet str"

// An adapterForm is a provider, and the way in which its answers come.
type adapterForm struct {
	name, provider, model string
	// answer is an answer with status 200 that ended for a reason, and its Content-Type.
	answer func(reason string) (kind, body string)
}

// adapterForms are the adapters: one provider for each protocol, and the streams of the OpenAI protocol.
var adapterForms = []adapterForm{
	{"openai", "openai", "m", wholeChoice},
	{"openai, streamed", "openai", "m", streamedChoice},
	{"dashscope, streamed", "dashscope", "qwen3-omni-flash", streamedChoice},
	{"azure", "azure", "m", wholeChoice},
	{"anthropic", "anthropic", "m", func(reason string) (string, string) {
		return "application/json", fmt.Sprintf(`{"type":"message","content":[{"type":"text","text":%q}],"stop_reason":%q,"usage":{"input_tokens":1500,"output_tokens":16}}`, halfText, reason)
	}},
	{"anthropic, streamed", "anthropic", "m", func(reason string) (string, string) {
		return "text/event-stream", `event: message_start
data: {"type":"message_start","message":{"type":"message","id":"x","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1500,"output_tokens":1}}}

event: ping
data: {"type":"ping"}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + halfText + `"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"` + reason + `"},"usage":{"output_tokens":16}}

event: message_stop
data: {"type":"message_stop"}

`
	}},
	{"gemini, streamed", "gemini", "m", func(reason string) (string, string) {
		return "text/event-stream", fmt.Sprintf("data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":%q}]}}]}\n\ndata: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":%q}]},\"finishReason\":%q}],", halfText[:9], halfText[9:], reason) +
			"\"usageMetadata\":{\"promptTokenCount\":1500,\"candidatesTokenCount\":16}}\n\n"
	}},
	{"gemini, as a list", "gemini", "m", func(reason string) (string, string) {
		return "application/json", fmt.Sprintf(`[{"candidates":[{"content":{"parts":[{"text":%q}]},"finishReason":%q}]},{"usageMetadata":{"promptTokenCount":1500,"candidatesTokenCount":16}}]`, halfText, reason)
	}},
	{"gemini", "gemini", "m", func(reason string) (string, string) {
		return "application/json", fmt.Sprintf(`{"candidates":[{"content":{"parts":[{"text":%q}]},"finishReason":%q}],"usageMetadata":{"promptTokenCount":1500,"candidatesTokenCount":16}}`, halfText, reason)
	}},
}

func wholeChoice(reason string) (string, string) {
	return "application/json", fmt.Sprintf(`{"choices":[{"message":{"content":%q},"finish_reason":%q}],"usage":{"prompt_tokens":1500,"completion_tokens":16}}`, halfText, reason)
}

func streamedChoice(reason string) (string, string) {
	return "text/event-stream", fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":%q}]}\n\n", halfText, reason) +
		"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1500,\"completion_tokens\":16}}\n\ndata: [DONE]\n\n"
}

// outcomeOf returns in words what an answer or its error means for a run: the outcome of the sample, whether it is tried again or
// stops the run, and the tries that count as paid.
func outcomeOf(resp *model.Response, err error) string {
	if err == nil {
		unknown := ""
		if !resp.Finish.IsKnown() {
			unknown = ", counted as unknown"
		}
		return fmt.Sprintf("%s%s, paid 1", resp.Outcome(), unknown)
	}
	what := omniscope.OutcomeOf(err).String()
	switch kind := omniscope.KindOf(err); {
	case kind.EndsRun():
		what = "stops"
	case kind == omniscope.Transient:
		what += ", tried again"
	}
	return fmt.Sprintf("%s, paid %d", what, model.LostIn(err).Tries)
}

// asked asks a model of a provider with a server that gives one reply.
func asked(t *testing.T, a adapterForm, status int, header http.Header, body string) (*model.Response, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent bytes.Buffer
		if _, err := sent.ReadFrom(r.Body); err != nil {
			t.Error(err)
		}
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		if _, err := w.Write([]byte(body)); err != nil {
			t.Log(err)
		}
	}))
	defer server.Close()
	for i := range Providers {
		p := &Providers[i]
		if p.Name != a.provider {
			continue
		}
		m, _, err := p.Open(t.Context(), exchange.Options{Name: a.model, BaseURL: server.URL, Key: omniscope.NewSecret("sk-of-this-test-0123456789"), Timeout: time.Minute, Conns: 1})
		fixture.OK(t, err)
		return m.Generate(t.Context(), &model.Request{Step: "s", Attempt: 1, Model: a.model, Messages: []model.Message{model.Text(model.User, "What do you see?")}})
	}
	t.Fatalf("no provider %s", a.provider)
	return nil, nil
}

// TestFinishReasonsOfAllAdapters runs each reason that providers are known to give through each adapter: one meaning has one
// outcome, from every provider.
func TestFinishReasonsOfAllAdapters(t *testing.T) {
	const (
		complete = "ok, paid 1"
		cut      = "truncated, paid 1"
		filtered = "refused, paid 1"
		gaveUp   = "failed, tried again, paid 1"
		unknown  = "ok, counted as unknown, paid 1"
	)
	for want, reasons := range map[string][]string{
		complete: {"stop", "STOP", "end_turn", "stop_sequence", "eos", "tool_calls", "tool_use", "COMPLETE"},
		cut: {"length", "MAX_TOKENS", "max_tokens", "FinishReason.MAX_TOKENS", "model_length", "max_output_tokens", "incomplete", "model_context_window_exceeded",
			"repetition", "REASON_MAX_LEN"},
		filtered: {"content_filter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "sensitive", "content_filter: RECITATION", "refusal",
			"guardrail_intervened", "IMAGE_SAFETY"},
		gaveUp: {"error", "abort", "network_error", "insufficient_system_resource", "error_finish", "OTHER", "MALFORMED_FUNCTION_CALL", "LANGUAGE", "timeout",
			"MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL"},
		unknown: {"weird", "compaction"},
	} {
		for _, reason := range reasons {
			for _, a := range adapterForms {
				kind, body := a.answer(reason)
				resp, err := asked(t, a, http.StatusOK, http.Header{"Content-Type": {kind}}, body)
				if got := outcomeOf(resp, err); got != want {
					t.Errorf("%s, %q: %s (%v), want %s", a.name, reason, got, err, want)
				}
				if want == complete && (resp == nil || resp.Text != halfText || resp.Usage.TokensIn != 1500 || resp.Usage.TokensOut != 16) {
					t.Errorf("%s, %q: %+v, want the text and the tokens", a.name, reason, resp)
				}
				if err != nil && (!strings.Contains(err.Error(), reason) || model.LostIn(err).TokensIn != 1500) {
					t.Errorf("%s, %q: %v does not name the reason, or lost %+v and not the tokens that were counted", a.name, reason, err, model.LostIn(err))
				}
			}
		}
	}
}

// refusedReplies are errors in the words of providers, with what they mean.
var refusedReplies = []struct {
	name   string
	status int
	body   string
	want   string
}{
	{"OpenAI, no quota", 429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}}`, "stops, paid 0"},
	{"OpenAI, key", 401, `{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}`, "stops, paid 0"},
	{"DeepSeek, balance", 402, `{"error":{"message":"Insufficient Balance","type":"unknown_error"}}`, "stops, paid 0"},
	{"Zhipu, balance", 429, `{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}`, "stops, paid 0"},
	{"Zhipu, balance in English", 429, `{"error":{"code":"1113","message":"Insufficient balance or no resource package. Please recharge."}}`, "stops, paid 0"},
	{"Kimi, suspended", 429, `{"error":{"message":"Your account is suspended due to insufficient balance, please recharge your account or check your plan and billing details","type":"exceeded_current_quota_error"}}`, "stops, paid 0"},
	{"MiniMax, balance", 500, `{"type":"error","error":{"type":"api_error","message":"insufficient balance (1008)"}}`, "stops, paid 0"},
	{"MiniMax, balance in 200", 200, `{"id":"x","choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, "stops, paid 0"},
	{"MiniMax, key in 200", 200, `{"id":"x","choices":null,"base_resp":{"status_code":1004,"status_msg":"login fail: Please carry the API secret key"}}`, "stops, paid 0"},
	{"MiniMax, crowded in 200", 200, `{"id":"x","choices":null,"base_resp":{"status_code":1002,"status_msg":"rate limit"}}`, "failed, tried again, paid 0"},
	{"MiniMax, filter in 200", 200, `{"id":"x","choices":null,"base_resp":{"status_code":1026,"status_msg":"input new_sensitive"}}`, "refused, paid 0"},
	{"MiniMax, filter in 500", 500, `{"type":"error","error":{"type":"api_error","message":"input new_sensitive (1026)"}}`, "refused, paid 0"},
	{"Baidu, day in 200", 200, `{"error_code":17,"error_msg":"Open api daily request limit reached"}`, "stops, paid 0"},
	{"Baidu, crowded in 200", 200, `{"error_code":18,"error_msg":"Open api qps request limit reached"}`, "failed, tried again, paid 0"},
	{"DashScope, key in 200", 200, `{"code":"InvalidApiKey","message":"Invalid API-key provided.","request_id":"r"}`, "stops, paid 0"},
	{"DashScope, arrears", 400, `{"error":{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing."}}`, "stops, paid 0"},
	{"DashScope, filter", 400, `{"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content."}}`, "refused, paid 0"},
	{"Google, day", 429, `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1s"}]}}]`, "stops, paid 0"},
	{"Google, minute", 429, `[{"error":{"code":429,"message":"You exceeded your current quota. Please retry in 6.2s.","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"6s"}]}}]`, "failed, tried again, paid 0"},
	{"Google, key", 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, "stops, paid 0"},
	{"OpenRouter, day", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day","code":429}}`, "stops, paid 0"},
	{"OpenRouter, credits", 402, `{"error":{"message":"This request requires more credits, or fewer max_tokens.","code":402}}`, "stops, paid 0"},
	{"OpenRouter, crowded provider", 429, `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"acme/omni is temporarily rate-limited upstream. Please retry shortly","provider_name":"Acme"}}}`, "failed, tried again, paid 0"},
	{"OpenRouter, filter", 403, `{"error":{"message":"Input blocked: request was flagged by moderation","code":403,"metadata":{"reasons":["violence"]}}}`, "refused, paid 0"},
	{"Groq, day with a short wait", 429, `{"error":{"message":"Rate limit reached on tokens per day (TPD): Limit 100000. Please try again in 1m26.4s.","code":"rate_limit_exceeded"}}`, "failed, tried again, paid 0"},
	{"LiteLLM, budget", 400, `{"error":{"message":"Budget has been exceeded! Current cost: 1.1, Max budget: 1.0","type":"budget_exceeded","code":"400"}}`, "stops, paid 0"},
	{"LiteLLM, model", 400, `{"error":{"message":"Invalid model name passed in model=nosuch. Call /v1/models to view available models for your key.","code":"400"}}`, "stops, paid 0"},
	{"LiteLLM, key", 400, `{"error":{"message":"No connected db.","type":"no_db_connection","code":"400"}}`, "stops, paid 0"},
	{"Anthropic, credit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, "stops, paid 0"},
	{"Anthropic, disabled", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"This organization has been disabled."}}`, "stops, paid 0"},
	{"Anthropic, crowded", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 50,000 input tokens per minute."}}`, "failed, tried again, paid 0"},
	{"an account that is flagged", 403, `{"error":{"message":"Your account has been flagged for violating our usage policies."}}`, "stops, paid 0"},
	{"xAI, filter", 403, `{"code":"The caller does not have permission to execute the specified operation","error":"Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO"}`, "refused, paid 0"},
	{"xAI, credits", 403, `{"code":"The caller does not have permission to execute the specified operation","error":"Your team has either used all available credits or reached its monthly spending limit."}`, "stops, paid 0"},
	{"Vertex, filter", 403, `{"error":{"message":"Prompt contains sensitive words that violate the usage policy","type":"forbidden"}}`, "refused, paid 0"},
	{"DeepSeek, filter", 400, `{"error":{"message":"Content Exists Risk","type":"invalid_request_error","code":"invalid_request_error"}}`, "refused, paid 0"},
	{"Zhipu, filter", 400, `{"contentFilter":[{"level":1,"role":"user"}],"error":{"code":"1301","message":"系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语，感谢您的配合。"}}`, "refused, paid 0"},
	{"OpenAI, filter", 400, `{"error":{"message":"Your request was rejected as a result of our safety system.","type":"image_generation_user_error","code":"moderation_blocked"}}`, "refused, paid 0"},
	{"Azure, filter", 400, `{"error":{"inner_error":{"code":"ResponsibleAIPolicyViolation"},"code":"content_filter","message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy."}}`, "refused, paid 0"},
	{"Moonshot, filter", 400, `{"error":{"message":"The request was rejected because it was considered high risk","type":"content_filter"}}`, "refused, paid 0"},
	{"Volcengine, filter", 400, `{"error":{"code":"InputTextSensitiveContentDetected","message":"The request failed because the input text may contain sensitive information."}}`, "refused, paid 0"},
	{"Volcengine, overdue", 403, `{"error":{"code":"AccountOverdueError","message":"The request failed because your account has an overdue balance."}}`, "stops, paid 0"},
	{"SiliconFlow, balance", 403, `{"code":30001,"message":"Sorry, your account balance is insufficient","data":null}`, "stops, paid 0"},
	{"Fireworks, suspended", 412, `{"error":{"message":"Account acme is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.","code":"PRECONDITION_FAILED"}}`, "stops, paid 0"},
	{"Cohere, trial", 429, `{"message":"You are using a Trial key, which is limited to 1000 API calls / month."}`, "stops, paid 0"},
	{"DashScope, free tier", 403, `{"error":{"code":"AllocationQuota.FreeTierOnly","message":"The free tier of the model has been exhausted."}}`, "stops, paid 0"},
	{"DashScope, tokens a minute", 429, `{"error":{"code":"Throttling.AllocationQuota","message":"Allocated quota exceeded, please increase your quota limit."}}`, "failed, tried again, paid 0"},
	{"Google, no quota for the model", 429, `[{"error":{"code":429,"message":"Quota exceeded for metric: generate_content_free_tier_requests, limit: 0, model: gemini-x. Please retry in 12s.","status":"RESOURCE_EXHAUSTED"}}]`, "stops, paid 0"},
	{"Google, crowded", 429, `[{"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED"}}]`, "failed, tried again, paid 0"},
	{"Anthropic, overloaded", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "failed, tried again, paid 0"},
	{"Anthropic, overloaded in 200", 200, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "failed, tried again, paid 1"},
	{"a server without memory", 500, `{"error":{"message":"The worker ran out of memory"}}`, "failed, tried again, paid 0"},
	{"Google, minute with a free tier", 429, `[{"error":{"code":429,"message":"Quota exceeded for metric: generate_content_free_tier_requests, limit: 15, model: gemini-x. Please retry in 12s.","status":"RESOURCE_EXHAUSTED"}}]`, "failed, tried again, paid 0"},
	{"a question that is too long", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}`, "failed, paid 0"},
	{"a name with the wrong case", 400, `{"error":{"message":"Field names are case-sensitive: Messages"}}`, "failed, paid 0"},
	{"a limit of pictures", 400, `{"error":{"message":"At most 4 image(s) may be provided in one prompt."}}`, "failed, paid 0"},
	{"a filter that is out of order", 503, `{"error":{"message":"The moderation service is not available."}}`, "failed, tried again, paid 0"},
	{"no permission", 403, `{"error":{"message":"You may not use this model."}}`, "stops, paid 0"},
	{"vLLM, a part is not installed", 500, `{"error":{"message":"Please install vllm[audio] for audio support","type":"Internal Server Error","code":500}}`, "failed, paid 0"},
	{"vLLM, a setting", 500, `{"message":"Cannot load local files without --allowed-local-media-path.","type":"InternalServerError"}`, "failed, paid 0"},
	{"llama.cpp, no pictures", 500, `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`, "failed, paid 0"},
	{"a fault of the server", 500, `{"error":{"message":"Internal server error"}}`, "failed, tried again, paid 0"},
	{"a proxy that stopped waiting", 504, `<html>Gateway time-out</html>`, "failed, tried again, paid 1"},
	{"Fastify, balance", 429, `{"statusCode":429,"error":"Too Many Requests","message":"Your balance is insufficient"}`, "stops, paid 0"},
	{"Spring, filter", 403, `{"timestamp":"x","status":403,"error":"Forbidden","message":"Content violates usage guidelines","path":"/v1"}`, "refused, paid 0"},
	{"Nest, a list of words", 400, `{"statusCode":400,"message":["a is short","b was flagged by moderation"],"error":"Bad Request"}`, "refused, paid 0"},
	{"an error that is true", 200, `{"error":true,"message":"insufficient balance"}`, "stops, paid 0"},
	{"FastAPI, an error in its detail", 429, `{"detail":{"error":{"message":"No.","code":"insufficient_quota"}}}`, "stops, paid 0"},
	{"FastAPI, a fault in its detail", 500, `{"detail":{"error":{"message":"Invalid data found","type":"x"}}}`, "failed, tried again, paid 0"},
	{"a status code in 200", 200, `{"statusCode":429,"message":"slow down"}`, "failed, tried again, paid 0"},
	{"a status in 200", 200, `{"error":{"message":"No.","status":401}}`, "stops, paid 0"},
	{"MiniMax, a status as text in 200", 200, `{"error":{"message":"No.","http_code":"429"}}`, "failed, tried again, paid 0"},
	{"a code in words in 200", 200, `{"error":{"message":"No.","code":"too_many_requests"}}`, "failed, tried again, paid 0"},
	{"a success without an answer", 200, `{"code":0,"message":"Success","sid":"x"}`, "failed, tried again, paid 1"},
	{"StepFun, filter", 451, `{"error":{"message":"The content you provided or machine outputted is blocked.","type":"censorship_blocked"}}`, "refused, paid 0"},
	{"a filter of pictures", 400, `{"error":{"message":"NSFW content detected in image"}}`, "refused, paid 0"},
	{"a filter of words", 400, `{"error":{"message":"The prompt contains sexual content"}}`, "refused, paid 0"},
	{"Cloudflare, filter", 424, `{"success":false,"errors":[{"code":2016,"message":"Prompt blocked due to security configurations"}]}`, "refused, paid 0"},
	{"a field for a filter that is unknown", 400, `{"error":{"message":"Unrecognized request argument supplied: content_filter"}}`, "failed, paid 0"},
	{"SiliconFlow, model", 400, `{"code":20012,"message":"Model does not exist. Please check it carefully.","data":null}`, "stops, paid 0"},
	{"xAI, model", 400, `{"code":"Some requested entity was not found","error":"The model grok-4.1 does not exist or your team T does not have access to it."}`, "stops, paid 0"},
	{"Mistral, model", 400, `{"object":"error","message":"Invalid model: foo","type":"invalid_model","code":"1500"}`, "stops, paid 0"},
	{"Perplexity, model", 400, `{"error":{"message":"Invalid model 'x'. Permitted models can be found in the documentation","code":400}}`, "stops, paid 0"},
	{"a file that the model misses", 400, `{"error":{"message":"The file of the model input does not exist"}}`, "failed, paid 0"},
	{"an invalid output of the model", 400, `{"error":{"message":"Invalid model output format in response_format"}}`, "failed, paid 0"},
	{"Zhipu, limit of hours", 429, `{"error":{"code":"1308","message":"Usage limit reached for 5 hour. Your limit will reset at 2026-11-28 14:00:00"}}`, "stops, paid 0"},
	{"Zhipu, crowded", 429, `{"error":{"code":"1302","message":"High concurrency usage of this API, please reduce concurrency or contact customer service"}}`, "failed, tried again, paid 0"},
	{"Bedrock, crowded with 400", 400, `{"__type":"ThrottlingException","message":"Too many tokens, please wait before trying again."}`, "failed, tried again, paid 0"},
	{"Bedrock, day with 400", 400, `{"__type":"ThrottlingException","message":"Too many tokens per day, please wait before trying again."}`, "stops, paid 0"},
	{"Google, crowded with 403", 403, `{"error":{"code":403,"message":"User Rate Limit Exceeded","status":"PERMISSION_DENIED"}}`, "failed, tried again, paid 0"},
	{"Volcengine, limit that is set", 429, `{"error":{"code":"SetLimitExceeded","message":"Your account [x] has reached the set inference limit for the [m] model, and the model service has been paused."}}`, "stops, paid 0"},
	{"Volcengine, trial", 429, `{"error":{"code":"QuotaExceeded","message":"You have reached your free trial quota."}}`, "stops, paid 0"},
	{"Google, country by any adapter", 400, `{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}`, "stops, paid 0"},
	{"a type of content", 400, `{"error":{"message":"The request needs an explicit content type"}}`, "failed, paid 0"},
	{"an output of the model", 400, `{"error":{"message":"Invalid model output."}}`, "failed, paid 0"},
	{"an offset", 400, `{"error":{"message":"reset limit: the offset limit is not a number"}}`, "failed, paid 0"},
	{"an error that came late", 200, `{"error":{"message":"The engine died."}}`, "failed, tried again, paid 1"},
	{"an empty object", 200, `{}`, "failed, tried again, paid 1"},
}

// TestErrorsOfAllAdapters runs each provider's words through each adapter: gateways hand on the words of others.
func TestErrorsOfAllAdapters(t *testing.T) {
	for _, r := range refusedReplies {
		for _, a := range adapterForms {
			header := http.Header{"Content-Type": {"application/json"}}
			body := r.body
			if strings.Contains(a.name, "streamed") && r.status == http.StatusOK {
				header.Set("Content-Type", "text/event-stream")
				body = "data: " + body + "\n\ndata: [DONE]\n\n"
			}
			resp, err := asked(t, a, r.status, header, body)
			if got := outcomeOf(resp, err); got != r.want {
				t.Errorf("%s, %s: %s (%v), want %s", a.name, r.name, got, err, r.want)
			}
		}
	}
}

// TestErrorsInsideChoices reads the errors of gateways with a provider that fails while it answers (openrouter.ai/docs, errors).
func TestErrorsInsideChoices(t *testing.T) {
	for _, c := range []struct{ name, choice, want, says string }{
		{"with half a text", `{"message":{"content":"A person walks"},"finish_reason":null,"error":{"code":502,"message":"Upstream idle timeout exceeded","metadata":{"provider_name":"Acme"}}}`,
			"failed, tried again, paid 1", "Upstream idle timeout exceeded (Acme)"},
		{"with the reason of a complete text", `{"message":{"content":"A person walks"},"finish_reason":"stop","error":{"code":502,"message":"Upstream idle timeout exceeded"}}`, "failed, tried again, paid 1", "Upstream idle"},
		{"a rate limit", `{"message":{"content":"A person walks"},"finish_reason":"error","error":{"code":429,"message":"Acme is rate-limited upstream"}}`, "failed, tried again, paid 0", "429: Acme is rate-limited"},
		{"a rate limit without a message", `{"error":{"code":429,"message":"Acme is rate-limited upstream"}}`, "failed, tried again, paid 0", "429"},
		{"beside a text that is not finished", `{"message":{"content":"A person walks"},"finish_reason":null}],"error":{"code":502,"message":"Upstream died"},"x":[`, "failed, tried again, paid 1", "Upstream died"},
		{"beside a text that was given up", `{"message":{"content":"A person walks"},"finish_reason":"error"}],"error":{"code":402,"message":"Insufficient credits"},"x":[`, "stops, paid 0", "Insufficient credits"},
		{"beside a complete text", `{"message":{"content":"A dog."},"finish_reason":"stop"}],"error":{"code":502,"message":"Upstream died"},"x":[`, "ok, paid 1", ""},
		{"without words", `{"error":{"code":502}}`, "failed, tried again, paid 1", "502"},
		{"no money", `{"finish_reason":"error","error":{"code":402,"message":"Insufficient credits"}}`, "stops, paid 0", "Insufficient credits"},
		{"a filter", `{"finish_reason":"error","error":{"code":403,"message":"flagged by moderation"}}`, "refused, paid 0", "flagged"},
		{"an error without content", `{"message":{"content":"A dog."},"finish_reason":"stop","error":{"message":"","type":"","param":"","code":null}}`, "ok, paid 1", ""},
		{"an error that is null", `{"message":{"content":"A dog."},"finish_reason":"stop","error":null}`, "ok, paid 1", ""},
	} {
		whole := `{"choices":[` + c.choice + `],"usage":{"prompt_tokens":1500,"completion_tokens":3}}`
		for kind, body := range map[string]string{"application/json": whole, "text/event-stream": "data: " + whole + "\n\ndata: [DONE]\n\n"} {
			resp, err := asked(t, adapterForms[0], http.StatusOK, http.Header{"Content-Type": {kind}}, body)
			if got := outcomeOf(resp, err); got != c.want || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %s: %s (%v), want %s that says %q", c.name, kind, got, err, c.want, c.says)
			}
			if lost := model.LostIn(err); lost.Tries > 0 && lost.TokensIn != 1500 {
				t.Errorf("%s, %s: lost %+v, want the tokens that were counted", c.name, kind, lost)
			}
		}
	}
}

// TestWaitsOfAllAdapters wants the wait that the endpoint asks for, wherever it says it.
func TestWaitsOfAllAdapters(t *testing.T) {
	inAnHour := fmt.Sprint(time.Now().Add(time.Hour).UnixMilli())
	for _, c := range []struct {
		name    string
		headers []string
		body    string
		want    time.Duration // or less, by the time that the test takes
	}{
		{"a header", []string{"Retry-After", "7"}, `{"error":{"message":"slow down"}}`, 7 * time.Second},
		{"a header in milliseconds", []string{"Retry-After-Ms", "1500"}, `{"error":{"message":"slow down"}}`, 1500 * time.Millisecond},
		{"Google's details", nil, `[{"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"36s"}]}}]`, 36 * time.Second},
		{"words", []string{"x-ratelimit-reset-tokens", "1m30.5s"}, `{"error":{"message":"Rate limit reached for m. Please try again in 5s."}}`, 5 * time.Second},
		{"durations", []string{"X-Ratelimit-Reset-Requests", "1m30.5s"}, `{"error":{"message":"Rate limit reached"}}`, 90500 * time.Millisecond},
		{"milliseconds since 1970", []string{"X-Ratelimit-Reset", inAnHour, "X-Ratelimit-Remaining", "0"}, `{"error":{"message":"Rate limit reached"}}`, time.Hour},
		{"a header in the body", nil, `{"error":{"message":"Provider returned error","metadata":{"headers":{"X-RateLimit-Reset":"` + inAnHour + `"}}}}`, time.Hour},
		{"a field of the body", nil, `{"error":{"message":"slow down","retry_after":4}}`, 4 * time.Second},
		{"a field beside the error", nil, `{"error":{"message":"slow down"},"retry_after":4}`, 4 * time.Second},
		{"a field beside words", nil, `{"error":"slow down","retryAfter":"4s"}`, 4 * time.Second},
		{"a field in milliseconds", nil, `{"error":{"message":"slow down","details":{"retry_after_ms":4000}}}`, 4 * time.Second},
		{"an object of seconds", nil, `{"error":{"message":"slow down","details":[{"retryDelay":{"seconds":"4","nanos":0}}]}}`, 4 * time.Second},
		{"Retry-After in the body", nil, `{"error":{"message":"Provider returned error","metadata":{"headers":{"Retry-After":"4"}}}}`, 4 * time.Second},
		{"the time that a model loads", nil, `{"error":"Model m is currently loading","estimated_time":4.0}`, 4 * time.Second},
		{"the draft standard", []string{"Ratelimit", `"api";r=0;t=5`}, `{"error":"We had to rate limit your IP."}`, 5 * time.Second},
		{"none", nil, `{"error":{"message":"slow down"}}`, 0},
	} {
		for _, a := range adapterForms {
			header := http.Header{"Content-Type": {"application/json"}}
			for i := 0; i < len(c.headers); i += 2 {
				header.Set(c.headers[i], c.headers[i+1])
			}
			_, err := asked(t, a, http.StatusTooManyRequests, header, c.body)
			own, ok := errors.AsType[*omniscope.Error](err)
			if !ok || own.Kind != omniscope.Transient || own.RetryAfter > c.want || own.RetryAfter < c.want && (c.want < time.Hour || own.RetryAfter < c.want/2) {
				t.Errorf("%s, %s: %v, want a wait of %s", a.name, c.name, err, c.want)
			}
		}
	}
}
