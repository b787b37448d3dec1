// Package sqlite keeps the events of a project in a folder, in people.db. Every commit is on the
// disk before it is acknowledged. One process at a time has it open for writing; any number may
// read it meanwhile.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"modernc.org/sqlite" // and the database/sql driver "sqlite", in pure Go
	sqlite3 "modernc.org/sqlite/lib"

	"omniscope"
	"omniscope/people"
)

// applicationID marks a database as one of ours ("ompe").
const applicationID = 0x6f6d7065

const schema = `
CREATE TABLE event(
	seq INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	at INTEGER NOT NULL, -- microseconds since 1970
	by TEXT NOT NULL,
	kind TEXT NOT NULL,
	item TEXT NOT NULL,
	stage TEXT NOT NULL,
	person TEXT NOT NULL,
	base INTEGER NOT NULL,
	active_ms INTEGER NOT NULL,
	body BLOB NOT NULL
) STRICT;
CREATE INDEX event_task ON event(item, stage, person) WHERE item <> '';
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT raise(ABORT, 'events are only added'); END;
CREATE TRIGGER event_is_kept BEFORE DELETE ON event BEGIN SELECT raise(ABORT, 'events are only added'); END;`

// A Log is an open log. It is safe for concurrent use.
type Log struct {
	db   *sql.DB
	lock *flock.Flock // nil = it is open for reading only
}

var _ people.Log = (*Log)(nil)

// Open opens the log in a folder, and makes it if it is not there. A log that another process
// has open is an error of kind Usage.
func Open(dir string) (*Log, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	l := &Log{lock: flock.New(filepath.Join(dir, "people.lock"))}
	got, err := l.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	if !got {
		return nil, omniscope.Usagef("another process works on %s: end it first (omniscope people serve, or another command). While it is served, invite and assign people on its page Overview", dir)
	}
	if err := l.open(filepath.Join(dir, file)); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// file is the database in the folder of a project.
const file = "people.db"

// OpenToRead opens the log in a folder for reading, while another process may write it. A folder
// without a log is an error of kind NotFound.
func OpenToRead(dir string) (*Log, error) {
	if !Exists(dir) {
		return nil, missing(dir)
	}
	l := &Log{}
	path := filepath.Join(dir, file)
	application, _, err := l.connect(path, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(30000)", "query_only(true)"}})
	switch {
	case err != nil:
	case application == 0:
		err = missing(dir) // a process is about to make it
	case application != applicationID:
		err = notOurs(path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func missing(dir string) error {
	return omniscope.NotFoundf("there is no project in %s: make one with `omniscope people new`", dir)
}

func notOurs(path string) error {
	return omniscope.Invalidf("%s is a database of another program: name another folder", path)
}

// Exists reports whether a folder holds a log.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, file))
	return err == nil
}

func (l *Log) open(path string) error {
	application, tables, err := l.connect(path, url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(30000)", "journal_mode(wal)", "synchronous(full)"}})
	switch {
	case err != nil:
		return err
	case application == applicationID:
		return nil
	case application != 0 || tables > 0:
		return notOurs(path)
	}
	_, err = l.db.Exec(fmt.Sprintf("BEGIN; %s PRAGMA application_id = %d; COMMIT", schema, applicationID))
	return err
}

// connect opens a database, and says whose it is and how many tables it has.
func (l *Log) connect(path string, settings url.Values) (application, tables int, err error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return 0, 0, err
	}
	dsn := url.URL{Scheme: "file", Path: whole, RawQuery: settings.Encode()}
	if l.db, err = sql.Open("sqlite", dsn.String()); err != nil {
		return 0, 0, err
	}
	err = l.db.QueryRow("SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id").Scan(&application, &tables)
	var damage *sqlite.Error
	switch {
	case errors.As(err, &damage) && damage.Code() == sqlite3.SQLITE_NOTADB:
		err = omniscope.Invalidf("%s is no database: name another folder", path)
	case err != nil:
		err = fmt.Errorf("%s: %w", path, err)
	}
	return application, tables, err
}

// Append implements people.Log.
func (l *Log) Append(ctx context.Context, events []*people.Event) error {
	if len(events) == 0 {
		return nil
	}
	if l.lock == nil {
		return omniscope.Usagef("the project is open for reading only: nothing can be saved")
	}
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var last int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM event").Scan(&last); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO event("+people.EventColumns+") VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for i, e := range events {
		if want := last + int64(i) + 1; e.Seq != want {
			return fmt.Errorf("event %s has the place %d and not %d: another process writes here", e.ID, e.Seq, want)
		}
		if _, err := insert.ExecContext(ctx, e.Seq, e.ID, e.At.UnixMicro(), e.By, string(e.Kind), e.Task.Item, e.Task.Stage, e.Task.Person, e.Base, e.ActiveMS, append([]byte{}, e.Body...)); err != nil {
			return fmt.Errorf("event %s: %w", e.ID, err)
		}
	}
	return tx.Commit()
}

// Known implements people.Log.
func (l *Log) Known(ctx context.Context, ids []string) (map[string]int64, error) {
	known := make(map[string]int64)
	for _, id := range ids {
		var seq int64
		err := l.db.QueryRowContext(ctx, "SELECT seq FROM event WHERE id = ?", id).Scan(&seq)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, err
		}
		known[id] = seq
	}
	return known, nil
}

// Events implements people.Log.
func (l *Log) Events(ctx context.Context, after int64) iter.Seq2[*people.Event, error] {
	return l.query(ctx, "WHERE seq > ? ORDER BY seq", after)
}

// OfTask implements people.Log.
func (l *Log) OfTask(ctx context.Context, t people.TaskID) iter.Seq2[*people.Event, error] {
	return l.query(ctx, "WHERE item = ? AND item <> '' AND stage = ? AND person = ? ORDER BY seq", t.Item, t.Stage, t.Person)
}

// At implements people.Log.
func (l *Log) At(ctx context.Context, seq int64) (*people.Event, error) {
	for e, err := range l.query(ctx, "WHERE seq = ?", seq) {
		return e, err
	}
	return nil, omniscope.NotFoundf("there is no event %d", seq)
}

func (l *Log) query(ctx context.Context, where string, args ...any) iter.Seq2[*people.Event, error] {
	return func(yield func(*people.Event, error) bool) {
		rows, err := l.db.QueryContext(ctx, "SELECT "+people.EventColumns+" FROM event "+where, args...)
		if err != nil {
			yield(nil, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			e, err := people.ScanEvent(rows)
			if !yield(e, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Close implements people.Log.
func (l *Log) Close() error {
	var err error
	if l.db != nil {
		err = l.db.Close()
	}
	if l.lock != nil {
		err = errors.Join(err, l.lock.Close())
	}
	return err
}
