package demo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/bench/demo/clips"
	"omniscope/internal/testing/fixture"
)

// TestRowsOfClips checks the keys of the rows about the made clips: each names the right answer, and no letter is right more often
// than another by more than one in a clip's six blanks.
func TestRowsOfClips(t *testing.T) {
	right := make(map[string]int)
	for i, c := range clips.All {
		r := rowOf(i, c)
		for _, b := range r.Cloze.Blanks {
			if want := b.Key + ": " + b.Answer; b.Options[b.Index] != want || len(b.Options) != 5 {
				t.Errorf("%s, blank %d: option %d of %q, want %q", c.Name, b.Number, b.Index, b.Options, want)
			}
			right[b.Key]++
		}
		if n := strings.Count(r.Cloze.Passage, "[BLANK_"); n != len(r.Cloze.Blanks) {
			t.Errorf("%d blanks, and %d in the passage", len(r.Cloze.Blanks), n)
		}
	}
	for _, key := range []string{"A", "B", "C", "D"} {
		if right[key] != 6 {
			t.Errorf("%s is right %d times of 24", key, right[key])
		}
	}
}

// TestWriteKeepsChangedFiles writes the data twice, and then over a file that somebody changed.
func TestWriteKeepsChangedFiles(t *testing.T) {
	folder := t.TempDir()
	for range 2 {
		fixture.OK(t, Write(folder))
	}
	changed := filepath.Join(folder, "captions", "terse.jsonl")
	fixture.OK(t, os.WriteFile(changed, []byte("mine\n"), 0o644))
	if err := Write(folder); err == nil || !strings.Contains(err.Error(), "terse.jsonl is there already") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(changed); err != nil || string(text) != "mine\n" {
		t.Errorf("the file is now %q, %v", text, err)
	}
}
