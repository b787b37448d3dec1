package sqlite

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"
)

// A file of the journal's folder keeps a little room on the disk. When the disk
// is full it is deleted, so that answers that are paid for and under way can
// still be kept. It is made again when a run is opened next.

const (
	reservePerCall = 48 << 10 // request, result, and the pages that a commit writes
	reserveLeast   = 1 << 20
	reserveMost    = 32 << 20
)

func (s *Store) reservePath() string { return filepath.Join(s.dir, "reserve") }

// Reserve makes sure that the journal can be written, by writing to it, and
// keeps room for as many answers as may be under way at a time. Call it before
// anything is paid for.
func (j *Journal) Reserve(inFlight int) error {
	if _, err := j.store.write.Exec("UPDATE run SET manifest = manifest WHERE id = ?", j.runID); err != nil {
		return j.store.fail("write", err)
	}
	size := min(max(inFlight*reservePerCall, reserveLeast), reserveMost)
	if err := fillTo(j.store.reservePath(), int64(size)); err != nil {
		os.Remove(j.store.reservePath())
		return j.store.fail("keep room for answers under way", err)
	}
	return nil
}

// fillTo makes the file at least so large, of room that no file system can leave out.
func fillTo(path string, size int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil || info.Size() >= size {
		return errors.Join(err, f.Close())
	}
	allocated, err := allocate(f, size)
	if err == nil && !allocated {
		err = errors.Join(writeNoise(f, size-info.Size()), f.Sync())
	}
	return errors.Join(err, f.Close())
}

// writeNoise writes bytes that no file system can leave out or compress.
func writeNoise(f *os.File, size int64) error {
	_, err := io.CopyN(f, rand.NewChaCha8([32]byte{}), size)
	return err
}

// release gives the room back to the disk, and reports whether there was any.
func (s *Store) release() bool { return os.Remove(s.reservePath()) == nil }

// isFull reports whether err says that the disk is full.
func (s *Store) isFull(err error) bool {
	switch {
	case err == nil:
		return false
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), sqliteCode(err) == sqlite3.SQLITE_FULL:
		return true
	}
	// SQLite says "disk I/O error" where it cannot make a file larger.
	code := sqliteCode(err)
	return (code == sqlite3.SQLITE_IOERR || code == sqlite3.SQLITE_CANTOPEN) && !s.hasSpace()
}

// hasSpace tries to write a little into the journal's folder.
func (s *Store) hasSpace() bool {
	f, err := os.CreateTemp(s.dir, ".room-")
	if err != nil {
		return !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(make([]byte, 64<<10))
	err = errors.Join(err, f.Sync(), f.Close())
	return err == nil || errors.Is(err, fs.ErrPermission)
}
