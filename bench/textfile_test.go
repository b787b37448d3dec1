package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestGoldIsNoPrediction makes sure that a field which may hold right answers is read only where nothing else in the row could be
// what a model said, or where the user names it.
func TestGoldIsNoPrediction(t *testing.T) {
	form := TextForm{IDs: []string{"id"}, Fields: []string{"answer", "response", "prediction"}, Gold: "answer", Asked: []string{"question"}}
	named := TextForm{IDs: []string{"id"}, Fields: []string{"answer"}}
	for _, c := range []struct {
		rows string
		form TextForm
		want string // the field that is read, or part of the error
	}{
		{`{"id": "1", "answer": "A"}`, form, "answer"},
		{`{"id": "1", "response": "A"}`, form, "response"},
		{`{"id": "1", "answer": "A", "prediction": "B"}`, form, `:1: the row has "prediction" beside "answer"`},
		{`{"id": "1", "question": "?", "answer": "A"}`, form, `:1: the row has "question" beside "answer"`},
		{`{"id": "1", "answer": "A"}` + "\n" + `{"id": "2", "answer": "A", "response": "B"}`, form, `:2: the row has "response" beside "answer"`},
		{`{"id": "1", "question": "?", "answer": "A", "prediction": "B"}`, named, "answer"},
		{`{"video": "1", "caption": "a dog", "prediction": "a cat"}`, Captions(""), `the row has "prediction" beside "caption"`},
		{`{"video": "1", "caption": "a dog", "prediction": "a cat"}`, Captions("caption"), "caption"},
		{`{"video": "1", "predicted_caption": "a dog", "prediction": "a cat"}`, Captions(""), "predicted_caption"},
	} {
		path := filepath.Join(t.TempDir(), "rows.jsonl")
		fixture.OK(t, os.WriteFile(path, []byte(c.rows), 0o600))
		f, err := OpenTextFile(t.Context(), path, c.form)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--caption-field") {
				t.Errorf("%s: %v, want %s", c.rows, err, c.want)
			}
			continue
		}
		if got := f.field; got != c.want {
			t.Errorf("%s: the field %s is read, want %s", c.rows, got, c.want)
		}
		f.Lines.Close()
	}
}

// TestRowsWithoutTheField makes sure that rows whose text is in another field than that of the first row do not go missing in silence.
func TestRowsWithoutTheField(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	fixture.OK(t, os.WriteFile(path, []byte(`{"id": "1", "response": "A"}`+"\n"+`{"id": "2", "prediction": "B"}`+"\n"+`{"id": "3", "response": null}`), 0o600))
	f, err := OpenTextFile(t.Context(), path, TextForm{IDs: []string{"id"}, Fields: []string{"response", "prediction"}})
	fixture.OK(t, err)
	defer f.Lines.Close()
	warnings, err := f.Match(Inputs{}, 3, func(i int) []string { return []string{string(rune('1' + i))} }, "answers", "question", "")
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], `1 of the 3 rows in `) || !strings.Contains(warnings[0], `have no field "response"`) {
		t.Errorf("%q, %v", warnings, err)
	}
}

// TestEmptyCell: an empty cell of a table counts as null, and a warning says so; an empty text in JSON is a text.
func TestEmptyCell(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		none bool
	}{
		"a.csv":   {"id,caption\na,\nb,x\n", true},
		"a.tsv":   {"id\tcaption\na\t\nb\tx\n", true},
		"a.jsonl": {`{"id": "a", "caption": ""}` + "\n" + `{"id": "b", "caption": "x"}`, false},
		"b.jsonl": {`{"id": "a", "caption": null}` + "\n" + `{"id": "b", "caption": "x"}`, true},
	} {
		file, err := OpenTextFile(t.Context(), fixture.File(t, name, c.text), Captions(""))
		fixture.OK(t, err)
		text, err := file.Get("a")
		if err != nil || (text == nil) != c.none {
			t.Errorf("%s: %v, %v, want no text: %v", name, text, err, c.none)
		}
		warnings, err := file.Match(Inputs{}, 2, func(i int) []string { return []string{string(rune('a' + i))} }, "captions", "clip", "")
		if err != nil || (len(warnings) == 1) != (strings.HasPrefix(name, "a.") && c.none) {
			t.Errorf("%s: warnings %q, %v", name, warnings, err)
		}
		if err := file.Lines.Close(); err != nil {
			t.Error(err)
		}
	}
}
