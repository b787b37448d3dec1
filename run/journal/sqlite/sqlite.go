// Package sqlite keeps the journal of paid answers in a folder: journal.db
// (SQLite, write-ahead log, every commit synced to disk) and requests/, the
// texts of the requests as JSON lines.
//
// Answers cost money, so they are durable before the caller gets them. Request
// texts can be made again from the inputs, so they are written but not synced: a
// power cut may lose the last texts, never an answer.
package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the database/sql driver "sqlite", in pure Go

	"omniscope"
)

// A Store is an open journal folder. It is safe for concurrent use, and
// several processes may have the same folder open.
type Store struct {
	dir    string
	read   *sql.DB
	write  *sql.DB // one connection: SQLite has one writer at a time
	insert *sql.Stmt
	lookup *sql.Stmt
	known  *filter
}

const (
	insertCall = `INSERT INTO call(key, run, step, attempt, kind, source, outcome, started, request_at, request_bytes, result,
			tokens_in, tokens_out, cost_usd, tries, rate_limited, lost_tries, lost_tokens_in, lost_tokens_out, lost_cost_usd,
			checksum, request_checksum)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	lookupAnswer = `SELECT id, run, step, attempt, kind, source, started, result, checksum FROM call WHERE id = (
		SELECT max(id) FROM call INDEXED BY call_answer WHERE key = ?1 AND outcome = 1 AND (?2 = '' OR source = ?2))`
	lookupSince = `SELECT id, run, step, attempt, kind, source, started, result, checksum FROM call WHERE id = (
		SELECT max(id) FROM call INDEXED BY call_answer WHERE key = ?1 AND outcome = 1 AND (?2 = '' OR source = ?2) AND run = ?3 AND id > ?4)`
)

// Open opens the journal in dir and makes it if it is not there.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir}
	if err := s.open(); err != nil {
		return nil, errors.Join(s.fail("open", err), s.Close())
	}
	return s, nil
}

// OpenExisting is Open for a journal that must be there, else it returns an error
// of kind NotFound.
func OpenExisting(dir string) (*Store, error) {
	if err := missing(dir); err != nil {
		return nil, err
	}
	return Open(dir)
}

func missing(dir string) error {
	if Exists(dir) {
		return nil
	}
	return omniscope.NotFoundf("there is no journal in %s; name the folder with --work-dir", dir)
}

// Exists reports whether dir holds a journal.
func Exists(dir string) bool {
	_, err := os.Stat(databasePath(dir))
	return err == nil
}

func databasePath(dir string) string { return filepath.Join(dir, "journal.db") }

func (s *Store) open() (err error) {
	if err := os.MkdirAll(filepath.Join(s.dir, "requests"), 0o755); err != nil {
		return err
	}
	if s.write, err = s.connect(1, 4<<10); err != nil {
		return err
	}
	if err := s.migrate(); err != nil {
		return err
	}
	if s.insert, err = s.write.Prepare(insertCall); err != nil {
		return err
	}
	if s.read, err = s.connect(4, 2<<10); err != nil {
		return err
	}
	if s.lookup, err = s.read.Prepare(lookupAnswer); err != nil {
		return err
	}
	s.known, err = loadFilter(s.read)
	return err
}

// connect opens the database with up to n connections of cacheKB each. Commits
// sync the log (synchronous=FULL): an answer that was acknowledged survives a
// power cut.
func (s *Store) connect(n, cacheKB int) (*sql.DB, error) {
	path, err := filepath.Abs(databasePath(s.dir))
	if err != nil {
		return nil, err
	}
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(30000)", "synchronous(full)", "wal_autocheckpoint(4000)",
			fmt.Sprintf("cache_size(-%d)", cacheKB)},
	}.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// Where implements store.Store.
func (s *Store) Where() string { return s.dir }

// Close closes the store. Journals of its runs must be closed before.
func (s *Store) Close() error {
	var errs []error
	for _, stmt := range []*sql.Stmt{s.lookup, s.insert} {
		if stmt != nil {
			errs = append(errs, stmt.Close())
		}
	}
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}
