package rows

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/judge"
	"omniscope/session"
	"omniscope/session/journals"
)

// TestFolderKeepsResultsOfAnotherRun: results are replaced by the same run, or by force, and a failed run leaves them.
func TestFolderKeepsResultsOfAnotherRun(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "script.json")
	fixture.OK(t, os.WriteFile(script, []byte(`{}`), 0o644))
	f := &Folder{Dir: filepath.Join(dir, "out"), Files: []string{"results.jsonl"}}
	result := filepath.Join(f.Dir, "results.jsonl")
	do := func(spec, input string, fails error) error {
		r := &Run{Command: "sort", Files: input, Spec: spec, Role: &session.Role{Name: "sorter", Model: "scripted/" + script}, Calls: &session.Calls{WorkDir: dir, Journals: journals.All}, Warnings: io.Discard}
		_, err := f.Do(t.Context(), r, func(*judge.Judge) error { return fails }, func() error { return os.WriteFile(result, []byte(spec), 0o644) })
		return err
	}
	fixture.OK(t, do("one", "", nil))
	fixture.OK(t, do("one", "", nil))
	if err := do("two", "", nil); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "results of another run") {
		t.Errorf("another run: %v", err)
	}
	if err := do("one", result, nil); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "would write over") {
		t.Errorf("its own input: %v", err)
	}
	f.Force = true
	if err := do("two", "", errors.New("no answer")); err == nil || fixture.Read(t, result) != "one" {
		t.Errorf("a failed run: %v, results %q", err, fixture.Read(t, result))
	}
	fixture.OK(t, do("two", "", nil))
	if got := fixture.Read(t, result); got != "two" {
		t.Errorf("results %q after force", got)
	}
}
