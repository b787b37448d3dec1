package model

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope"
)

// Problem says in words what keeps an answer from being whole text: it was
// refused, filtered, cut off, or holds something else. "" = nothing.
func (r *Response) Problem() string {
	switch {
	case r.Refusal != "":
		return fmt.Sprintf("it was refused: %q", FirstWords(r.Refusal))
	case !Blank(r.Text):
		return cutOff[r.Finish]
	case r.Finish == ContentFilter:
		return "a content filter withheld it"
	case len(r.ToolCalls) > 0:
		return fmt.Sprintf("it calls the tool %q and says nothing", FirstWords(strings.Join(r.ToolCalls, ", ")))
	case r.Finish == calledTool:
		return "it calls a tool and says nothing"
	case r.Finish == GaveUp || r.Finish == repetition:
		return cutOff[r.Finish]
	case r.Finish == Length && r.Reasoning:
		return "it was cut off by the length limit while the model was reasoning, before any text"
	case r.Finish == Length:
		return "it was cut off by the length limit before any text"
	case r.Reasoning:
		return "it holds reasoning and no answer"
	}
	return "it is empty"
}

// cutOff are the problems of answers with a text, by how they ended.
var cutOff = map[Finish]string{
	ContentFilter: "a content filter cut it off",
	GaveUp:        "the server gave up while answering",
	repetition:    "the server cut it off because it repeated itself",
	Length:        "it was cut off by the length limit",
}

// Blank reports whether a text has no visible character: only white space, control and format characters.
func Blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf) })
}

// FirstWords is the start of a text on one line, for messages.
func FirstWords(s string) string {
	const most = 120 // bytes
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	if space := strings.LastIndexByte(s[:end], ' '); space > most/2 {
		end = space
	}
	return s[:end] + "…"
}

// NoEmbeddings is the error of an adapter that cannot ask for vectors.
func NoEmbeddings(req *Request) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step, Err: errors.New("this provider gives no vectors of texts here: name an embedder of openai, vllm or another server that speaks its protocol")}
}
