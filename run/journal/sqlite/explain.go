package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"omniscope"
	"omniscope/run/journal"
)

// fail says what was being done to which journal, what to do about the usual
// troubles of disks and files, and keeps the kind of err; nil stays nil.
func (s *Store) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	err = s.explain(err)
	return &journal.Error{Err: &omniscope.Error{Kind: omniscope.KindOf(err), Op: fmt.Sprintf("journal in %s: %s", s.dir, op), Err: err}}
}

func (s *Store) explain(err error) error {
	code := sqliteCode(err)
	switch {
	case s.isFull(err):
		return fmt.Errorf("%w: the disk is full; make room, then run the same command again to go on", err)
	case errors.As(err, new(*journal.DamagedError)):
		return fmt.Errorf("%w; `omniscope journal verify` lists all such calls", err)
	case code == sqlite3.SQLITE_NOTADB:
		return notOurs(s.dir, err)
	case code == sqlite3.SQLITE_CORRUPT, code == sqlite3.SQLITE_IOERR, code == sqlite3.SQLITE_MISMATCH, code == sqlite3.SQLITE_ERROR, errors.As(err, new(*brokenRow)):
		return s.damaged(err)
	case code == sqlite3.SQLITE_READONLY, code == sqlite3.SQLITE_CANTOPEN, code == sqlite3.SQLITE_PERM,
		errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return omniscope.Usagef("%w: name a folder that can be written", err)
	}
	return err
}

// damaged says what to do about a journal that cannot be read.
func (s *Store) damaged(err error) error {
	return fmt.Errorf("%s cannot be read as it was written: %w; `omniscope journal verify` says what is damaged, "+
		"`omniscope journal recover` saves every answer that can be read into a new journal", databasePath(s.dir), err)
}

// A brokenRow cannot be what this program wrote.
type brokenRow struct{ err error }

func (e *brokenRow) Error() string { return e.err.Error() }

func (e *brokenRow) Unwrap() error { return e.err }

func notOurs(dir string, err error) error {
	return omniscope.Usagef(
		"%s is no journal, and is left as it is: %w; move it away, or name another folder. "+
			"If it was a journal, `omniscope journal recover` saves every answer that can be read into a new one", databasePath(dir), err)
}

// sqliteCode returns the primary result code of SQLite in err, 0 if there is none.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}
