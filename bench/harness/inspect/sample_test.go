package inspect

import (
	"testing"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench/harness"
)

// TestStopReasonsByMeaning: logs hold the words of providers where inspect does not know them.
func TestStopReasonsByMeaning(t *testing.T) {
	for reason, want := range map[string]omniscope.Outcome{
		"stop": omniscope.OK, "unknown": omniscope.OK, "max_tokens": omniscope.Truncated, "model_length": omniscope.Truncated, "MAX_TOKENS": omniscope.Truncated,
		"content_filter": omniscope.Refused, "SAFETY": omniscope.Refused, "network_error": omniscope.Failed, "tool_calls": omniscope.Unparsed,
	} {
		got := sample(gjson.Parse(`{"id":"a","output":{"choices":[{"message":{"role":"assistant","content":"B"},"stop_reason":"`+reason+`"}]}}`), harness.Place{})
		if got.Outcome != want {
			t.Errorf("%s: %s %q, want %s", reason, got.Outcome, got.Why, want)
		}
	}
}
