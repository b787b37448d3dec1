package wrap

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

func TestResultMatchesEncodingJSON(t *testing.T) {
	for name, r := range map[string]Result{
		"empty": {},
		"an answer": {Model: "openai/m", Answered: "m-1", Text: "<b> & \"c\"\n\u2028 é \xff", Finish: model.Stop, ID: "x",
			LatencyMS: 50.123, Tries: 3, Usage: model.Usage{TokensIn: 10, TokensOut: 2, CostUSD: 0.0001234}},
		"a refusal":                     {Model: "m", Refusal: "no", DroppedOptions: []string{"temperature", "response_format"}},
		"a tool call":                   {Model: "m", Finish: "tool_calls", ToolCalls: []string{"lookup", "a \"b\""}, DroppedOptions: []string{"seed"}},
		"reasoning":                     {Model: "m", Finish: model.Length, Reasoning: true},
		"one missing":                   {Model: "m", DroppedOptions: []string{"temperature"}},
		"a failure":                     {Model: "m", Error: "gave up", Kind: "exhausted"},
		"a failure that cost something": {Model: "m", Error: "gave up", Kind: "exhausted", Lost: model.Lost{Tries: 2, TokensIn: 3, TokensOut: 4, CostUSD: 0.5}},
		"media":                         {Model: "m", Text: "a", Sent: []model.SentMedia{{Kind: model.ImagePart, Parts: 2, Bytes: 1 << 40, SHA256: "ab"}, {Kind: model.AudioPart, Parts: 1, Bytes: 3, SHA256: "cd"}}},
		"an estimate":                   {Model: "m", Text: "a", Streamed: true, Usage: model.Usage{TokensIn: 1, TokensOut: 1, Estimated: true, Reported: `{"prompt_tokens":-1}`}},
	} {
		want, err := marshal(r)
		fixture.OK(t, err)
		if diff := cmp.Diff(string(want), string(r.appendJSON(nil))); diff != "" {
			t.Errorf("%s: (-encoding/json +ours)\n%s", name, diff)
		}
	}
}
