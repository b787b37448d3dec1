package omnicloze

import (
	"encoding/json"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/fixture"
)

// object is JSON to be put together.
type object = map[string]any

// aRow is a row of two blanks, keys A and B, with changes made to it; a nil
// value takes a field out.
func aRow(uuid any, changes object) object {
	row := object{
		"uuid": uuid, "video_path": "./videos/" + fixture.JSON(uuid) + ".mp4",
		"cloze":             aCloze(nil),
		"metadata":          object{"category": "Sports", "subcategory": "Bowling"},
		"predicted_caption": "a red car honks",
	}
	return changed(row, changes)
}

func aCloze(changes object) object {
	return changed(object{"passage": "A [BLANK_1] car [BLANK_2].", "blanks": []any{aBlank(1, nil), aBlank(2, nil)}}, changes)
}

func aBlank(number int, changes object) object {
	b := object{
		"number": number, "answer": "red", "distractors": []string{"blue", "green", "grey"},
		"options": []string{"A: red", "B: blue", "C: green", "D: grey", "E: not given"}, "answer_index": 0,
		"answer_key": "A", "required_modality": "visual",
	}
	if number == 2 {
		b = object{
			"number": number, "answer": "honks", "distractors": []string{"brakes", "parks", "burns"},
			"options": []string{"A: brakes", "B: honks", "C: parks", "D: burns", "E: not given"}, "answer_index": 1,
			"answer_key": "B", "required_modality": "audio",
		}
	}
	return changed(b, changes)
}

func changed(o, changes object) object {
	for k, v := range changes {
		if v == nil {
			delete(o, k)
		} else {
			o[k] = v
		}
	}
	return o
}

// null is a JSON null, which takes no field out.
var null = json.RawMessage("null")

// jsonl writes rows, which may be text as well, one to a line.
func jsonl(rows ...any) string {
	var b strings.Builder
	for _, row := range rows {
		text, isText := row.(string)
		if !isText {
			text = fixture.JSON(row)
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

func opened(t testing.TB, in bench.Inputs) *evaluation {
	t.Helper()
	ev, err := Benchmark{}.Open(t.Context(), in)
	fixture.OK(t, err)
	t.Cleanup(func() { ev.Close() })
	return ev.(*evaluation)
}

// openedRows opens rows as predictions, judged offline.
func openedRows(t testing.TB, rows ...any) *evaluation {
	t.Helper()
	return opened(t, bench.Inputs{Predictions: fixture.File(t, "rows.jsonl", jsonl(rows...)), Scoring: bench.Strict, Allow: true})
}

// loaded returns sample i and its caption, "(none)" if there is none.
func loaded(t testing.TB, e *evaluation, i int) (it *item, caption string) {
	t.Helper()
	it, text, err := e.data.load(new(parser), i)
	fixture.OK(t, err)
	if text == nil {
		return it, "(none)"
	}
	return it, *text
}
