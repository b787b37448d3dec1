package filter

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// Lines of the published program come back with its own segments and YAML, in place of
// those that were taken out, and every other byte as it was.
func TestPDACOfPublishedProgram(t *testing.T) {
	published, err := os.ReadFile(golden.Path(t, "mcif", "shas_pdac.jsonl"))
	fixture.OK(t, err)
	emptied := false
	for line := range strings.Lines(string(published)) {
		var want struct {
			ID       string
			Segments json.RawMessage
			YAML     json.RawMessage
		}
		fixture.OK(t, json.Unmarshal([]byte(line), &want))
		before := strings.Replace(line, `"segments": `+string(want.Segments), `"segments": null`, 1)
		if before == line {
			t.Fatalf("%s: the segments were not taken out", want.ID)
		}
		if string(want.YAML) != "null" {
			before = strings.Replace(before, `"yaml": `+string(want.YAML), `"yaml": ""`, 1)
			emptied = true
		}
		got := mustFilter(t, before, PDAC())
		if string(want.YAML) == "null" { // the vectors have the YAML of short lists only
			start := strings.Index(got, `"yaml": "`) + len(`"yaml": `)
			var text string
			in := json.NewDecoder(strings.NewReader(got[start:]))
			fixture.OK(t, in.Decode(&text))
			got = got[:start] + "null" + got[start+int(in.InputOffset()):]
		}
		if got != line {
			t.Errorf("%s: the line is not as it was", want.ID)
		}
	}
	if !emptied {
		t.Error("no vector has a YAML text")
	}
}

func TestPDACDefaults(t *testing.T) {
	got := mustFilter(t, `{"id":7,"probs":[0.1,0.9,1,0]}`+"\n", PDAC())
	want := `{"id":7,"probs":[0.1,0.9,1,0], "segments": [{"start": 1, "end": 3, "duration": 0.04, "offset": 0.02}], ` +
		`"yaml": "[{duration: 0.04, offset: 0.02, rW: 0, speaker_id: NA, uW: 0, wav: talk.wav}]\n"}` + "\n"
	if got != want {
		t.Errorf("got  %swant %s", got, want)
	}
	got = mustFilter(t, `{"probs": [], "wav": "a: b.wav", "max": 1, "min": 0, "threshold": 0.9, "not_strict": true}`, PDAC())
	if !strings.Contains(got, `"segments": [{"start": 0, "end": 0, "duration": 0.0, "offset": 0.0}]`) || !strings.Contains(got, "wav: 'a: b.wav'}") {
		t.Error(got)
	}
}

func TestPDACBadInput(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{}`, `no field "probs"`},
		{`{"probs": 1}`, `"probs" is a number, not a list of numbers`},
		{`{"probs": [0.5, "x"]}`, `item 2 of "probs" is a string, not a number`},
		{`{"probs": [2]}`, "frame 0 (from 0) is 2, not from 0 to 1"},
		{`{"probs": [], "max": "18"}`, `"max" is a string, not a number`},
		{`{"probs": [], "max": -1}`, "max is -1"},
		{`{"probs": [], "not_strict": 1}`, `"not_strict" is a number, not true or false`},
		{`{"probs": [], "wav": null}`, `"wav" is null, not a string`},
	} {
		if _, err := filtered(`{"probs": [0]}`+"\n"+c.line, PDAC()); err == nil || !strings.Contains(err.Error(), "stdin:2") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.line, err, c.want)
		}
	}
}
