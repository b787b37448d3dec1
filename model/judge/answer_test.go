package judge_test

import (
	"strings"
	"testing"

	"omniscope/model/judge"
)

func TestCheckAnswer(t *testing.T) {
	for reply, want := range map[string]string{
		"A man.":                               "",
		"<think>Who?</think>A man.<|im_end|>":  "",
		"N/A":                                  "",
		"It is not said.":                      "",
		"I cannot answer that from this text.": "", // it found no answer
		"I'm sorry, I can't find it.":          "",
		"":                                     "empty",
		" \n":                                  "empty",
		" \t\u200b\ufeff\n":                    "empty",
		"...":                                  "empty",
		"**-**":                                "empty",
		"7":                                    "",
		"+":                                    "",
		"はい":                                   "",
		"<think>A man.</think>":                "empty",
		"<|im_end|>":                           "empty",
		"<think>A man.":                        "before its answer",
		"I'm sorry, but I can't assist with that.":   "refuses",
		"As an AI, I cannot help with this request.": "refuses",
	} {
		err := judge.CheckAnswer(reply)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", reply, err, want)
		}
	}
}
