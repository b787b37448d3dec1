package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"omniscope"
)

// fail says what was being done to which journal, what to do about the usual
// troubles of disks and files, and keeps the kind of err.
func (s *Store) fail(op string, err error) error {
	err = s.explain(err)
	return &omniscope.Error{Kind: omniscope.KindOf(err), Op: fmt.Sprintf("journal in %s: %s", s.dir, op), Err: err}
}

func (s *Store) explain(err error) error {
	switch code := sqliteCode(err); {
	case code == sqlite3.SQLITE_NOTADB:
		return s.notOurs(err)
	case code == sqlite3.SQLITE_READONLY, code == sqlite3.SQLITE_CANTOPEN, code == sqlite3.SQLITE_PERM,
		errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &omniscope.Error{Kind: omniscope.Usage, Err: fmt.Errorf("%w: name a folder that can be written", err)}
	case code == sqlite3.SQLITE_FULL, errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w: make room, then run the same command again to go on", err)
	}
	return err
}

func (s *Store) notOurs(err error) error {
	return &omniscope.Error{Kind: omniscope.Usage, Err: fmt.Errorf(
		"%s is no journal, and is left as it is: %w; move it away, or name another folder", databasePath(s.dir), err)}
}

// sqliteCode returns the primary result code of SQLite in err, 0 if there is none.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}
