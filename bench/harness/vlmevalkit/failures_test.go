package vlmevalkit

import (
	"testing"

	"omniscope"
	"omniscope/bench/harness"
)

func TestTextsOfFailures(t *testing.T) {
	for text, want := range map[string]omniscope.Outcome{
		"Failed to obtain answer via API.":                                   omniscope.Failed,
		"Failed to obtain answer via API. content_filter":                    omniscope.Refused,
		"Failed to obtain answer via bailingMM API.":                         omniscope.Failed,
		"Failed to obtain answer BlueLM API. ":                               omniscope.Failed,
		"Failed to obtain answer: <class 'RuntimeError'> CUDA out of memory": omniscope.Failed,
		"Fail to obtain answer via API.":                                     omniscope.Failed,
		"Chat Mode: Failed with all possible conversation turns.":            omniscope.Failed,
		"Error: HTTPConnectionPool(host=x, port=80): Read timed out.":        omniscope.Failed,
		"Error: Bad Response Statuse Code. ":                                 omniscope.Failed,
		"Error: Failed to parse the response. x":                             omniscope.Failed,
		"Error! code 500 content: b'...'":                                    omniscope.Failed,
		"Image Decode Error":                                                 omniscope.Failed,
		"Thinking mode too long to extract answer":                           omniscope.Truncated,
		"No answer tag found in the final output.":                           omniscope.Unparsed,
		"B":           omniscope.OK,
		"An Error: B": omniscope.OK,
		"Error":       omniscope.OK,
	} {
		s := sample(harness.Place{}, make(map[string]string), text, false)
		if s.Outcome != want {
			t.Errorf("%q is %v (%s), want %v", text, s.Outcome, s.Why, want)
		}
		if text == "Error" && s.Suspicion == "" {
			t.Errorf("%q is not suspicious", text)
		}
	}
}
