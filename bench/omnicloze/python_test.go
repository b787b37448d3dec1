package omnicloze

import (
	"testing"

	"github.com/valyala/fastjson"
)

// The wanted strings were printed by Python 3.11: repr(json.loads(text)).
func TestAppendPython(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`{"a": [1, 2.5, true, null], "b": {}}`, `{'a': [1, 2.5, True, None], 'b': {}}`},
		{`"it's"`, `"it's"`},
		{`"say \"hi\""`, `'say "hi"'`},
		{`"it's \"hi\""`, `'it\'s "hi"'`},
		{`"tab\tline\nback\\slash\u0007"`, `'tab\tline\nback\\slash\x07'`},
		{`"na\u00efve caf\u00e9 \u201cquoted\u201d"`, `'naïve café “quoted”'`},
		{`"nbsp\u00a0zero\u200bwide"`, `'nbsp\xa0zero\u200bwide'`},
		{`"\ud83d\ude00 \udb40\udc01"`, `'😀 \U000e0001'`},
		{`[]`, `[]`},
		{`{"answer": 1, "blanks": [{"number": 1, "answer": "x"}, {"answer_key": "y"}]}`, `{'answer': 1, 'blanks': [{'number': 1}, {}]}`},
	} {
		if got := string(appendPython(nil, fastjson.MustParse(c.json), 0)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.json, got, c.want)
		}
	}
}
