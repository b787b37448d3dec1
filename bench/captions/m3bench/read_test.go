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
		"<think>No, or yes":           omniscope.Unjudged,
		"'Yes'":                       omniscope.Correct,
		"**No**":                      omniscope.Wrong,
		"The answer is yes":           omniscope.Correct,
		"Output ('Yes' or 'No'): Yes": omniscope.Correct,
		"Output ('Yes' or 'No'):":     omniscope.Unjudged,
		"Yes or No":                   omniscope.Unjudged,
		"Not yes":                     omniscope.Unjudged,
		`{"answer": "Yes"}`:           omniscope.Correct,
		`{"verdict": "No", "reason": "the answer does not say yes"}`: omniscope.Wrong,
		`{"verdict": "Yes", "reason": "No"}`:                         omniscope.Unjudged,
		"Yes, the answer is wrong.":                                  omniscope.Unjudged,
		"Yes. It cannot be inferred.":                                omniscope.Unjudged,
		"No, the answer is correct.":                                 omniscope.Unjudged,
		"No, the answer is incorrect.":                               omniscope.Wrong,
		"No, it cannot be inferred.":                                 omniscope.Wrong,
	} {
		if got, err := read(reply); got != want || (err != nil) != (want == omniscope.Unjudged) {
			t.Errorf("%q is %v, %v; want %v", reply, got, err, want)
		}
	}
}
