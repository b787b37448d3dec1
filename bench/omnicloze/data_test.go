package omnicloze

import (
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/fixture"
)

func TestRowFormats(t *testing.T) {
	embedded := aRow(1, object{"cloze": fixture.JSON(aCloze(nil))})
	for name, row := range map[string]any{
		"released, cloze an object":  aRow(1, nil),
		"cloze a string":             embedded,
		"metadata a string":          aRow(1, object{"metadata": `{"category": "Sports", "subcategory": "Bowling"}`}),
		"uuid a string":              aRow("1", object{"video_path": "./videos/1.mp4"}),
		"members that nobody knows":  aRow(1, object{"extra": []int{1, 2}, "gold_caption": "x"}),
		"blanks around":              "  " + fixture.JSON(aRow(1, nil)) + " \t",
		"carriage return at the end": fixture.JSON(aRow(1, nil)) + "\r",
		"byte order mark":            "\ufeff" + fixture.JSON(aRow(1, nil)),
	} {
		t.Run(name, func(t *testing.T) {
			e := openedRows(t, row)
			it, caption := loaded(t, e, 0)
			if e.plan.Units != 1 || e.plan.Steps(0) != "1" || len(e.plan.Warnings) > 0 {
				t.Errorf("%d units, first step %q, warnings %q", e.plan.Units, e.plan.Steps(0), e.plan.Warnings)
			}
			if it.uuid != "1" || it.clip != "./videos/1.mp4" || it.category != "Sports" || it.subcategory != "Bowling" || caption != "a red car honks" {
				t.Errorf("got %+v, caption %q", it, caption)
			}
			first, second := it.blanks[0], it.blanks[1]
			if first.number != 1 || first.key != "A" || first.modality != omniscope.Visual || second.key != "B" || second.modality != omniscope.Audio {
				t.Errorf("got blanks %+v", it.blanks)
			}
			if it.passage() != "A [BLANK_1] car [BLANK_2]." {
				t.Errorf("got passage %q", it.passage())
			}
		})
	}
}

func TestOptionFormats(t *testing.T) {
	without := func(changes object) object {
		return changed(aBlank(1, object{"options": nil}), changes)
	}
	all := []string{"red", "blue", "green", "grey"}
	for _, c := range []struct {
		name  string
		blank object
		want  []string
		built bool
	}{
		{"list with letters", aBlank(1, nil), all, false},
		{"list with letters, no blank", without(object{"options": []string{"A:red", "B:blue", "C:green", "D:grey"}}), all, false},
		{"plain list", without(object{"options": all}), all, false},
		{"plain list of five", without(object{"options": append(slices.Clone(all), "not given")}), all, false},
		{"map", without(object{"options": object{"A": "red", "B": "blue", "C": "green", "D": "grey", "E": "not given"}}), all, false},
		{"choices", without(object{"choices": all}), all, false},
		{"choices beside null options", without(object{"options": null, "choices": all}), all, false},
		{"three options", without(object{"options": all[:3]}), all[:3], false},
		{"numbers", without(object{"options": []int{1, 2, 3, 4}}), []string{"1", "2", "3", "4"}, false},
		{"text that begins with another letter", without(object{"options": []string{"B: side", "D: day", "x", "y"}}), []string{"B: side", "D: day", "x", "y"}, false},
		{"absent", without(nil), all, true},
		{"null", without(object{"options": null}), all, true},
		{"empty", without(object{"options": []string{}}), all, true},
		{"absent, answer third", without(object{"answer_index": 2}), []string{"blue", "green", "red", "grey"}, true},
		{"absent, two distractors", without(object{"distractors": []string{"blue", "grey"}}), []string{"red", "blue", "grey"}, true},
		{"absent without index", without(object{"answer_index": nil}), []string{}, false},
		{"absent, index beyond", without(object{"answer_index": 4}), []string{}, false},
		{"absent, index below", without(object{"answer_index": -1}), []string{}, false},
		{"absent without answer", without(object{"answer": nil}), []string{}, false},
		{"absent, four distractors", without(object{"distractors": []string{"a", "b", "c", "d"}}), []string{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := openedRows(t, aRow(1, object{"cloze": aCloze(object{"blanks": []any{c.blank}})}))
			it, _ := loaded(t, e, 0)
			if got := it.blanks[0].options(); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if warned := slices.ContainsFunc(e.plan.Warnings, func(w string) bool { return strings.Contains(w, "they were built from answer") }); warned != c.built {
				t.Errorf("warnings %q, want built %v", e.plan.Warnings, c.built)
			}
		})
	}
}

