package lmmseval

import (
	"testing"

	"omniscope"
	"omniscope/bench/harness"
)

func TestTextsOfFailures(t *testing.T) {
	for text, want := range map[string]omniscope.Outcome{
		"[LMMS_EVAL_REQUEST_FAILED after 5 retries] Error code: 429 - {'error': {'message': 'Rate limit reached'}}":                                                                             omniscope.Failed,
		"[LMMS_EVAL_REQUEST_FAILED after 5 retries] Error code: 400 - {'error': {'code': 'content_filter'}}":                                                                                    omniscope.Refused,
		"[LMMS_EVAL_REQUEST_FAILED after 5 retries] Error code: 400 - {'error': {'message': \"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.": omniscope.Refused,
		"[LMMS_EVAL_REQUEST_FAILED after 3 retries] Error code: 400 - {'error': {'code': 'data_inspection_failed', 'message': 'Input data may contain inappropriate content.'":                  omniscope.Refused,
		"[LMMS_EVAL_BUDGET_EXCEEDED]": omniscope.Failed,
		"[SAFETY_BLOCKED:finish_reason=FinishReason.SAFETY,HARM_CATEGORY_X=HIGH]": omniscope.Refused,
		"[SAFETY_BLOCKED:unknown]":                                                    omniscope.Refused,
		"[SAFETY_BLOCKED:finish_reason=FinishReason.MAX_TOKENS]":                      omniscope.Truncated,
		`Error: can only concatenate str (not "NoneType") to str`:                     omniscope.Failed,
		"B\n" + `can only concatenate str (not "NoneType") to str`:                    omniscope.Failed,
		"Video /data/clips/7.mp4 can not load, check the source":                      omniscope.Failed,
		"Video ['/data/clips/7.mp4'] generate failed, check the source":               omniscope.Failed,
		"Can not infer the answer.":                                                   omniscope.Failed,
		"[GENERATION_FAILED] out of memory":                                           omniscope.Failed,
		"[ERROR] Empty prompt":                                                        omniscope.Failed,
		`{"success": false, "error": "max_agentic_steps_reached", "tool_calls": 3.0}`: omniscope.Failed,
		"B":    omniscope.OK,
		"":     omniscope.Abstained,
		"None": omniscope.Failed,
		"I can not infer the answer. It may be B.": omniscope.OK,
	} {
		var s harness.Sample
		if s.Judge(text, failures); s.Outcome != want || want != omniscope.OK && s.Answer != "" && want != omniscope.Abstained && text != "None" {
			t.Errorf("%q is %v (%s), want %v", text, s.Outcome, s.Why, want)
		}
	}
}

// TestLikeErrors: an answer that begins as failures do is kept, and marked.
func TestLikeErrors(t *testing.T) {
	for text, want := range map[string]bool{
		"Error: HTTPConnectionPool(host='x'): Read timed out.": true, "ERROR 502": true, " Error code: 500": true, "Traceback (most recent call last):\n": true, `{"error": {"code": 500}}`: true, "<html><body>502 Bad Gateway": true,
		"B": false, "The error sound is heard": false, "{'answer': 'B'}": false, "<answer>B</answer>": false,
	} {
		var s harness.Sample
		if s.Judge(text, failures); s.Outcome != omniscope.OK || (s.Suspicion != "") != want {
			t.Errorf("%q is %v, suspicion %q", text, s.Outcome, s.Suspicion)
		}
	}
}
