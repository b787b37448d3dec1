package omnicloze

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/fixture"
)

var update = flag.Bool("update", false, "write testdata/odd_rows.txt again")

// oddRow is a row with a mark at each place that takes an odd value.
const oddRow = `{ "uuid":"1", "video_path": @clip@, "metadata":{"category": @category@}, "cloze":{"passage":@passage@, @member@ "blanks":[` +
	`{"number":@number@,"options":["A: red", @option@, "C: green"],"answer_key":@key@,"required_modality":"visual"},` +
	`{"number":2,"answer":@answer@,"distractors":["x", "y"],"answer_index":@index@,"answer_key":"A","required_modality":"audio"}]}, "predicted_caption":"a red car"}`

// usual are the values of the places that are not tried.
var usual = map[string]string{"clip": `"a.mp4"`, "category": `"Sports"`, "passage": `"A [BLANK_1] car."`, "member": "", "number": "1", "option": `"B: blue"`,
	"key": `"A"`, "answer": `"red"`, "index": "0"}

var places = []string{"clip", "category", "passage", "member", "number", "option", "key", "answer", "index"}

// oddValues are values that parsers of JSON read in different ways.
var oddValues = []struct{ name, text string }{
	{"1e400", "1e400"}, {"minus zero", "-0"}, {"1.0", "1.0"}, {"big integer", "12345678901234567890123"}, {"1e0", "1e0"}, {"NaN", "NaN"}, {"plus", "+1"},
	{"leading zero", "01"}, {"null", "null"}, {"true", "true"}, {"empty", `""`}, {"escapes", `"\u0041\/\b\f\n\r\t\"\\\u000b\u00e9"`},
	{"pair", `"\ud83d\ude00"`}, {"half pair", `"x\ud83d y"`}, {"second half", `"\ude00"`}, {"half before a letter", `"\ud83d\u0041"`},
	{"not UTF-8", "\"\xff\xc3(\""}, {"characters that do not print", "\"\u00a0\u200b\u2028\ufeff\U000e0001 \\\"q\\\"\""}, {"quotes", `"it's \"so\""`},
	{"list", `[1, [], {"": 2}]`}, {"object", `{"b": 1, "a": {"": "x"}, "b": 2}`}, {"deep", strings.Repeat("[", 250) + strings.Repeat("]", 250)},
	{"deeper than 300", strings.Repeat("[", 320) + strings.Repeat("]", 320)}, {"bad escape", `"\x"`}, {"cut", `"`}, {"control", "\"a\x01b\""},
}

// oddMembers are members of the cloze.
var oddMembers = []struct{ name, text string }{
	{"empty name", `"": 1,`}, {"name twice", `"a": 1, "a": "2",`}, {"passage again", `"passage": "B",`}, {"escaped name", `"bl\u0061nk": 1,`}, {"names with quotes", `"\"\u00e9": 1,`},
	{"half pair as a name", `"\ud83d": 1,`}, {"blanks between", "\t \"x\" : [ 1 ,\r 2 ] ,"},
}

// What a judge is asked and the digest of the data do not depend on the library that parses: a changed line means
// that answers which were paid for are asked again.
func TestOddRowsKeepDigestAndQuestion(t *testing.T) {
	const file = "testdata/odd_rows.txt"
	var got strings.Builder
	try := func(place, name, value string) {
		row := oddRow
		for at, as := range usual {
			if at == place {
				as = value
			}
			row = strings.ReplaceAll(row, "@"+at+"@", as)
		}
		fmt.Fprintf(&got, "%s, %s: %s\n", place, name, readOdd(t, row))
		if place != "clip" && place != "category" { // the same row, with the cloze in a text
			before, rest, _ := strings.Cut(row, `"cloze":`)
			cloze, after, _ := strings.Cut(rest, `, "predicted_caption"`)
			text := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`, "\r", `\r`, "\x01", `\u0001`).Replace(cloze)
			fmt.Fprintf(&got, "%s in a text, %s: %s\n", place, name, readOdd(t, before+`"cloze":"`+text+`", "predicted_caption"`+after))
		}
	}
	for _, place := range places {
		values := oddValues
		if place == "member" {
			values = oddMembers
		}
		for _, v := range values {
			try(place, v.name, v.text)
		}
	}
	if *update {
		fixture.OK(t, os.WriteFile(file, []byte(got.String()), 0o600))
	}
	want := strings.Split(fixture.Read(t, file), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("line %d: got\n%s, want\n%s", i+1, line, strings.Join(want[min(i, len(want)):min(i+1, len(want))], ""))
		}
	}
}

// readOdd is the digest of a row's data, its options and clip, and the digest of the question about it; or the error.
func readOdd(t *testing.T, row string) string {
	t.Helper()
	path := fixture.File(t, "rows.jsonl", row+"\n")
	ev, err := Benchmark{}.Open(t.Context(), bench.Inputs{Predictions: path, Scoring: bench.Strict, Allow: true})
	if err != nil {
		return fmt.Sprintf("%.100q", strings.ReplaceAll(err.Error(), path, "rows.jsonl"))
	}
	defer ev.Close()
	e := ev.(*evaluation)
	it, _ := loaded(t, e, 0)
	question := sha256.Sum256(it.appendText(nil))
	return fmt.Sprintf("%s %x %+q %+q %+q %d", e.data.digest, question[:6], it.clip, it.category, append(it.blanks[0].options(), it.blanks[1].options()...), it.blanks[0].number)
}