// The judge is shown options that were built as the others are.
func TestBuiltOptions(t *testing.T) {
	e := openedRows(t, aRow(1, object{"cloze": aCloze(object{"blanks": []any{aBlank(1, object{"options": nil}), aBlank(2, nil)}})}))
	it, _ := loaded(t, e, 0)
	want := `{'passage': 'A [BLANK_1] car [BLANK_2].', 'blanks': [` +
		`{'number': 1, 'options': ['A: red', 'B: blue', 'C: green', 'D: grey', 'E: not given']}, ` +
		`{'number': 2, 'options': ['A: brakes', 'B: honks', 'C: parks', 'D: burns', 'E: not given']}]}`
	if got := string(it.appendText(nil)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestUnscorableBlankInStrict(t *testing.T) {
	for _, c := range []struct {
		name  string
		blank object
		want  string // "" = it can
	}{
		{"whole", aBlank(1, nil), ""},
		{"no options", aBlank(1, object{"options": nil, "answer": nil}), "the blank has no options"},
		{"key missing", aBlank(1, object{"answer_key": nil}), `the key "" is not one of A to D`},
		{"key null", aBlank(1, object{"answer_key": null}), `the key "" is not one of A to D`},
		{"key empty", aBlank(1, object{"answer_key": ""}), `the key "" is not one of A to D`},
		{"key E", aBlank(1, object{"answer_key": "E"}), `the key "E" is not one of A to D`},
		{"key in lower case", aBlank(1, object{"answer_key": "a"}), `the key "a" is not one of A to D`},
		{"key with text", aBlank(1, object{"answer_key": "A: red"}), `the key "A: red" is not one of A to D`},
		{"key a number", aBlank(1, object{"answer_key": 0}), `the key "0" is not one of A to D`},
		{"key beyond the options", aBlank(1, object{"answer_key": "D", "options": []string{"a", "b"}}), "the key D names no option"},
	} {
		t.Run(c.name, func(t *testing.T) {
			it, _ := loaded(t, openedRows(t, aRow(1, object{"cloze": aCloze(object{"blanks": []any{c.blank}})})), 0)
			got := ""
			if err := it.blanks[0].scorable(); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestBlankOrderWarning(t *testing.T) {
	e := openedRows(t, aRow(1, object{"cloze": aCloze(object{"blanks": []any{aBlank(2, nil), aBlank(1, nil)}})}), aRow(2, nil))
	if len(e.plan.Warnings) != 1 || !strings.HasPrefix(e.plan.Warnings[0], "1 rows do not number their blanks 1, 2, 3") {
		t.Errorf("warnings %q", e.plan.Warnings)
	}
	if it, _ := loaded(t, e, 0); it.blanks[0].number != 2 {
		t.Errorf("got %+v", it.blanks)
	}
}

func TestCaptionsInTheRows(t *testing.T) {
	for _, c := range []struct {
		name    string
		caption any
		want    string
	}{
		{"text", "hello", "hello"},
		{"empty", "", ""},
		{"null", null, "(none)"},
		{"absent", nil, "(none)"},
		{"blank", " ", " "},
		{"a number", 7, "7"},
		{"lines and quotes", "a\n\"b\"\t\u2028", "a\n\"b\"\t\u2028"},
		{"ten megabytes", strings.Repeat("0123456789", 1<<20), strings.Repeat("0123456789", 1<<20)},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := openedRows(t, aRow(1, object{"predicted_caption": c.caption}), aRow(2, nil))
			if _, got := loaded(t, e, 0); got != c.want {
				t.Errorf("got %.100q, want %.100q", got, c.want)
			}
		})
	}
}

func TestAnotherCaptionField(t *testing.T) {
	path := fixture.File(t, "rows.jsonl", jsonl(aRow(1, object{"my.model": "mine"})))
	e := opened(t, bench.Inputs{Predictions: path, CaptionField: "my.model"})
	if _, got := loaded(t, e, 0); got != "mine" {
		t.Errorf("got %q", got)
	}
}

func TestLineFormats(t *testing.T) {
	one, two := fixture.JSON(aRow(1, nil)), fixture.JSON(aRow(2, nil))
	for name, text := range map[string]string{
		"as usual":                   one + "\n" + two + "\n",
		"last line without its end":  one + "\n" + two,
		"CRLF":                       one + "\r\n" + two + "\r\n",
		"blank lines":                "\n\n" + one + "\n  \n\t\n" + two + "\n\n",
		"byte order mark":            "\ufeff" + one + "\n" + two,
		"mark and a blank line":      "\ufeff\n" + one + "\n" + two,
		"invalid UTF-8 in a caption": strings.Replace(one, "red car", "red \xff\xc3 car", 1) + "\n" + two,
	} {
		t.Run(name, func(t *testing.T) {
			e := opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", text)})
			if e.plan.Units != 2 || e.plan.Steps(1) != "2" {
				t.Errorf("%d units", e.plan.Units)
			}
			for i := range 2 {
				if _, err := e.Evaluate(t.Context(), i); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestSampleFilter(t *testing.T) {
	path := fixture.File(t, "rows.jsonl", jsonl(aRow(1, nil), aRow(2, nil), aRow(3, nil)))
	steps := func(in bench.Inputs) (out string) {
		in.Predictions = path
		e := opened(t, in)
		for i := range e.plan.Units {
			out += e.plan.Steps(i)
		}
		return out
	}
	if got := steps(bench.Inputs{Limit: 2}); got != "12" {
		t.Errorf("with a limit: %s", got)
	}
	if got := steps(bench.Inputs{Samples: []omniscope.SampleID{"3", "1"}}); got != "13" {
		t.Errorf("with ids: %s", got)
	}
	if got := steps(bench.Inputs{Samples: []omniscope.SampleID{"2"}, Limit: 2}); got != "2" {
		t.Errorf("with an id and a limit: %s", got)
	}
}
