package pg_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/journaltest"
	"omniscope/internal/testing/need"
	"omniscope/internal/testing/pgtest"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/pg"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestJournal(t *testing.T) {
	address := databases(t)
	runtest.Journals(t, func(t *testing.T, dir string) run.Journal { return openRun(t, address(dir), "suite", pg.Options{}) })
}

func TestClaims(t *testing.T) {
	address := databases(t)
	runtest.Claimers(t, func(t *testing.T, dir string) runtest.SharedJournal {
		return openRun(t, address(dir), "suite", pg.Options{})
	})
}

// databases returns a database for each folder that a suite knows a journal by.
func databases(t *testing.T) func(dir string) string {
	need.Processes(t)
	known := make(map[string]string)
	var mu sync.Mutex
	return func(dir string) string {
		mu.Lock()
		defer mu.Unlock()
		if known[dir] == "" {
			known[dir] = pgtest.New(t)
		}
		return known[dir]
	}
}

// opened is a run with the store it lies in; both are closed together.
type opened struct {
	*pg.Journal
	store *pg.Store
}

func (o *opened) Close() error { return errors.Join(o.Journal.Close(), o.store.Close()) }

// openRun opens a run that is closed after the test, if it was not before.
func openRun(t *testing.T, address, name string, options pg.Options) *opened {
	t.Helper()
	s, err := pg.Open(t.Context(), address, options)
	fixture.OK(t, err)
	j, err := s.Run(t.Context(), journal.Description{Name: name, Manifest: `{"command":"test"}`})
	if err != nil {
		t.Fatal(errors.Join(err, s.Close()))
	}
	o := &opened{j.(*pg.Journal), s}
	t.Cleanup(func() { o.Close() })
	return o
}

var _ journal.Store = (*pg.Store)(nil)

func TestStore(t *testing.T) {
	journaltest.Stores(t, func(t *testing.T) journal.Store {
		s, err := pg.Open(t.Context(), pgtest.New(t), pg.Options{})
		fixture.OK(t, err)
		t.Cleanup(func() { s.Close() })
		return s
	})
}

func TestKindsOfEarlierRuns(t *testing.T) {
	need.Processes(t)
	address := pgtest.New(t)
	s, err := pg.Open(t.Context(), address, pg.Options{})
	fixture.OK(t, err)
	fixture.OK(t, s.Close())
	db, err := pgx.Connect(t.Context(), address)
	fixture.OK(t, err)
	defer db.Close(context.Background())
	if _, err := db.Exec(t.Context(), "ALTER TABLE run DROP COLUMN kind"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(t.Context(), "UPDATE omniscope_journal SET version = 1"); err != nil {
		t.Fatal(err)
	}
	for _, r := range journaltest.EarlierRuns {
		if _, err := db.Exec(t.Context(), "INSERT INTO run(name, manifest) VALUES($1, $2)", r.Name, r.Manifest); err != nil {
			t.Fatal(err)
		}
	}
	if s, err = pg.Open(t.Context(), address, pg.Options{}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	journaltest.CheckKinds(t, s)
}
