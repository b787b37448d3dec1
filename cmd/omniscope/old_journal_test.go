package main

import (
	"database/sql"
	"os"
	"strings"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// oldJournal is a working folder with the journal in testdata/journal-1, which
// the first version of the schema wrote. It holds an evaluation stopped after
// two of three samples, one that was given an answer of it, a scripted one with
// failures, and an investigation.
func oldJournal(t *testing.T) *trial {
	t.Helper()
	tr := &trial{t: t, dir: t.TempDir()}
	fixture.OK(t, os.CopyFS(tr.path("work/journal"), os.DirFS("testdata/journal-1")))
	clips, err := os.ReadFile("testdata/clips.jsonl")
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(tr.path("clips.jsonl"), clips, 0o644))
	// The manifests name the folder that the files were in then.
	tr.execute("UPDATE run SET manifest = replace(manifest, '/tmp/omniscope-journal-1', ?)", tr.dir)
	return tr
}

// execute changes the trial's journal as a user might by hand.
func (tr *trial) execute(statement string, args ...any) {
	tr.t.Helper()
	db, err := sql.Open("sqlite", tr.path("work/journal/journal.db"))
	fixture.OK(tr.t, err)
	defer db.Close()
	if _, err := db.Exec(statement, args...); err != nil {
		tr.t.Fatal(err)
	}
}

// journal runs a command on the trial's journal.
func (tr *trial) journal(args ...string) verdict {
	tr.t.Helper()
	return inquest{tr.t, tr.dir}.command(append([]string{"journal"}, append(args, "--work-dir", tr.path("work"))...)...)
}

func TestOldJournal(t *testing.T) {
	t.Parallel()
	server := serve(t, fake.Config{Model: "mock"})
	tr := oldJournal(t)
	v := inquest{t, tr.dir}.command("eval", "omni-cloze", "-p", tr.path("clips.jsonl"), "--judge", "openai/mock,base-url="+server.URL(),
		"--scoring", "strict", "--any-endpoint", "--work-dir", tr.path("work"), "--out", tr.path("out"), "--quiet")
	v.results = tr.results()
	if n := server.Stats().Answered; v.code != exitDone || n != 1 {
		t.Fatalf("resumed: exit code %d, %d answers, want 1: %s", v.code, n, v.errOut)
	}
	// Replies are read by another version than then, so that it is another run, which the two answers cost nothing.
	u := v.results.Usage
	if u.Calls != 1 || u.ThisCommand.Calls != 1 || u.ThisCommand.Remembered != 2 || u.TokensIn != u.ThisCommand.TokensIn {
		t.Errorf("usage %+v, of this command %+v", u, *u.ThisCommand)
	}
	for run, want := range map[string]struct {
		code int
		says string
	}{
		"97ca": {exitDone, "usage      2 calls"},
		"ae56": {exitDone, "usage      0 calls · 1 remembered"},
		"9e4c": {exitDone, "usage      5 calls · 0 remembered · 2 failed"},
	} {
		v := tr.journal("replay", run)
		if v.code != want.code || !strings.Contains(v.out, want.says) {
			t.Errorf("replay of %s: exit code %d: %s%s", run, v.code, v.out, v.errOut)
		}
	}
	tr.journal("show", "investigate-b07").ends(t, exitDone).prints(t, "tone/turn-1/sound")
}
