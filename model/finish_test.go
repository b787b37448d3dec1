package model

import "testing"

func TestFinishReasonsByMeaning(t *testing.T) {
	for meaning, words := range map[Finish][]string{
		unstated: {"", " ", "FINISH_REASON_UNSPECIFIED", "null"},
		Stop: {"stop", "STOP", "Stop", "FinishReason.STOP", "finish_reason_stop", "REASON_STOP", "eos", "eos_token", "end_turn", "endTurn", "stop_sequence",
			"stopSequence", "COMPLETE", "completed", "finished", "normal", "end_of_text", "stop_token", "stop: eos", "stop-sequence", "SUCCEEDED", "natural_stop", "OK", "early_stopping", "full_stop", "turn_complete", "<|im_end|>"},
		Length: {"length", "LENGTH", "MAX_TOKENS", "max_tokens", "maxTokens", "MaxTokens", "FinishReason.MAX_TOKENS", "FINISH_REASON_MAX_TOKENS", "model_length",
			"max_output_tokens", "maximum_tokens", "max_new_tokens", "token_limit", "limit", "incomplete", "incomplete: max_output_tokens", "not_finished",
			"model_context_window_exceeded", "REASON_MAX_LEN", "REASON_MAX_CONTEXT", "truncated", "stop_length", "length_capped", "token_limit_reached", "max-tokens", "Max Tokens", "context_length_exceeded", "CONTEXT_WINDOW", "cut_off", "cutoff", "too_long", "kv_cache_full", "tokens_exhausted", "context_overflow"},
		repetition: {"repetition", "REPETITION", "repetition_detected"},
		ContentFilter: {"content_filter", "CONTENT_FILTER", "contentFilter", "content_filtered", "content_filter: RECITATION", "SAFETY", "FinishReason.SAFETY", "RECITATION",
			"PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "MODEL_ARMOR", "sensitive", "refusal", "guardrail_intervened",
			"ERROR_TOXIC", "error: content policy", "moderation", "risk_control", "blocked", "flagged", "policy_violation", "PROMPT_BLOCKED", "rejected", "unsafe_content", "content-filter", "violence", "HATE", "sexual", "CSAM", "illegal_content", "ip_infringement", "intervened", "length; content_filter"},
		calledTool: {"tool_calls", "tool_use", "toolUse", "TOOL_CALL", "function_call"},
		GaveUp: {"error", "ERROR", "abort", "aborted", "network_error", "networkError", "insufficient_system_resource", "error_finish", "OTHER", "LANGUAGE", "IMAGE_OTHER",
			"MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "malformed_model_output", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE",
			"timeout", "time_limit", "REASON_TIME_LIMIT", "TIMED_OUT", "cancelled", "USER_CANCEL", "ERROR_LIMIT", "internal_error", "FAILED", "NO_IMAGE", "rate_limit", "deadline_exceeded", "quota_exceeded", "out_of_memory", "preempted", "connection_closed", "server_overloaded", "internal", "resource_exhausted", "stopped_by_user", "unload"},
	} {
		for _, word := range words {
			if got := FinishOf(word); got != meaning || !got.IsKnown() {
				t.Errorf("%q means %q (known: %v), want %q", word, got, got.IsKnown(), meaning)
			}
		}
		if got := FinishOf(string(meaning)); got != meaning {
			t.Errorf("%q read again is %q", meaning, got)
		}
	}
	for _, word := range []string{"weird", "pause_turn", "COMPACTION", "0", "another"} {
		if got := FinishOf(word); got != Finish(word) || got.IsKnown() {
			t.Errorf("%q means %q (known: %v), want an unknown reason", word, got, got.IsKnown())
		}
	}
}
