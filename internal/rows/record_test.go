package rows

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestNumbersRoundTrip(t *testing.T) {
	for v, want := range map[float64]string{0: "0.0", 1: "1.0", 2. / 3: "0.6666666666666666", 1e6: "1000000.0", 1e-7: "0.0000001"} {
		if got := Shortest(v); got != want {
			t.Errorf("%g: got %s, want %s", v, got, want)
		}
	}
}

// Whatever the line, it is refused, or comes back as JSON with the result.
func FuzzRecords(f *testing.F) {
	for _, line := range []string{`{}`, `{"in": "a"}`, `{"in":"\ud83d\ude00\\","out":[{"}":1}],"error":null}`, `{"in": "\ud800"}`, `{"in": "a",}`, "{\"in\": \"\xff\"}", `[]`, `{"a":1e5,"in":"","message":"x" }`} {
		f.Add(line)
	}
	own := []string{"out", "error", "message"}
	f.Fuzz(func(t *testing.T, line string) {
		r, err := ParseRecord(strings.Trim(line, " \t\r\n"))
		if err != nil {
			return
		}
		in, err := r.Text("in")
		if err != nil {
			return
		}
		got, err := r.AppendWith(nil, []Field{String("out", in)}, own)
		if err != nil {
			return
		}
		var before, after map[string]any
		if err := errors.Join(json.Unmarshal([]byte(line), &before), json.Unmarshal(got, &after)); err != nil {
			t.Fatalf("%s became %s: %v", line, got, err)
		}
		for _, name := range own {
			delete(before, name)
		}
		before["out"] = before["in"]
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%s became %s", line, got)
		}
	})
}

func TestSet(t *testing.T) {
	for object, want := range map[string]string{
		`{}`:                                  `{"a":"x","b":[1,{}]}`,
		` { "c" : 1.0, "a":2, "\u0061": 3 } `: `{"c":1.0,"a":"x","\u0061":3,"b":[1,{}]}`,
		`{"b":"<\u00e9>", "a":null}`:          `{"b":[1,{}],"a":"x"}`,
	} {
		if got, err := Set(object, String("a", "x"), Array("b", []string{"1", "{ }"})); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", object, got, err, want)
		}
	}
	for _, object := range []string{"", "[]", "{", "1"} {
		if got, err := Set(object, Count("a", 1)); err == nil {
			t.Errorf("%q: got %s, want an error", object, got)
		}
	}
}
