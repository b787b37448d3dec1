package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/journaltest"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
)

func TestJournal(t *testing.T) {
	runtest.Journals(t, func(t *testing.T, dir string) run.Journal { return openRun(t, dir, "suite") })
}

// opened is a run with the store it lies in; both are closed together.
type opened struct {
	journal.Journal
	store *sqlite.Store
}

func (o *opened) Close() error { return errors.Join(o.Journal.Close(), o.store.Close()) }

// openRun opens a run that is closed after the test, if it was not before.
func openRun(t testing.TB, dir, name string) *opened {
	t.Helper()
	s, err := sqlite.Open(dir)
	fixture.OK(t, err)
	j, err := s.Run(t.Context(), journal.Description{Name: name, Kind: "test", Manifest: `{"command":"test"}`})
	if err != nil {
		t.Fatal(errors.Join(err, s.Close()))
	}
	o := &opened{j, s}
	t.Cleanup(func() { o.Close() })
	return o
}

func appendNumbers(t *testing.T, j run.Journal, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		fixture.OK(t, j.Append(t.Context(), numbered(n)))
	}
}

// numbered makes an OK entry whose every field tells its number.
func numbered(n int) *run.Entry {
	e := entryOf(n, fmt.Appendf(nil, `{"ask":%d}`, n), fmt.Appendf(nil, `{"answer":%d}`, n))
	e.Started = e.Started.UTC()
	return e
}

func calls(t *testing.T, s *sqlite.Store, runName, step string) (entries []*run.Entry) {
	t.Helper()
	last := int64(0)
	for c, err := range s.Calls(t.Context(), runName, step) {
		fixture.OK(t, err)
		if c.ID <= last {
			t.Errorf("call %d comes after call %d", c.ID, last)
		}
		last = c.ID
		entries = append(entries, &c.Entry)
	}
	return entries
}

func TestFindRun(t *testing.T) {
	j := openRun(t, t.TempDir(), "eval-20260102")
	for _, name := range []string{"eval", "eval-20260203", "predict-1"} {
		other, err := j.store.Run(t.Context(), journal.Description{Name: name, Manifest: "{}"})
		fixture.OK(t, err)
		other.Close()
	}
	for _, c := range []struct {
		name, finds string
		kind        omniscope.Kind
		tells       string
	}{
		{name: "predict-1", finds: "predict-1"},
		{name: "pre", finds: "predict-1"},
		{name: "eval", finds: "eval"}, // whole, though others begin with it
		{name: "eval-202601", finds: "eval-20260102"},
		{name: "eval-", kind: omniscope.Usage, tells: "eval-20260102, eval-20260203"},
		{name: "judge", kind: omniscope.NotFound, tells: `no run "judge"`},
	} {
		r, err := journal.FindRun(t.Context(), j.store, c.name)
		if c.finds != "" {
			if err != nil || r.Name != c.finds {
				t.Errorf("FindRun(%q) = %q, %v, want %q", c.name, r.Name, err, c.finds)
			}
			continue
		}
		fixture.WantError(t, err, c.kind, c.tells)
	}
}

func TestRunNames(t *testing.T) {
	dir := t.TempDir()
	j := openRun(t, dir, "fine")
	for _, name := range []string{"", ".", "..", "../up", "a/b", "/root"} {
		_, err := j.store.Run(t.Context(), journal.Description{Name: name, Manifest: "{}"})
		fixture.WantError(t, err, omniscope.Usage, "cannot name a run")
		_, err = sqlite.LockRun(dir, name)
		fixture.WantError(t, err, omniscope.Usage, "cannot name a run")
	}
}

func TestTwoRunsOfOneStoreTakeTurns(t *testing.T) {
	first := openRun(t, t.TempDir(), "first")
	second, err := first.store.Run(t.Context(), journal.Description{Name: "second", Manifest: "{}"})
	fixture.OK(t, err)
	defer second.Close()
	var appends sync.WaitGroup
	for n := range 400 {
		appends.Go(func() { appendNumbers(t, []run.Journal{first, second}[n%2], n) })
	}
	appends.Wait()
	for n := range 400 {
		mustHave(t, first, n)
	}
	for i, name := range []string{"first", "second"} {
		for _, e := range calls(t, first.store, name, "") {
			if n := slices.IndexFunc(numbers(400), func(n int) bool { return keyOf(n) == e.Key }); n%2 != i || !cmp.Equal(e, numbered(n)) {
				t.Errorf("run %s has %v", name, e)
			}
		}
	}
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestTornRequestLine(t *testing.T) {
	dir := t.TempDir()
	j := openRun(t, dir, "run")
	appendNumbers(t, j, 0, 1)
	j.Close()
	path := filepath.Join(dir, "requests", "run.jsonl")
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(path, text[:len(text)-3], 0o644))

	j = openRun(t, dir, "run")
	appendNumbers(t, j, 2, 3)
	got := calls(t, j.store, "run", "")
	for _, n := range []int{0, 2, 3} {
		if diff := cmp.Diff(numbered(n), got[n]); diff != "" {
			t.Errorf("entry %d differs (-want +got):\n%s", n, diff)
		}
	}
	text, err = os.ReadFile(path)
	fixture.OK(t, err)
	want := "{\"ask\":0}\n{\"ask\":\n{\"ask\":2}\n{\"ask\":3}\n"
	if string(text) != want {
		t.Errorf("the request texts are %q, want %q", text, want)
	}
}

func TestLostRequestTextsLoseNoAnswers(t *testing.T) {
	dir := t.TempDir()
	j := openRun(t, dir, "run")
	appendNumbers(t, j, 0)
	j.Close()
	fixture.OK(t, os.Remove(filepath.Join(dir, "requests", "run.jsonl")))
	j = openRun(t, dir, "run")
	want := numbered(0)
	want.Request = nil
	if diff := cmp.Diff([]*run.Entry{want}, calls(t, j.store, "run", "")); diff != "" {
		t.Errorf("the calls differ (-want +got):\n%s", diff)
	}
}

func mustHave(t *testing.T, j run.Journal, n int) {
	t.Helper()
	e, err := j.Lookup(t.Context(), keyOf(n), "")
	fixture.OK(t, err)
	if e == nil || string(e.Result) != string(numbered(n).Result) {
		t.Errorf("answer %d was acknowledged and is %v", n, e)
	}
}

func TestStore(t *testing.T) {
	journaltest.Stores(t, func(t *testing.T) journal.Store {
		s, err := sqlite.Open(t.TempDir())
		fixture.OK(t, err)
		t.Cleanup(func() { s.Close() })
		return s
	})
}
