package pg_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/run/journal/pg"
)

func TestOpenRefusesWhatIsNoJournal(t *testing.T) {
	for name, c := range map[string]struct {
		prepare string
		tells   string
	}{
		"of another program": {"CREATE TABLE run(id int)", "tables of another program"},
		"newer":              {"CREATE TABLE omniscope_journal(version int); INSERT INTO omniscope_journal VALUES(99)", "newer omniscope (version 99"},
	} {
		t.Run(name, func(t *testing.T) {
			address := pgtest.New(t)
			execute(t, address, c.prepare)
			_, err := pg.Open(t.Context(), address, pg.Options{})
			if omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), c.tells) {
				t.Errorf("the error is %v, want one that tells %q", err, c.tells)
			}
		})
	}
}

func TestOpenSaysWhatToDo(t *testing.T) {
	address := pgtest.New(t)
	u, err := url.Parse(address)
	fixture.OK(t, err)
	with := func(change func(u *url.URL)) string {
		other := *u
		change(&other)
		return other.String()
	}
	for name, c := range map[string]struct {
		address, tells string
		kind           omniscope.Kind
	}{
		"no database": {with(func(u *url.URL) { u.Path = "/nowhere" }), "createdb", omniscope.NotFound},
		"no server":   {with(func(u *url.URL) { u.RawQuery = "host=/nowhere" }), "cannot be reached", omniscope.Unreachable},
		"no address":  {"postgres://user:secret@host:port/database", "postgres://user@host:5432/database", omniscope.Usage},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := pg.Open(t.Context(), c.address, pg.Options{})
			if omniscope.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.tells) || strings.Contains(err.Error(), "secret") {
				t.Errorf("the error is %v, of kind %v", err, omniscope.KindOf(err))
			}
		})
	}
}

func TestProcessesMakeTheTablesInTurn(t *testing.T) {
	address := pgtest.New(t)
	errs := make(chan error)
	for range 8 {
		go func() {
			s, err := pg.Open(context.Background(), address, pg.Options{})
			if err == nil {
				err = s.Close()
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestNoPasswordIsShown(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://omni:secret@db:5432/omniscope?sslmode=disable&password=secret": "postgres://omni@db:5432/omniscope?sslmode=disable",
		"postgres://db/omniscope":  "postgres://db/omniscope",
		"postgres://omni:se%zz@db": "the database of --journal",
	} {
		if got := pg.Shown(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}

func TestDamagedAnswerIsFound(t *testing.T) {
	address := pgtest.New(t)
	j := openRun(t, address, "run", pg.Options{})
	fixture.OK(t, j.Append(t.Context(), entry(1, `"answer"`)))
	conn, err := pgx.Connect(t.Context(), address)
	fixture.OK(t, err)
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "UPDATE call SET result = '\"another\"'"); err != nil {
		t.Fatal(err)
	}
	if found, err := j.Lookup(t.Context(), entry(1, "").Key, ""); err == nil || !strings.Contains(err.Error(), "was changed after it was written") {
		t.Errorf("a changed answer is %v, %v", found, err)
	}
}
