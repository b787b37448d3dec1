package capricorn

import (
	"encoding/json"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
)

// TestCasesOfAllVideos has a case for each video, the one without a caption among them.
func TestCasesOfAllVideos(t *testing.T) {
	annotations, captions := pastVideos()
	text := scoreToFiles(t, Benchmark{}, inputs(t, bench.Strict, &fake{}, annotations, captions))[bench.CasesFile]
	var cases []document.Case
	for line := range strings.Lines(text) {
		var c document.Case
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if len(cases) != strings.Count(annotations, "\n") {
		t.Fatalf("%d cases of %d videos", len(cases), strings.Count(annotations, "\n"))
	}
	first := cases[0]
	if first.Score == nil || *first.Score != 0.6 || first.Sections[0].Title != "Caption" || first.Sections[1].Title != "Subjects" {
		t.Errorf("%+v", first)
	}
	row := first.Sections[2].Rows[0]
	if row[0][0] != (document.Piece{Text: "✓ correct", Tone: document.Good}) || row[2][1].Text != "the a [1a]" || row[2][1].Tone != document.Subject {
		t.Errorf("%+v", row)
	}
	for _, c := range cases {
		if c.Outcome == omniscope.Missing && (c.Score != nil || c.Sections[0].Text[0].Tone != document.Dim) {
			t.Errorf("%+v", c)
		}
	}
}
