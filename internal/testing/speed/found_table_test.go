package speed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

const manifest = `{"files": [
 {"file": "film.mp4", "measured_audio": {"lufs": -20, "true_peak_dbtp": -3},
  "content": {"visible_text": [{"text": "THE END"}, {"text": "running time code"}], "speech": [{"text": "Hello."}], "hard_cuts_s": [1, 2, 5], "gradual": [{"t0": 3, "t1": 4}]}},
 {"file": "mute.webm", "measured_audio": {"lufs": -70, "true_peak_dbtp": null}, "content": {}},
 {"file": "still.mp4", "measured_audio": null, "content": {}},
 {"file": "rain.ogg", "measured_audio": {"lufs": -22.5, "true_peak_dbtp": -3}, "content": {}},
 {"file": "crowd.ogg", "measured_audio": {"lufs": -22.5, "true_peak_dbtp": -3}, "content": {"sounds": ["many people talking"]}},
 {"file": "inn.ogg", "measured_audio": {"lufs": -22.5, "true_peak_dbtp": -3}, "content": {"sounds": ["people talking, glasses"]}}]}`

var ledgers = map[string]string{
	"film": `{"kind": "text", "quote": "THE END"}, {"kind": "text", "quote": "00:00:00:00 … 00:00:04:24"}, {"kind": "text", "quote": "xz"},
	 {"kind": "cut", "start_s": 1.05}, {"kind": "cut", "start_s": 2.2}, {"kind": "cut", "start_s": 3.5}, {"kind": "cut", "start_s": 5},
	 {"kind": "speech", "start_s": 1, "end_s": 2}, {"kind": "sound", "values": {"integrated_lufs": -20.3}}`,
	"mute":  `{"kind": "silence", "what": "the sound track is silent throughout"}`,
	"still": `{"kind": "absence", "what": "the clip has no sound track"}`,
	"crowd": `{"kind": "speech", "start_s": 1, "end_s": 2}, {"kind": "sound", "values": {"integrated_lufs": -22.5}}`,
	"inn":   `{"kind": "speech", "start_s": 1, "end_s": 2, "quote": "Cheers"}, {"kind": "sound", "values": {"integrated_lufs": -22.5}}`,
	"rain":  `{"kind": "speech", "start_s": 1, "end_s": 2}, {"kind": "sound", "values": {"integrated_lufs": -22.5}}`,
}

// The table of found contents, and the marks that it misses.
func TestFoundTable(t *testing.T) {
	dir := t.TempDir()
	for name, ledger := range ledgers {
		fixture.OK(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		write(t, filepath.Join(dir, name, "report.json"), `{"ledger": [`+ledger+`]}`)
	}
	list := filepath.Join(dir, "MANIFEST.json")
	write(t, list, manifest)
	var out strings.Builder
	err := compare(&out, list, dir)
	if err == nil || err.Error() != "missed: cuts found: 2 of 3; clips with invented speech: 2" {
		t.Errorf("%v", err)
	}
	var rows []string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"clip texts invented cuts false sound speech loudness",
		"film.mp4 2/2 1 2/3 1 – 1/1 0.3", "mute.webm – 0 – 0 1/1 – 0.0", "still.mp4 – 0 – 0 1/1 – 0.0", "rain.ogg – 0 – 0 – +1 0.0",
		"crowd.ogg – 0 – 0 – – 0.0", "inn.ogg – 0 – 0 – +1 0.0",
		"all 2/2 1 2/3 1 2/2 1/1+2 0.3",
	}
	if got := strings.Join(rows[:len(want)], "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
