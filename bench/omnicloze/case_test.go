package omnicloze

import (
	"bytes"
	"encoding/json"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
)

// TestCaseLine compares lines of cases with what encoding/json writes for the same cases.
func TestCaseLine(t *testing.T) {
	judged := func(u *unit) {
		u.strict = reply{{letter: 'A', text: "A: red"}, {letter: 'E', text: "E"}}
		u.verdicts[bench.Strict] = []omniscope.Verdict{omniscope.Correct, omniscope.NotGiven}
	}
	odd := "a <b> & \"c\" \u2028 é\n\x01"
	for _, c := range []struct {
		name    string
		changes object
		caption *string
		judge   func(u *unit)
		filled  string // the texts of the passage
	}{
		{"judged", nil, new("a red car"), judged, "A |1 red| car |2 not given|."},
		{"not judged", nil, new("a red car"), nil, "A |1 not judged| car |2 not judged|."},
		{"no caption", nil, nil, judged, "A |1 red| car |2 not given|."},
		{"empty caption", nil, new(""), judged, "A |1 red| car |2 not given|."},
		{"odd characters", object{"metadata": object{"category": odd, "subcategory": odd}, "video_path": odd}, new(odd), judged, "A |1 red| car |2 not given|."},
		{"no metadata", object{"metadata": nil, "video_path": nil}, new("x"), judged, "A |1 red| car |2 not given|."},
		{"gaps without a blank", object{"cloze": aCloze(object{"passage": "[BLANK_9][BLANK_] [BLANK_0000001] [BLANK_2[BLANK_000002][BLANK_1]"})}, new("x"), judged,
			"[BLANK_9][BLANK_] [BLANK_0000001] [BLANK_2|2 not given|1 red"},
	} {
		t.Run(c.name, func(t *testing.T) {
			it, err := readItem(new(parser), []byte(fixture.JSON(aRow("7", c.changes))))
			fixture.OK(t, err)
			u := newUnit(it, c.caption)
			u.outcome = omniscope.OK
			u.verdicts[bench.Strict] = make([]omniscope.Verdict, 2)
			if c.judge != nil {
				c.judge(u)
			}
			line := u.appendCase(nil, it, c.caption)
			var read document.Case
			if err := json.Unmarshal(line, &read); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			var again bytes.Buffer
			if err := json.NewEncoder(&again).Encode(read); err != nil || again.String() != string(line) {
				t.Errorf("got  %s\nwant %s, %v", line, again.String(), err)
			}
			if read.Unit != "7" || len(read.Sections) != 3 || len(read.Sections[2].Rows) != 2 || (read.Score == nil) != (c.judge == nil) {
				t.Errorf("got %s", line)
			}
			filled := ""
			for i, p := range read.Sections[1].Text {
				if i > 0 {
					filled += "|"
				}
				filled += p.Text
			}
			if filled != c.filled {
				t.Errorf("the passage is %q, want %q", filled, c.filled)
			}
		})
	}
}
