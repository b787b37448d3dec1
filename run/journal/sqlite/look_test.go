package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run"
	"omniscope/run/journal"
)

// TestLooking reads a journal while it is written to: what a run rests on about a unit,
// and its latest calls. Nothing in the folder changes by it.
func TestLooking(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir)
	fixture.OK(t, err)
	defer s.Close()
	j, err := s.Run(t.Context(), journal.Description{Name: "one", Manifest: `{}`})
	fixture.OK(t, err)
	defer j.Close()
	for i, step := range []string{"a", "a/turn-1", "a (blind)", "aa", "b/a", "a/turn-2"} {
		outcome := omniscope.OK
		if step == "aa" {
			outcome = omniscope.Failed
		}
		fixture.OK(t, j.Append(t.Context(), &run.Entry{Key: run.Key{byte(i)}, Step: step, Kind: "model", Outcome: outcome, Request: []byte(`{"n":1}`), Result: []byte(`{}`)}))
	}
	look, err := OpenToLook(dir)
	fixture.OK(t, err)
	defer look.Close()
	steps := func(calls []*journal.Call, err error) string {
		fixture.OK(t, err)
		var all []string
		for _, c := range calls {
			all = append(all, c.Step)
			if string(c.Request) != `{"n":1}` {
				t.Errorf("%s asked %q", c.Step, c.Request)
			}
		}
		return strings.Join(all, ", ")
	}
	ctx := t.Context()
	if got := steps(look.About(ctx, "one", "a")); got != "a, a/turn-1, a (blind), a/turn-2" {
		t.Errorf("about a: %s", got)
	}
	if got := steps(look.Latest(ctx, "one", 0, 2, false)); got != "a/turn-2, b/a" {
		t.Errorf("latest: %s", got)
	}
	if got := steps(look.Latest(ctx, "one", 5, 9, false)); got != "aa, a (blind), a/turn-1, a" {
		t.Errorf("before the fifth: %s", got)
	}
	if got := steps(look.Latest(ctx, "one", 0, 9, true)); got != "aa" {
		t.Errorf("failed: %s", got)
	}
	list, err := look.List(ctx)
	if err != nil || len(list) != 1 || list[0].Name != "one" || list[0].Created.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
	for name, want := range map[string]bool{"one": true, "on": false} {
		if has, err := look.HasRun(ctx, name); err != nil || has != want {
			t.Errorf("%s: %v, %v", name, has, err)
		}
	}
}

// TestAboutAUnitOfARunThatUsedAnswers finds answers that another run paid for.
func TestAboutAUnitOfARunThatUsedAnswers(t *testing.T) {
	s, err := Open(t.TempDir())
	fixture.OK(t, err)
	defer s.Close()
	key := run.Key{1}
	for _, name := range []string{"first", "second"} {
		j, err := s.Run(t.Context(), journal.Description{Name: name, Manifest: `{}`})
		fixture.OK(t, err)
		if name == "first" {
			err = j.Append(t.Context(), &run.Entry{Key: key, Step: "a", Kind: "model", Source: "x", Outcome: omniscope.OK, Request: []byte(`{}`), Result: []byte(`{}`)})
		} else {
			_, err = j.Lookup(t.Context(), key, "x")
		}
		fixture.OK(t, err)
		fixture.OK(t, j.Close())
	}
	calls, err := s.About(t.Context(), "second", "a")
	if err != nil || len(calls) != 1 || calls[0].Run != "first" {
		t.Errorf("%+v, %v", calls, err)
	}
}

func TestOpenToLookRefusesWhatIsNoJournal(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenToLook(dir); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("nothing: %v", err)
	}
	fixture.OK(t, os.WriteFile(filepath.Join(dir, "journal.db"), []byte(strings.Repeat("no database ", 100)), 0o644))
	if _, err := OpenToLook(dir); err == nil || !strings.Contains(err.Error(), "is no journal") {
		t.Errorf("another file: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("looking left %v behind (%v)", entries, err)
	}
}

func TestInWork(t *testing.T) {
	dir := t.TempDir()
	if InWork(dir, "one") {
		t.Error("nobody began it")
	}
	unlock, err := LockRun(dir, "one")
	fixture.OK(t, err)
	if !InWork(dir, "one") {
		t.Error("it is locked")
	}
	fixture.OK(t, unlock())
	if InWork(dir, "one") {
		t.Error("it is not locked any more, and its process goes on")
	}
	// Looking takes no lock that would be in the way of who begins.
	if unlock, err = LockRun(dir, "one"); err != nil {
		t.Fatal(err)
	}
	unlock()
}
