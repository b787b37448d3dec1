package sqlite_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope/internal/testing/fixture"
	"omniscope/run/journal/sqlite"
)

// liveCopy copies a journal of n calls, a few of them large, while it is open:
// most of it is still in the write-ahead log.
func liveCopy(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	j := openRun(t, dir, "run")
	for i := range n {
		e := numbered(i)
		if i%5 == 0 {
			e = heavy(i)
			e.Result = append(bytes.Repeat([]byte(" "), 20_000), e.Result...)
		}
		fixture.OK(t, j.Append(t.Context(), e))
	}
	into := filepath.Join(t.TempDir(), "copy")
	fixture.OK(t, os.CopyFS(into, os.DirFS(dir)))
	return into
}

func TestRecoverSavesAWholeJournalAndItsLog(t *testing.T) {
	const n = 60
	dir := liveCopy(t, n)
	before, err := os.ReadFile(filepath.Join(dir, "journal.db"))
	fixture.OK(t, err)
	into := filepath.Join(t.TempDir(), "new")
	sum, err := sqlite.Recover(t.Context(), dir, into)
	if err != nil || sum != (sqlite.Recovered{Dir: into, Runs: 1, Calls: n, Answers: n, Requests: n}) {
		t.Fatalf("saved %+v, %v", sum, err)
	}
	after, err := os.ReadFile(filepath.Join(dir, "journal.db"))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the old journal was changed (%v)", err)
	}
	old, saved := openRun(t, dir, "run"), openRun(t, into, "run")
	if diff := cmp.Diff(calls(t, old.store, "run", ""), calls(t, saved.store, "run", "")); diff != "" {
		t.Errorf("the calls differ (-old +saved):\n%s", diff)
	}
	if _, err := sqlite.Recover(t.Context(), dir, into); err == nil {
		t.Error("a journal was written over")
	}
}

// TestDamagedLog flips bits of the log, cuts it and takes it away.
func TestDamagedLog(t *testing.T) {
	const n = 60
	dir := liveCopy(t, n)
	path := filepath.Join(dir, "journal.db-wal")
	whole, err := os.ReadFile(path)
	fixture.OK(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		log, least := bytes.Clone(whole), 0
		switch round % 3 {
		case 0:
			log[random.IntN(len(log))] ^= 4
			least = n - 20 // rows of one page, which lie in later pages of the log as well
		case 1:
			log = log[:random.IntN(len(log))]
		case 2:
			for i := random.IntN(len(log)); i < len(log); i++ {
				log[i] = byte(random.Uint32())
			}
		}
		copied := filepath.Join(t.TempDir(), "copy")
		fixture.OK(t, os.CopyFS(copied, os.DirFS(dir)))
		os.Remove(filepath.Join(copied, "journal.db-shm"))
		fixture.OK(t, os.WriteFile(filepath.Join(copied, "journal.db-wal"), log, 0o644))
		sum, err := sqlite.Recover(t.Context(), copied, filepath.Join(copied, "new"))
		if err != nil || sum.Calls < least || sum.Calls > n {
			t.Errorf("round %d: saved %+v, %v, want %d calls or more", round, sum, err, least)
		}
		s, err := sqlite.Open(copied)
		if err != nil {
			continue // it says what to do: see the tests of the command line
		}
		for _, err := range s.Calls(t.Context(), "run", "") {
			if err != nil {
				break
			}
		}
		s.Close()
	}
}
