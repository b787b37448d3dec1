package mcif

import (
	"encoding/json"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
)

// TestCasesOfEachTask looks at what people see of a transcript, a translation and an
// answer.
func TestCasesOfEachTask(t *testing.T) {
	refs := changed(only(english, qa, sum), transcriptOf("t1", "0", "one two three four"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", but(saying, "0", "one too three four")...), Data: referenceFile(t, "long", "en", refs...)}
	cases := casesOf(t, Benchmark{Track: "long", Lang: "en", Scorers: lengths()}, in)
	words := cases["ASR"]
	want := []document.Piece{{Text: "one "}, {Text: "two", Tone: document.Gone, Note: "the reference has it"}, {Text: " "}, {Text: "too", Tone: document.Added, Note: "the system has it"}, {Text: " "}, {Text: "three four "}}
	if got := words.Sections[0].Text; len(got) != len(want) || words.Score == nil || *words.Score != 0.75 {
		t.Errorf("%+v", words)
	} else {
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("piece %d is %+v, want %+v", i, got[i], want[i])
			}
		}
	}
	if answer := cases["QA"]; len(answer.Sections) != 2 || answer.Sections[0].Title != "Reference" || answer.Sections[1].Title != "System" || answer.Score == nil {
		t.Errorf("%+v", answer)
	}
	german := changed(german, translationOf("t1", "3", "one\ntwo", "eins\nzwei"))
	in = bench.Inputs{Predictions: outputFile(t, "long", "de", but(sagend, "3", "eins zwo")...), Data: referenceFile(t, "long", "de", german...)}
	lines := casesOf(t, Benchmark{Track: "long", Lang: "de", Scorers: lengths()}, in)["TRANS"]
	if rows := lines.Sections[0].Rows; len(rows) != 2 || rows[1][0][0].Text != "two" || rows[1][1][0].Text != "zwei" || rows[1][2][0].Text != "zwo" {
		t.Errorf("%+v", lines)
	}
}

// casesOf are the cases of a run, the first of each task.
func casesOf(t *testing.T, b Benchmark, in bench.Inputs) map[string]document.Case {
	t.Helper()
	e, _ := scored(t, b, in)
	out := make(map[string]document.Case)
	for i := range e.Plan().Units {
		r, err := e.Evaluate(t.Context(), i)
		fixture.OK(t, err)
		var c document.Case
		fixture.OK(t, json.Unmarshal([]byte(strings.TrimSpace(string(r.Records[1]))), &c))
		if task := c.Facts[0].Value; out[task].Unit == "" {
			out[task] = c
		}
	}
	return out
}
