package bench

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/rows"
	"omniscope/internal/testing/fixture"
)

// threeSamples have recordings in two folders, of which two have one stem.
var threeSamples = []Named{
	{ID: "q1", Media: []string{"x/clip.wav"}}, {ID: "q2", Media: []string{"y/clip.wav"}}, {ID: "q3", Media: []string{"x/other.mp4"}},
}

// findIDs finds the ids of rows, and returns them with commas between.
func findIDs(t *testing.T, text, field string) (ids, as string, err error) {
	t.Helper()
	lines, err := rows.Open(t.Context(), fixture.File(t, "rows.jsonl", text))
	fixture.OK(t, err)
	defer lines.Close()
	found, err := FindIDs(lines, Inputs{Data: "data.json", IDField: field}, threeSamples, errors.New("no id"))
	if err != nil {
		return "", "", err
	}
	return strings.Join(found.Of, ","), found.As, nil
}

func TestFindIDs(t *testing.T) {
	for name, c := range map[string]struct{ text, field, ids, as string }{
		"ids":               {`{"uuid": "q3"}` + "\n" + `{"uuid": "q1"}`, "", "q3,q1", `ids: taken from "uuid" as ids`},
		"media":             {`{"video": "other"}` + "\n" + `{"video": "/data/x/clip.mp4"}`, "", "q3,q1", `ids: taken from "video" as names of the media`},
		"ids before media":  {`{"video": "other.mp4", "video_id": "q2"}`, "", "q2", `ids: taken from "video_id" as ids`},
		"the first that is": {`{"id": 1, "audio": "y/clip.wav"}`, "", "q2", `ids: taken from "audio" as names of the media`},
		"one stem":          {`{"path": "y/clip.wav"}` + "\n" + `{"path": "x/clip.wav"}`, "", "q2,q1", `ids: taken from "path" as names of the media`},
		"a named field":     {`{"key": "q1"}` + "\n" + `{"key": "q9"}`, "key", "q1,", `ids: taken from "key" as ids (1 of 2 rows; the others are left out)`},
	} {
		ids, as, err := findIDs(t, c.text, c.field)
		if err != nil || ids != c.ids || as != c.as {
			t.Errorf("%s: %q, %q, %v; want %q, %q", name, ids, as, err, c.ids, c.as)
		}
	}
}

func TestFindIDsRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text, field string
		says        []string
	}{
		"no field":        {`{"key": "z", "caption": "x"}`, "", []string{`no id; ids of samples are such as "q1" (media "x/clip.wav"), "q2"`, `the rows have "key", "caption"`}},
		"another field":   {`{"key": "q1"}` + "\n" + `{"key": "q2"}`, "", []string{`"key" names samples in 2 of 2 rows: take it with --id-field key`}},
		"a part":          {`{"id": "q1"}` + "\n" + `{"id": "q9"}`, "", []string{`"id" names samples in 1 of 2 rows: take it with --id-field id`}},
		"a stem alone":    {`{"video": "clip"}`, "", []string{"no id"}},
		"a sample twice":  {`{"id": "q1"}` + "\n" + `{"id": "q1"}`, "id", []string{"rows.jsonl:1", "rows.jsonl:2 are both of q1"}},
		"several samples": {`{"video": "clip"}`, "video", []string{`rows.jsonl:1: "clip" may be several samples`}},
		"no such field":   {`{"vidoe": "clip"}`, "video", []string{`--id-field video`, `did you mean "video"`}},
		"no sample":       {`{"video": "z"}`, "video", []string{`"z" is not a sample; ids are such as "q1"`}},
	} {
		ids, _, err := findIDs(t, c.text, c.field)
		if err == nil || slices.ContainsFunc(c.says, func(part string) bool { return !strings.Contains(err.Error(), part) }) {
			t.Errorf("%s: %q, %v, want %q", name, ids, err, c.says)
		}
	}
}
