package omnicloze

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/fixture"
)

// Every error names the file, and the line and its text where there is one.
func TestInvalidRows(t *testing.T) {
	good := aRow("good", nil)
	withBlanks := func(blanks any) object { return aRow(7, object{"cloze": aCloze(object{"blanks": blanks})}) }
	for _, c := range []struct {
		name string
		text string
		want []string
	}{
		{"empty file", "", []string{"rows.jsonl has no rows"}},
		{"blank file", "\n \n\t\n", []string{"rows.jsonl has no rows"}},
		{"broken line", jsonl(good, `{"uuid": 7, "cloze": `), []string{"rows.jsonl:2: not JSON", `{"uuid": 7`}},
		{"broken line after blank ones", jsonl("", "", good, "oops"), []string{"rows.jsonl:4: not JSON at character 1", ": oops"}},
		{"NaN", jsonl(`{"uuid": 7, "score": NaN}`), []string{"rows.jsonl:1: not JSON"}},
		{"a list of something else", "[1, 2]", []string{"rows.jsonl:1: the line is not a JSON object: 1"}},
		{"a bad row in a list", "[\n" + fixture.JSON(good) + ",\n{]\n", []string{"rows.jsonl:3: "}},
		{"a list that breaks off", "[\n" + fixture.JSON(good) + "\n", []string{"rows.jsonl:2: the element of the list that begins here has no end"}},
		{"more behind a list", "[" + fixture.JSON(good) + "]\n{", []string{`rows.jsonl:2: "{" follows the end of the list`}},
		{"no keys", jsonl(good, withBlanks([]any{aBlank(1, object{"answer_key": nil, "answerkey": "A"}), aBlank(2, object{"answer_key": nil}), aBlank(3, object{"answer_key": nil})})), []string{"rows.jsonl:2: blank 1: no field", `the row has "answerkey": did you mean "answer_key"?`, "3 of 5 blanks cannot be scored", "--allow-unscorable"}},
		{"a string", jsonl(`"x"`), []string{"rows.jsonl:1: the line is not a JSON object"}},
		{"nested too deep", jsonl(`{"uuid": 7, "cloze": ` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}"), []string{"rows.jsonl:1: cannot read the line"}},
		{"no uuid", jsonl(good, aRow(7, object{"uuid": nil})), []string{"rows.jsonl:2: the row has no uuid"}},
		{"uuid null", jsonl(aRow(7, object{"uuid": null})), []string{"rows.jsonl:1: the row has no uuid"}},
		{"uuid empty", jsonl(aRow("", nil)), []string{"rows.jsonl:1: the row has no uuid"}},
		{"uuid a list", jsonl(aRow([]int{1}, nil)), []string{"rows.jsonl:1: the row has no uuid"}},
		{"uuid twice", jsonl(good, aRow(7, nil), "", aRow("7", nil)), []string{"rows.jsonl:4: uuid 7 is there already, on line 2"}},
		{"no cloze", jsonl(aRow(7, object{"cloze": nil})), []string{"rows.jsonl:1: the row has no cloze", "--data"}},
		{"cloze null", jsonl(aRow(7, object{"cloze": null})), []string{"rows.jsonl:1: uuid 7: cloze is not an object"}},
		{"cloze a broken string", jsonl(aRow(7, object{"cloze": `{"passage":`})), []string{"rows.jsonl:1: uuid 7: cloze is not an object"}},
		{"no passage", jsonl(aRow(7, object{"cloze": aCloze(object{"passage": nil})})), []string{"uuid 7: cloze needs a passage and a list of blanks"}},
		{"passage empty", jsonl(aRow(7, object{"cloze": aCloze(object{"passage": ""})})), []string{"uuid 7: cloze needs a passage"}},
		{"no blanks", jsonl(aRow(7, object{"cloze": aCloze(object{"blanks": nil})})), []string{"uuid 7: cloze needs a passage and a list of blanks"}},
		{"blanks empty", jsonl(withBlanks([]int{})), []string{"rows.jsonl:1: uuid 7: cloze has no blanks"}},
		{"blanks an object", jsonl(withBlanks(object{"1": aBlank(1, nil)})), []string{"uuid 7: cloze needs a passage and a list of blanks"}},
		{"blank a string", jsonl(good, withBlanks([]any{aBlank(1, nil), "x"})), []string{"rows.jsonl:2: uuid 7: blank 2 is not an object"}},
		{"caption an object", jsonl(good, aRow(7, object{"predicted_caption": object{"text": "x"}})), []string{"rows.jsonl:2: the caption", `"predicted_caption"`, "is not a text"}},
		{"caption a list", jsonl(aRow(7, object{"predicted_caption": []string{"x"}})), []string{"rows.jsonl:1: the caption", "is not a text"}},
		{"no captions at all", jsonl(aRow(7, object{"predicted_caption": nil, "caption_of_mine": "x"})), []string{`no row of`, `no field "predicted_caption"`, "caption_of_mine", "--caption-field"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", c.text)}, omniscope.Invalid, c.want...)
		})
	}
}

// Of several bad lines the first is told, whoever finds his first.
func TestFirstBadLineReported(t *testing.T) {
	lines := make([]any, 100)
	for i := range lines {
		lines[i] = aRow(i, nil)
		if i >= 40 {
			lines[i] = "oops"
		}
	}
	for range 20 {
		refused(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(lines...))}, omniscope.Invalid, "rows.jsonl:41:")
	}
}

