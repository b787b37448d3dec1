package filter

import (
	"strings"
	"testing"

	"omniscope"
)

func TestOtherBytesUnchanged(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"appended", `{"in": "A"}`, `{"in": "A", "out": "a"}`},
		{"replaced in place", `{"out": 1, "in": "A"}`, `{"out": "a", "in": "A"}`},
		{"odd spelling kept", "{ \"z\" :\t1.50e+00 ,\"in\":\"\\u0041\",\"n\":[1,{\"in\":2}] }", "{ \"z\" :\t1.50e+00 ,\"in\":\"\\u0041\",\"n\":[1,{\"in\":2}], \"out\": \"a\" }"},
		{"an escaped name", `{"\u0069n": "A", "\u006fut": 0}`, `{"\u0069n": "A", "\u006fut": "a"}`},
		{"other fields twice", `{"x": 1, "x": 2, "in": "A"}`, `{"x": 1, "x": 2, "in": "A", "out": "a"}`},
		{"other fields of half a pair", `{"x": "\ud800", "in": "A"}`, `{"x": "\ud800", "in": "A", "out": "a"}`},
		{"a whole pair", `{"in": "\ud83d\ude00a"}`, `{"in": "\ud83d\ude00a", "out": " a"}`},
		{"line ends of other worlds", "{\"x\": \"\u2028\u0085\", \"in\": \"A\"}", "{\"x\": \"\u2028\u0085\", \"in\": \"A\", \"out\": \"a\"}"},
		{"readable", `{"in": "你好\\\"世"}`, `{"in": "你好\\\"世", "out": "你好 世"}`},
		{"an old error first", `{"error": "E", "in": "A"}`, `{"in": "A", "out": "a"}`},
		{"an old error between", `{"in": "A" ,"error": "E","x": 1}`, `{"in": "A","x": 1, "out": "a"}`},
		{"an old error last", `{"in": "A", "error": "E", "message": {} }`, `{"in": "A", "out": "a" }`},
		{"blanks around", " \t{\"in\": \"A\"} \r", `{"in": "A", "out": "a"}`},
		{"blank line", " \t ", ``},
		{"byte order mark", "\ufeff" + `{"in": "A"}`, `{"in": "A", "out": "a"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want != "" {
				c.want += "\n"
			}
			for _, end := range []string{"", "\n"} {
				if got := mustFilter(t, c.in+end, basic); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			}
		})
	}
}

func TestInvalidLines(t *testing.T) {
	words, cut := WordErrors("", ""), Resegment(false)
	for _, c := range []struct {
		work     Work
		in, want string
	}{
		{english, `["in"]`, `stdin:3: the line is not a JSON object: ["in"]`},
		{english, `{"in": "a`, `stdin:3: not JSON at character 9: unexpected end of JSON input: {"in": "a`},
		{english, `{"in": NaN}`, `stdin:3: not JSON at character 8: `},
		{english, `{"text": "a"}`, `stdin:3: the line has no field "in": {"text": "a"}`},
		{english, `{"in": null}`, `stdin:3: "in" is null, not a string: null`},
		{english, `{"in": ["a"]}`, `stdin:3: "in" is a list, not a string: ["a"]`},
		{english, `{"in": "a", "in": "b"}`, `stdin:3: the line has the field "in" twice: {"in": "a", "in": "b"}`},
		{english, `{"in": "a", "out": 1, "out": 2}`, `stdin:3: the line has the field "out" twice: `},
		{english, `{"in": "a\\\ud83dx"}`, `stdin:3: "in" holds half of a surrogate pair, \ud83d, which is no character: "a\\\ud83dx"`},
		{english, `{"in": "\ude00\ud83d"}`, `stdin:3: "in" holds half of a surrogate pair, \ude00, which`},
		{english, `{"in": "\ud83d\ud83d\ude00"}`, `stdin:3: "in" holds half of a surrogate pair, \ud83d, which`},
		{english, "{\"in\": \"\ufffd\xff\"}", "stdin:3: byte 12 of the line, 0xff, is not UTF-8: {\"in\": \"\ufffd\ufffd\"}"},
		{words, `{"refs": ["a"]}`, `stdin:3: the line has no field "hyps": {"refs": ["a"]}`},
		{words, `{"refs": "a", "hyps": ["a"]}`, `stdin:3: "refs" is a string, not a list of strings: "a"`},
		{words, `{"refs": ["a", 2], "hyps": ["a"]}`, `stdin:3: item 2 of "refs" is a number, not a string: 2`},
		{words, `{"refs": ["a"], "hyps": {"1": "a"}}`, `stdin:3: item 1 of "refs" is a string, not an object with "sample_ids" and "reference", as "hyps" is an object: "a"`},
		{words, `{"refs": [{"sample_ids": ["1"]}], "hyps": {"1": "a"}}`, `stdin:3: item 1 of "refs": the line has no field "reference": {"sample_ids": ["1"]}`},
		{words, `{"refs": [], "hyps": {"1": "a", "1": "b"}}`, `stdin:3: "hyps" has the id "1" twice: {"1": "a", "1": "b"}`},
		{cut, `{"hyp": "a", "ref_lines": ["a"], "char_level": 1}`, `stdin:3: "char_level" is a number, not true or false: 1`},
		{cut, `{"hyp": "a", "ref_lines": ["a"], "lang": {}}`, `stdin:3: "lang" is an object, not a string: {}`},
		{cut, `{"hyp": "a", "ref_lines": [true]}`, `stdin:3: item 1 of "ref_lines" is true or false, not a string: true`},
	} {
		const good = `{"refs": ["a"], "hyps": ["a"], "hyp": "a", "ref_lines": ["a"], "in": "a"}`
		out, err := filtered(good+"\n\n"+c.in+"\n"+good+"\n", c.work)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%q:\ngot  %v\nwant %s", c.in, err, c.want)
		}
		if strings.Count(out, "\n") != 1 {
			t.Errorf("%q: the line before it became %q", c.in, out)
		}
	}
}
