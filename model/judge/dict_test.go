package judge

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDict(t *testing.T) {
	for reply, want := range map[string]string{
		`{"pred": "yes", "score": 4}`:                            `{"pred":"yes","score":4}`,
		`{'pred': 'yes', 'score': 4.5}`:                          `{"pred":"yes","score":4.5}`,
		"```python\n{'events': ['a', \"b's\"], 'ok': True}\n```": `{"events":["a","b's"],"ok":true}`,
		"Sure:\n```json\n{\"visual\": 3}\n```":                   `{"visual":3}`,
		`<think>{"visual": 1}</think>{"visual": 3}`:              `{"visual":3}`,
		`<analysis>{"visual": 1}</analysis>{"visual": 3}`:        `{"visual":3}`,
		`[THINK]'visual': 1}[/THINK]{'visual': 3}`:               `{"visual":3}`,
		`{"visual": 3}<|im_end|>`:                                `{"visual":3}`,
		"{\"visual\": 3, \"why\": \"a\nb\"}":                     `{"visual":3,"why":"a\nb"}`,
		"{\"visual\": 3 // of 5\n}":                              `{"visual":3}`,
		`{"visual": 3} {"visual": 3}`:                            `{"visual":3}`,
		`{"visual": 3, "visual": 3}`:                             `{"visual":3}`,
		`{'a': {'b': [None, 1]}, 'c': -2}`:                       `{"a":{"b":[null,1]},"c":-2}`,
		`{"visual": 3} {"visual": 4}`:                            "!several objects",
		`{"visual": 3, "visual": 4}`:                             "!twice",
		`{'visual': 3, 'visual': 4}`:                             "!no JSON object", // and no dictionary that is clear either
		`{"visual": 3`:                                           "!too early",
		`{"visual": 3} {"visual": 4`:                             "!too early",
		`{'visual': 3} {'visual': 4`:                             "!no JSON object",
		`three`:                                                  "!no JSON object",
		`<think>{"visual": 3}`:                                   "!before its answer",
		``:                                                       "!empty",
		`{1: 2}`:                                                 "!no JSON object",
		`{'a': __import__('os')}`:                                "!no JSON object",
	} {
		dict, err := Dict(reply)
		if says, bad := strings.CutPrefix(want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, %v; want an error with %q", reply, dict, err, says)
			}
			continue
		}
		got, _ := json.Marshal(dict)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", reply, got, err, want)
		}
	}
}
