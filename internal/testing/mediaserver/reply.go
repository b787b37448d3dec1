package mediaserver

import (
	"encoding/json"
	"strings"

	"omniscope/internal/testing/mockllm"
)

// completion is the answer to an accepted request, as a stream of events if it
// asked for one.
func completion(seen *Seen, answer string) mockllm.Reply {
	out := len(strings.Fields(answer))
	if !seen.Streamed {
		return mockllm.Reply{Content: answer, PromptTokens: max(1, seen.PromptTokens), CompletionTokens: max(1, out)}
	}
	var b strings.Builder
	event := func(choices []any, usage any) {
		chunk, _ := json.Marshal(map[string]any{"id": "chatcmpl-stream", "object": "chat.completion.chunk", "model": seen.Model, "choices": choices, "usage": usage})
		b.WriteString("data: " + string(chunk) + "\n\n")
	}
	choice := func(delta map[string]any, finish any) []any {
		return []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}
	}
	event(choice(map[string]any{"role": "assistant", "content": ""}, nil), nil)
	half := len(answer) / 2
	for half > 0 && half < len(answer) && answer[half]&0xc0 == 0x80 { // not within a character
		half--
	}
	for _, piece := range []string{answer[:half], answer[half:]} {
		event(choice(map[string]any{"content": piece}, nil), nil)
	}
	event(choice(map[string]any{}, "stop"), nil)
	if seen.usage {
		event([]any{}, map[string]any{"prompt_tokens": seen.PromptTokens, "completion_tokens": out, "total_tokens": seen.PromptTokens + out})
	}
	b.WriteString("data: [DONE]\n\n")
	return mockllm.Reply{Raw: []byte(b.String()), ContentType: "text/event-stream"}
}
