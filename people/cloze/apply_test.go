package cloze

import "testing"

// The rest of a row keeps its order and its text, without the spaces between. Texts of people stay valid JSON,
// also with unusual characters.
func TestAppliedChanges(t *testing.T) {
	odd := "tab\t, \"quote\", \\, \v, \x7f, \U000e0001"
	const asJSON = `tab\t, \"quote\", \\, \u000b, ` + "\x7f, \U000e0001"
	b := &blank{number: 1, key: 2, options: []string{"red", "é", odd, "<&>"}, distractors: [3]int{0, 1, 3}, sense: "audio"}
	for name, c := range map[string]struct{ row, want string }{
		"list": {`{ "uuid" : 1.50, "cloze":{"passage":"A\u0041","blanks":[ {"number":1,"answer":"x","distractors":[],"options":["A: a","b","C:c","D: d","E: not given"],"answer_index":0,"note":"caf\u00e9"},{"number":2 , "x":1e400}]},"z":[ ]}`,
			`{"uuid":1.50,"cloze":{"passage":"A\u0041","blanks":[{"number":1,"answer":"` + asJSON + `","distractors":["red","é","<&>"],"options":["A: red","é","C: ` + asJSON + `","D: <&>","E: not given"],"answer_index":2,"note":"caf\u00e9"},{"number":2,"x":1e400}]},"z":[]}`},
		"map": {`{"cloze":{"blanks":[{"number":1,"answer":"x","choices":{"A":"a","B":"B: b","C":"c","D":"d","E":"e"},"answer_key":"A","required_modality":"visual"}]},"video_path":"v"}`,
			`{"cloze":{"blanks":[{"number":1,"answer":"` + asJSON + `","choices":{"A":"red","B":"B: é","C":"` + asJSON + `","D":"<&>","E":"e"},"answer_key":"C","required_modality":"audio"}]},"video_path":"v"}`},
		"no options":        {`{"cloze":{"blanks":[{"number":1,"options":null,"answer_key":"A"}]}}`, `{"cloze":{"blanks":[{"number":1,"options":null,"answer_key":"C"}]}}`},
		"cloze in a text":   {`{"cloze":" {\"passage\": \"\\u00e9\", \"blanks\":[{\"number\":1,\"answer_key\":\"A\"}]}","z":1}`, `{"cloze":"{\"passage\":\"\\u00e9\",\"blanks\":[{\"number\":1,\"answer_key\":\"C\"}]}","z":1}`},
		"number as a float": {`{"cloze":{"blanks":[{"number":1.0,"answer_key":"A"}]}}`, `{"cloze":{"blanks":[{"number":1.0,"answer_key":"C"}]}}`},
	} {
		if got, err := apply(c.row, map[int]*blank{1: b}); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, c.want)
		}
	}
}
