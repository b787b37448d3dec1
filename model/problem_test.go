package model

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestProblem(t *testing.T) {
	for _, c := range []struct {
		answer Response
		want   string
	}{
		{Response{Text: "yes", Finish: Stop}, ""},
		{Response{Text: "yes", Finish: Stop, ToolCalls: []string{"lookup"}}, ""},
		{Response{Finish: Stop}, "it is empty"},
		{Response{Text: " \n", Finish: Stop}, "it is empty"},
		{Response{Refusal: "I will\nnot.", Finish: Stop}, `it was refused: "I will not."`},
		{Response{Finish: ContentFilter}, "a content filter withheld it"},
		{Response{Text: "A m", Finish: ContentFilter}, "a content filter cut it off"},
		{Response{Finish: "tool_calls", ToolCalls: []string{"lookup", "look"}}, `it calls the tool "lookup, look" and says nothing`},
		{Response{Finish: "tool_calls"}, "it calls a tool and says nothing"},
		{Response{Text: "A m", Finish: Length}, "it was cut off by the length limit"},
		{Response{Finish: Length}, "it was cut off by the length limit before any text"},
		{Response{Finish: Length, Reasoning: true}, "it was cut off by the length limit while the model was reasoning, before any text"},
		{Response{Finish: Stop, Reasoning: true}, "it holds reasoning and no answer"},
	} {
		if got := c.answer.Problem(); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.answer, got, c.want)
		}
	}
}

func TestFirstWords(t *testing.T) {
	for _, text := range []string{strings.Repeat("word ", 60), strings.Repeat("字", 60), "x" + strings.Repeat("é", 90)} {
		got := FirstWords(text)
		if !utf8.ValidString(got) || len(got) > 130 || !strings.HasSuffix(got, "…") || !strings.HasPrefix(text, strings.TrimSuffix(got, "…")) {
			t.Errorf("%q became %q", text, got)
		}
	}
}
