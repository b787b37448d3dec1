package m3bench

import (
	"testing"

	"omniscope"
)

func TestVerdictsAmongMarks(t *testing.T) {
	for reply, want := range map[string]omniscope.Verdict{
		"Yes":                           omniscope.Correct,
		"Yes<|im_end|>":                 omniscope.Correct,
		"<think>no</think>Yes":          omniscope.Correct,
		"<analysis>No</analysis>\nYes.": omniscope.Correct,
		"No</s>":                        omniscope.Wrong,
		"<|channel|>analysis<|message|>Yes<|end|><|start|>assistant<|channel|>final<|message|>No<|return|>": omniscope.Wrong,
		"<think>No, or yes": omniscope.Unjudged,
	} {
		if got, err := read(reply); got != want || (err != nil) != (want == omniscope.Unjudged) {
			t.Errorf("%q is %v, %v; want %v", reply, got, err, want)
		}
	}
}
