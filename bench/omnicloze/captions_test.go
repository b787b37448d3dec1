package omnicloze

import (
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/fixture"
)

// withCaptions opens rows 1 and 2, which have no captions, with a file of them.
func withCaptions(t *testing.T, name, text, field string) *evaluation {
	t.Helper()
	bare := object{"predicted_caption": nil}
	return opened(t, bench.Inputs{
		Predictions: fixture.File(t, name, text), CaptionField: field,
		Data: fixture.File(t, "data.jsonl", jsonl(aRow(1, bare), aRow("two", bare))),
	})
}

func TestCaptionsInAFileOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		name, file, text, field string
		first, second           string
	}{
		{"lines", "c.jsonl", jsonl(object{"uuid": 1, "caption": "x"}, object{"uuid": "two", "caption": "y"}), "", "x", "y"},
		{"lines in other order, uuid as text", "c.jsonl", jsonl(object{"uuid": "two", "caption": "y"}, object{"uuid": "1", "caption": "x"}), "", "x", "y"},
		{"predicted_caption before caption", "c.jsonl", jsonl(object{"uuid": 1, "caption": "no", "predicted_caption": "x"}, object{"uuid": "two", "predicted_caption": "y"}), "", "x", "y"},
		{"prediction", "c.jsonl", jsonl(object{"uuid": 1, "prediction": "x"}, object{"uuid": "two", "prediction": "y"}), "", "x", "y"},
		{"a field of the user's", "c.jsonl", jsonl(object{"uuid": 1, "out.text": "x", "caption": "no"}, object{"uuid": "two", "out.text": "y"}), "out.text", "x", "y"},
		{"a list in a field that is not used", "c.jsonl", jsonl(object{"uuid": 1, "predicted_caption": "x", "caption": []int{1}}, object{"uuid": "two", "predicted_caption": "y"}), "", "x", "y"},
		{"null", "c.jsonl", jsonl(object{"uuid": 1, "caption": null}, object{"uuid": "two", "caption": "y"}), "", "(none)", "y"},
		{"empty", "c.jsonl", jsonl(object{"uuid": 1, "caption": ""}, object{"uuid": "two", "caption": "y"}), "", "", "y"},
		{"one without a row", "c.jsonl", jsonl(object{"uuid": "two", "caption": "y"}), "", "(none)", "y"},
		{"one without the field", "c.jsonl", jsonl(object{"uuid": 1}, object{"uuid": "two", "caption": "y"}), "", "(none)", "y"},
		{"marked and CRLF", "c.jsonl", "\ufeff{\"uuid\": 1, \"caption\": \"x\"}\r\n\r\n{\"uuid\": \"two\", \"caption\": \"y\"}", "", "x", "y"},
		{"table", "c.csv", "uuid,caption\n1,x\ntwo,y\n", "", "x", "y"},
		{"table with other columns and order", "c.CSV", "model,caption,len,uuid\nm,y,1,two\nm,x,1,1\n", "", "x", "y"},
		{"table with quotes and lines", "c.csv", "uuid,caption\n1,\"a, \"\"b\"\"\nc\"\ntwo,\"\"\n", "", "a, \"b\"\nc", "(none)"}, // an empty cell is null
		{"table marked and CRLF", "c.csv", "\ufeffuuid,caption\r\n1,x\r\n\r\ntwo,y\r\n", "", "x", "y"},
		{"table with a field of the user's", "c.csv", "uuid,caption,mine\n1,no,x\ntwo,no,y\n", "mine", "x", "y"},
		{"table without the last line end", "c.csv", "uuid,caption\n1,x\ntwo,y", "", "x", "y"},
		{"ten megabytes", "c.csv", "uuid,caption\n1," + strings.Repeat("0123456789", 1<<20) + "\ntwo,y\n", "", strings.Repeat("0123456789", 1<<20), "y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := withCaptions(t, c.file, c.text, c.field)
			for i, want := range []string{c.first, c.second} {
				if _, got := loaded(t, e, i); got != want {
					t.Errorf("caption %d is %.100q, want %.100q", i+1, got, want)
				}
			}
			if len(e.plan.Inputs) != 2 || len(e.plan.Warnings) > 0 {
				t.Errorf("inputs %v, warnings %q", e.plan.Inputs, e.plan.Warnings)
			}
		})
	}
}

// A caption in the rows does not count when the captions are in a file.
func TestCaptionsFileAlone(t *testing.T) {
	e := opened(t, bench.Inputs{
		Predictions: fixture.File(t, "c.jsonl", jsonl(object{"uuid": 1, "caption": "x"})),
		Data:        fixture.File(t, "data.jsonl", jsonl(aRow(1, nil), aRow(2, nil))),
	})
	if _, got := loaded(t, e, 0); got != "x" {
		t.Errorf("got %q", got)
	}
	if _, got := loaded(t, e, 1); got != "(none)" {
		t.Errorf("got %q", got)
	}
}

func TestUnknownCaptionsWarning(t *testing.T) {
	e := withCaptions(t, "captions.jsonl", jsonl(object{"uuid": 9, "caption": "x"}, object{"uuid": 1, "caption": "x"}, object{"uuid": 8, "caption": "x"}), "")
	if len(e.plan.Warnings) != 1 || !strings.HasPrefix(e.plan.Warnings[0], "2 captions belong to no uuid of ") || !strings.HasSuffix(e.plan.Warnings[0], ": 8, 9") {
		t.Errorf("warnings %q", e.plan.Warnings)
	}
	if e.plan.Units != 2 || e.plan.System != "captions" {
		t.Errorf("%d units of %q", e.plan.Units, e.plan.System)
	}
}

// TestCaptionOfAnotherRecording: a caption is left out if its row names the recording of another uuid. A name outside
// the benchmark is ignored.
func TestCaptionOfAnotherRecording(t *testing.T) {
	e := opened(t, bench.Inputs{
		Predictions: fixture.File(t, "c.jsonl", jsonl(object{"uuid": 1, "caption": "x", "video": "clips/b.mkv"}, object{"uuid": 2, "caption": "y", "video_path": "b.mp4"}, object{"uuid": 3, "caption": "z", "video": "tmp/8f.mp4"})),
		Data:        fixture.File(t, "data.jsonl", jsonl(aRow(1, object{"video_path": "v/a.mp4"}), aRow(2, object{"video_path": "v/b.mp4"}), aRow(3, object{"video_path": "v/c.mp4"}))),
	})
	for i, want := range []string{"(none)", "y", "z"} {
		if _, got := loaded(t, e, i); got != want {
			t.Errorf("caption %d is %q, want %q", i+1, got, want)
		}
	}
	if w := strings.Join(e.plan.Warnings, "\n"); !strings.Contains(w, "1 rows of answers have another recording") || strings.Contains(w, "--any-questions") {
		t.Errorf("warnings %q", w)
	}
}
