package judge_test

import (
	"strings"
	"testing"

	"omniscope/model/judge"
)

func TestFindJSON(t *testing.T) {
	for _, c := range []struct{ name, reply, want string }{
		{"alone", ` {"a": 1} `, `{"a": 1}`},
		{"fence", "```json\n{\"a\": 1}\n```", `{"a": 1}`},
		{"fence within words", "Here:\n```json\n[1, 2]\n```\nDone {x}.", `[1, 2]`},
		{"first of two fences", "```json\n1\n```\n```json\n2\n```", "1"},
		{"fence that is not closed", "```json\n{\"a\": 1}", `{"a": 1}`},
		{"fence without json", "```\n{\"a\": 1}\n```", `{"a": 1}`},
		{"words around an object", `So {"a": [1]} it is.`, `{"a": [1]}`},
		{"words around an array", `So [{"a": 1}] it is.`, `[{"a": 1}]`},
		{"from the first to the last", `{"a": 1} and {"b": 2}`, `{"a": 1} and {"b": 2}`},
		{"no JSON", "none", "none"},
		{"cut off", `So {"a": 1`, `So {"a": 1`},
		{"closed before it is opened", "} and {", "} and {"},
		{"fence in capitals", "```JSON\n{\"a\": 1}\n```", `{"a": 1}`},
		{"fence in capitals among brackets", "Note {x}\n```Json\n{\"a\": 1}\n```\nend {y}", `{"a": 1}`},
		{"fence of four", "````json\n{\"a\": 1}\n````", `{"a": 1}`},
		{"fence behind one of no language", "```\n1\n```\n```json\n2\n```", "2"},
		{"fence that is not closed, and words", "```json\n{\"a\": 1}\nDone.", `{"a": 1}`},
		{"fence that is not closed, among brackets", "{x} ```json\n{\"a\": 1}", "{x} ```json\n{\"a\": 1}"},
		{"fence without JSON: a whole object follows", "```json\nno\n```\n{\"a\": 1}", `{"a": 1}`},
		{"fence without JSON that holds an object", "```json\n// so\n{\"a\": 1}\n```", `{"a": 1}`},
		{"empty fence", "```json```\n{\"a\": 1}", `{"a": 1}`},
		{"object before a list", `{"a": 1} [1]`, `{"a": 1} [1]`},
		{"list before an object", `[x] {"a": 1}`, `[x] {"a": 1}`},
		{"spaces of other scripts", "\u00a0\x1c{\"a\": 1}\u3000", `{"a": 1}`},
		{"not a number", `{"a": NaN, "b": [-Infinity, Infinity]}`, `{"a": "NaN", "b": ["-Infinity", "Infinity"]}`},
		{"not a number, in a text", `{"a": "\"NaN", "b": NaN}`, `{"a": "\"NaN", "b": "NaN"}`},
		{"not a number for a key", `{NaN: 1}`, `{NaN: 1}`},
		{"less than infinity", `{"a": --Infinity}`, `{"a": --Infinity}`},
		{"empty", " \n", ""},
	} {
		if got := judge.FindJSON(c.reply); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// spelled writes members as KEY=VALUE, objects apart by bars.
func spelled(objects [][]judge.Member) string {
	var out []string
	for i, members := range objects {
		if i > 0 {
			out = append(out, "|")
		}
		for _, m := range members {
			out = append(out, m.Key+"="+m.Value.Raw)
		}
	}
	return strings.Join(out, " ")
}

func TestMembersOrderAndRepeats(t *testing.T) {
	members, err := judge.Members(`{"b": 1, "a": "x", "b": [2], "\u0062": null}`)
	if got := spelled([][]judge.Member{members}); err != nil || got != `b=1 a="x" b=[2] b=null` {
		t.Errorf("got %s, %v", got, err)
	}
	for text, want := range map[string]string{
		`{"a": 1`: "the JSON ends too early",
		"":        "the JSON ends too early",
		"[1]":     "it is not a JSON object",
		"no":      "it is not JSON: invalid character 'o' in literal null (expecting 'u')",
	} {
		if _, err := judge.Members(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestObjects(t *testing.T) {
	for _, c := range []struct{ name, reply, want string }{
		{"alone", ` {"a": 1} `, "a=1"},
		{"fence", "```json\n{\"a\": 1}\n```", "a=1"},
		{"two", `{"a": 1} or {"b": 2}`, "a=1 | b=2"},
		{"an empty one", "{}", ""},
		{"one within another", `{"a": {"b": 1}}`, `a={"b": 1}`},
		{"braces in words and in strings", `{x} {"a": "}{"} {}`, `a="}{" |`},
		{"in an array", `[{"a": 1}, {"b": 2}]`, "a=1 | b=2"},
		{"after a thought", `<think>{"a": 1</think>{"a": 2}`, "a=2"},
		{"after two thoughts", "<think>x</think><think>y</think>{\"a\": 2}", "a=2"},
		{"after a thought of another kind", `<analysis>{"a": 1}</analysis>{"a": 2}`, "a=2"},
		{"after a thought in brackets", `[THINK]{"a": 1}[/THINK]{"a": 2}`, "a=2"},
		{"after the channel of analysis", `<|channel|>analysis<|message|>{"a": 1}<|end|><|start|>assistant<|channel|>final<|message|>{"a": 2}<|return|>`, "a=2"},
		{"after channels without marks", `analysisWe say {"a": 1}.assistantfinal{"a": 2}`, "a=2"},
		{"in a box", `<|begin_of_box|>{"a": 2}<|end_of_box|>`, "a=2"},
		{"before a special token", `{"a": 2}<|im_end|>`, "a=2"},
		{"before another turn", "{\"a\": 2}<|im_end|>\n<|im_start|>user\nAnd?<|im_end|>\n<|im_start|>assistant\n{\"a\": 3}", "a=2"},
		{"a token in a text", `{"a": "the end </s> of it"} done`, `a="the end </s> of it"`},
		{"a line break in a text", "{\"a\": \"x\ny\", \"b\": 2}", `a="x\u000ay" b=2`},
		{"a tab in a text", "So: {\"a\": \"x\ty\"}", `a="x\u0009y"`},
		{"comments", "{\"a\": 1, // good\n \"b\": /* or 3 */ 2}", "a=1 b=2"},
		{"an address in a text", `{"a": "http://x"} http://y`, `a="http://x"`},
		{"a line break and an address", "{\"a\": \"x\ny http://z\"} see http://y", `a="x\u000ay http://z"`},
	} {
		objects, err := judge.Objects(c.reply)
		if got := spelled(objects); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, got, err, c.want)
		}
	}
	for reply, want := range map[string]string{
		"":                            "it is empty",
		"no":                          "it has no JSON object",
		"[1, 2]":                      "it has no JSON object",
		`{"a": 1} and {"b": `:         "the JSON ends too early",
		"{":                           "the JSON ends too early",
		`<think>{"a": 1}`:             "it ends before its answer",
		`<analysis>{"a": 1}`:          "it ends before its answer",
		"analysisWe say {\"a\": 1}":   "it ends before its answer",
		"{\"a\": 1 // and {\"b\": 2}": "it is not JSON: invalid character '/' after object key:value pair",
		"{\"a\": 1, // last\n}":       "it is not JSON: invalid character '/' looking for beginning of object key string",
		"{\"a\": 1 /* \n}":            "it is not JSON: invalid character '/' after object key:value pair",
		`x</think><think>{"a":1`:      "it ends before its answer",
	} {
		if _, err := judge.Objects(reply); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", reply, err, want)
		}
	}
}

// The time it takes grows with the reply, whatever is in it; the stack does
// not.
func TestRepliesOfAMegabyte(t *testing.T) {
	const size = 1 << 20
	for _, part := range []string{"[", "{", `{"a":`, "{x", "<think>", "</think>", `{"`, "```json", "```", "NaN", "\"NaN", "[NaN,", "{} ", "{/*", "{//\n", "{\"\n"} {
		reply := strings.Repeat(part, size/len(part))
		judge.FindJSON(reply)
		if objects, err := judge.Objects(reply); (err == nil) != (part == "{} ") {
			t.Errorf("%q: %d objects, %v", part, len(objects), err)
		}
	}
}