func TestInvalidFiles(t *testing.T) {
	folder := t.TempDir()
	data := fixture.File(t, "data.jsonl", jsonl(aRow(1, nil)))
	for _, name := range []string{"none.jsonl", "none.csv"} {
		missing := filepath.Join(folder, name)
		refused(t, bench.Inputs{Predictions: missing, Data: data}, omniscope.NotFound, missing)
	}
	refused(t, bench.Inputs{Predictions: filepath.Join(folder, "none.jsonl")}, omniscope.NotFound, "none.jsonl")
	refused(t, bench.Inputs{Predictions: folder}, omniscope.Invalid, folder, "is a folder: name a file")
	refused(t, bench.Inputs{Predictions: data, Data: folder}, omniscope.Invalid, folder)
	csv := filepath.Join(folder, "folder.csv")
	fixture.OK(t, os.Mkdir(csv, 0o700))
	refused(t, bench.Inputs{Predictions: csv, Data: data}, omniscope.Invalid, csv)
}

func TestUnknownSampleIDs(t *testing.T) {
	path := fixture.File(t, "rows.jsonl", jsonl(aRow(1, nil)))
	refused(t, bench.Inputs{Predictions: path, Samples: []omniscope.SampleID{"9", "1", "8"}}, omniscope.Usage, "--sample", "8, 9")
}

func TestInvalidCaptionFiles(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"broken line", "c.jsonl", jsonl(object{"uuid": 1, "caption": "x"}, "{"), []string{"c.jsonl:2: not JSON", ": {"}},
		{"no uuid", "c.jsonl", jsonl(object{"caption": "x"}), []string{"c.jsonl:1: the row has no uuid"}},
		{"uuid null", "c.jsonl", jsonl(object{"uuid": null, "caption": "x"}), []string{"c.jsonl:1: the row has no uuid"}},
		{"uuid a list", "c.jsonl", jsonl(object{"uuid": []int{1}, "caption": "x"}), []string{"c.jsonl:1: the row has no uuid"}},
		{"uuid twice", "c.jsonl", jsonl(object{"uuid": 1, "caption": "x"}, "", object{"uuid": "1", "caption": "y"}), []string{"c.jsonl:3: uuid 1 is there already, on line 1"}},
		{"no caption field", "c.jsonl", jsonl(object{"uuid": 1, "text": "x"}), []string{"no row of", "c.jsonl", "predicted_caption, caption, prediction", "--caption-field"}},
		{"caption a list", "c.jsonl", jsonl(object{"uuid": 1, "caption": "x"}, object{"uuid": 2, "caption": []int{1}}), []string{"c.jsonl:2: the caption", `"caption"`, "is not a text"}},
		{"empty", "c.jsonl", "", []string{"c.jsonl has no rows"}},
		{"of other samples", "c.jsonl", jsonl(object{"uuid": 8, "caption": "x"}, object{"uuid": 9, "caption": "x"}), []string{"none of the 2 captions", "8, 9"}},
		{"empty table", "c.csv", "", []string{"c.csv is empty", "a line that names its fields"}},
		{"table without captions", "c.csv", "uuid,text\n1,x\n", []string{"c.csv", "looked for as predicted_caption, caption, prediction", `c.csv:2: no field "predicted_caption" (the row has "uuid", "text")`}},
		{"table without uuid", "c.csv", "row,caption\n1,x\n", []string{"c.csv:2: the row has no uuid", `"row", "caption"`, `"row" names samples in 1 of 1 rows: take it with --id-field row`}},
		{"ragged table", "c.csv", "uuid,caption\n1,x\n2\n", []string{"c.csv:3: the row has 1 fields and the header 2"}},
		{"table with an open quote", "c.csv", "uuid,caption\n1,\"x\n", []string{"c.csv:2: "}},
		{"table with a uuid twice", "c.csv", "uuid,caption\n1,\"x\ny\"\n1,z\n", []string{"c.csv:4: uuid 1 is there already, on line 2"}},
		{"table with an empty uuid", "c.csv", "uuid,caption\n,x\n", []string{"c.csv:2: the row has no uuid"}},
		{"table without rows", "c.csv", "uuid,caption\n", []string{"c.csv has no rows"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := bench.Inputs{Predictions: fixture.File(t, c.file, c.text), Data: fixture.File(t, "data.jsonl", jsonl(aRow(1, nil), aRow(2, nil)))}
			refused(t, in, omniscope.Invalid, c.want...)
		})
	}
}

func refused(t *testing.T, in bench.Inputs, kind omniscope.Kind, want ...string) {
	t.Helper()
	_, err := Benchmark{}.Open(t.Context(), in)
	if err == nil {
		t.Fatal("it was accepted")
	}
	if omniscope.KindOf(err) != kind {
		t.Errorf("%v is %v, want %v", err, omniscope.KindOf(err), kind)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v does not say %q", err, w)
		}
	}
	if len(err.Error()) > 1000 {
		t.Errorf("the error has %d characters", len(err.Error()))
	}
}
