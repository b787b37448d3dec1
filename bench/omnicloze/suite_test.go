package omnicloze

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/benchgen"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
	"omniscope/model/scripted"
)

var dimensions = []string{"modality", "category", "subcategory"}

func TestSuite(t *testing.T) {
	const units = 12
	var text bytes.Buffer
	fixture.OK(t, benchgen.Cloze(&text, benchgen.ClozeOptions{Rows: units, Blanks: 9, Words: 20, Seed: 3, Numeric: true}))
	// Two units share a clip, one has no caption, and one an empty one.
	rows := strings.Replace(text.String(), "0000002.mp4", "0000001.mp4", 1) +
		jsonl(aRow("none", object{"predicted_caption": nil}), aRow("empty", object{"predicted_caption": ""}))
	path := fixture.File(t, "rows.jsonl", rows)

	nine, _ := long(9)
	two, _ := long(2)
	replies := script{"none": {{Text: two}}, "empty": {{Text: two}}}
	for i := range units {
		replies[strconv.Itoa(i+1)] = [][]scripted.Reply{{{Text: nine}}, {{Text: "no"}, {Text: nine}}, {{Text: "```\n" + nine}}}[i%3]
	}
	for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
		t.Run("judged "+scoring.String(), func(t *testing.T) {
			j, _ := follows(replies)
			benchtest.Run(t, Benchmark{}, bench.Inputs{Predictions: path, Judge: j, Scoring: scoring}, benchtest.Workers, dimensions...)
		})
		t.Run("offline "+scoring.String(), func(t *testing.T) {
			benchtest.Run(t, Benchmark{}, bench.Inputs{Predictions: path, Scoring: scoring}, benchtest.Workers, dimensions...)
		})
	}
}
