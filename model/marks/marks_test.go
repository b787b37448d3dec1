package marks

import (
	"strings"
	"testing"
)

func TestAfterThought(t *testing.T) {
	const unfinished = "!"
	for reply, want := range map[string]string{
		"B":                                         "B",
		"<think>A</think>B":                         "B",
		"A</think>B":                                "B",
		"<THINK>A</THINK>B":                         "B",
		"<think>A</think>x<think>C</think>B":        "B",
		"<think>A<think>C</think>B":                 "B",
		"<think>A":                                  unfinished,
		"so <think>A":                               unfinished,
		"x</think><think>A":                         unfinished,
		"<think><analysis>A</analysis> so A":        unfinished,
		"<analysis>A":                               unfinished,
		"B <analysis>for":                           "B ",
		"B <analysis>for it</analysis>\n":           "B ",
		"[THINK]A[/THINK]B":                         "B",
		"◁think▷A◁/think▷B":                         "B",
		"<seed:think>A</seed:think>B":               "B",
		"<|begin_of_thought|>A<|end_of_thought|>B":  "B",
		"<|START_THINKING|>A<|END_THINKING|>B":      "B",
		"<|im_start|>think\nA<|im_start|>answer\nB": "\nB",
		"<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>final<|message|>B": "B",
		"<|channel|>analysis<|message|>A":    unfinished,
		"<|channel|>final<|message|>":        unfinished,
		"analysisWe think A.assistantfinalB": "B",
		"analysisWe think A":                 unfinished,
		"analysis of the sound":              "analysis of the sound",
		"finalB":                             "B",
		"finally B":                          "finally B",
		"a <b and [c]":                       "a <b and [c]",
		"<think >A</think >B":                "B",
		"<think time=\"3\">A":                unfinished,
		"<think_process>A</think_process>B":  "B",
		"<cot>A</cot>B":                      "B",
		"a sign with “</think>” on it":       "a sign with “</think>” on it",
		"a sign with \"<think>\" on it":      "a sign with \"<think>\" on it",
		"<think>\"A\"</think>\"B\"":          "\"B\"",
	} {
		got, ok := AfterThought(reply)
		if !ok {
			got = unfinished
		}
		if got != want {
			t.Errorf("%q leaves %q, want %q", reply, got, want)
		}
	}
}

func TestFirstTurn(t *testing.T) {
	for reply, want := range map[string]string{
		"B":                                      "B",
		"B<|im_end|>":                            "B",
		"B<|im_end|>\nC":                         "B",
		"<|im_end|>B":                            "<|im_end|>B",
		"<s>B</s>":                               "<s>B",
		"<s>A</s> B":                             "<s>A</s> B",
		"<s>A</s>\nB":                            "<s>A",
		"B<end_of_turn>\n<start_of_turn>user\nC": "B",
		"B<|im_start|>user\nC":                   "B",
		"B[INST] C [/INST] D":                    "B",
		"[INST] C [/INST] D</s>":                 " D",
		"<|user|>C<|assistant|>D":                "D",
		"<|user|>C":                              "",
		"Assistant: B":                           "B",
		"assistant\nB":                           "B",
		"USER: C\nASSISTANT: B":                  "B",
		"user\nC\nassistant\nB":                  "B",
		"a < b<|im_end|>c":                       "a < b",
		"<think>A</think>B</s>\nC":               "<think>A</think>B",
	} {
		if got := FirstTurn(reply); got != want {
			t.Errorf("%q has the first turn %q, want %q", reply, got, want)
		}
	}
}

func TestWithoutTokens(t *testing.T) {
	for text, want := range map[string]string{
		"B": "B", "B<|im_end|>": "B ", "B<|x|>A": "B A", "<s>B</s>": " B ", "[PAD]B": " B", "<｜end▁of▁sentence｜>": " ", "a < b | c > d": "a < b | c > d", "[1]": "[1]", "<D>": "<D>",
	} {
		if got := WithoutTokens(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestThinks(t *testing.T) {
	for text, want := range map[string]bool{"B": false, "a <think>": true, "</analysis>": true, "[THINK]": true, "◁think▷": true, "<|channel|>analysis": true, "<thing>": false, "think": false} {
		if got := Thinks(text); got != want {
			t.Errorf("%q thinks: %v", text, got)
		}
	}
}

// TestLongReplies: the time is linear in the length of any reply.
func TestLongReplies(t *testing.T) {
	for _, part := range []string{"<", "[", "◁", "<think>", "</think>", "<s>", "</s>", "</s>x", "<|im_start|>", "<|user|>", "<|channel|>", "<|channel|>final<|message|>x", "assistantfinal", "user\n", "<|x|>"} {
		reply := strings.Repeat(part, 1<<17/len(part))
		AfterThought(reply)
		WithoutTokens(FirstTurn(reply))
		Thinks(reply)
	}
}

func TestAnswerInATag(t *testing.T) {
	for reply, want := range map[string]string{
		"<think>A</think><answer>B c.</answer>":      "B c.",
		"<think>A</think>\n<answer>\nB\n</answer>\n": "B",
		"<ANSWER>B</answer>":                         "B",
		"<answer>B":                                  "B",
		"<final_answer>B</final_answer><|im_end|>":   "B",
		"<answer>B</answer> C":                       "<answer>B</answer> C",
		"<answer>B</answer><answer>C</answer>":       "<answer>B</answer><answer>C</answer>",
		"B <answer>C</answer>":                       "B <answer>C</answer>",
		"<answer>B</final>":                          "<answer>B</final>",
		"<b>B</b>":                                   "<b>B</b>",
	} {
		got, ok := Answer(reply)
		if got = Unwrapped(got); got != want || !ok {
			t.Errorf("%q leaves %q (%v), want %q", reply, got, ok, want)
		}
	}
}
