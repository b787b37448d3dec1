package spelling

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// valued are the flags of these tests that take a value.
func valued(flag string) bool { return flag == "--judge" || flag == "-j" }

func TestFirstWord(t *testing.T) {
	for args, want := range map[string]string{
		"":                    "",
		"evla -p x":           "evla",
		"--judge evla mcif":   "mcif",
		"--judge=x evla":      "evla",
		"--json -j x - evla":  "-",
		"--json -- evla":      "",
		"--judge openai/mini": "",
	} {
		if got := FirstWord(strings.Fields(args), valued); got != want {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
}

func TestCheckDashes(t *testing.T) {
	names := []string{"judge", "work-dir", "out"}
	for args, want := range map[string]string{
		"-judge x":        "-judge: long flags begin with two dashes: --judge",
		"-jugde=x":        "-jugde: long flags begin with two dashes: --judge",
		"--json -workdir": "-workdir: long flags begin with two dashes: --work-dir",
		"-oout.txt":       "",
		"-ou":             "",
		"--judge -judge":  "", // a value
		"-j -judge":       "",
		"-- -judge":       "",
	} {
		err := CheckDashes(strings.Fields(args), names, valued)
		switch {
		case want == "" && err != nil, want != "" && (err == nil || err.Error() != want || omniscope.KindOf(err) != omniscope.Usage):
			t.Errorf("%q: got %v, want %q", args, err, want)
		}
	}
}

func TestFlagHint(t *testing.T) {
	if got := FlagHint("--juge", []string{"judge", "json"}); got != "; did you mean --judge?" {
		t.Error(got)
	}
}

func TestCheckChoice(t *testing.T) {
	allowed := []string{"audio-visual", "audio", "visual"}
	alias := map[string]string{"sound": "audio"}
	for value, want := range map[string]string{
		"audio": "",
		"":      "give --modality: audio-visual, audio or visual",
		"Sound": `--modality is audio-visual, audio or visual, not "Sound"; did you mean audio?`,
		"visul": `--modality is audio-visual, audio or visual, not "visul"; did you mean visual?`,
		"smell": `--modality is audio-visual, audio or visual, not "smell"`,
	} {
		err := CheckChoice("modality", value, allowed, alias)
		switch {
		case want == "" && err != nil, want != "" && (err == nil || err.Error() != want || omniscope.KindOf(err) != omniscope.Usage):
			t.Errorf("%q: got %v, want %q", value, err, want)
		}
	}
	if err := CheckChoice("as", "b", []string{"a"}); err == nil || err.Error() != `--as is a, not "b"` {
		t.Error(err)
	}
}

func TestFileHint(t *testing.T) {
	dir := t.TempDir()
	fixture.OK(t, os.WriteFile(filepath.Join(dir, "captions.jsonl"), nil, 0o644))
	_, err := os.Open(filepath.Join(dir, "caption.jsonl"))
	if got, want := FileHint(err), "; did you mean "+filepath.Join(dir, "captions.jsonl")+"?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := FileHint(&fs.PathError{Op: "open", Path: filepath.Join(dir, "caption.jsonl"), Err: fs.ErrPermission}); got != "" {
		t.Errorf("a file that is there, but may not be read, gets %q", got)
	}
}
