package document

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSchemaNumbers(t *testing.T) {
	for text, want := range map[string]string{
		`{"schema": 1}`:                     "",
		`{"schema": "omniscope.results/1"}`: "",
		`{"benchmark": {"name": "mmau"}}`:   "",
		`{"schema": 2}`:                     "install a newer omniscope",
		`{"schema": "omniscope.results/2"}`: "install a newer omniscope",
		`{"schema": "omniscope.results/0"}`: "make the results again",
		`{"schema": "eslint"}`:              "make the results again",
		`{"a": 1}`:                          "is not a results document",
	} {
		var r Results
		err := json.Unmarshal([]byte(text), &r)
		if err == nil {
			err = r.CheckSchema()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if err == nil && r.Schema != Schema {
			t.Errorf("%s: schema %d", text, r.Schema)
		}
	}
}

func TestSchemaIsWrittenAsNumber(t *testing.T) {
	text, err := json.Marshal(Results{Schema: Schema})
	if err != nil || !strings.HasPrefix(string(text), `{"schema":1,`) {
		t.Errorf("%s, %v", text, err)
	}
}
