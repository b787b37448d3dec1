package sqlite

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"

	"omniscope/run"
)

// CallLocks keep each call for one of the runs that use a journal's folder at the same time, so that two of them do not pay for the
// same call. Each call is a byte of one file, which is locked and never written: the end of a process unlocks its calls. It is safe for
// concurrent use. On systems other than Linux no call is kept.
type CallLocks struct {
	file   *os.File
	others atomic.Bool
}

// presence is the byte that each run shares while it is under way, behind the bytes of calls.
const presence = 1 << 62

// OpenCallLocks opens the locks of the journal folder dir, which has a locked run (LockRun). Open them before the journal.
func OpenCallLocks(dir string) (*CallLocks, error) {
	path := filepath.Join(dir, "locks", "calls.lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, (&Store{dir: dir}).fail("lock calls", err)
	}
	l := &CallLocks{file: file}
	l.others.Store(!share(file, presence))
	return l, nil
}

// Others reports whether other runs have been under way on the folder since the locks were opened.
func (l *CallLocks) Others() bool {
	if !l.others.Load() && isShared(l.file, presence) {
		l.others.Store(true)
	}
	return l.others.Load()
}

// TryLock keeps a call for this run, unless another run keeps it. Where the file system has no such locks it succeeds: then two runs may
// make the same call.
func (l *CallLocks) TryLock(key run.Key) bool { return tryLockByte(l.file, offsetOf(key)) }

// Unlock ends TryLock.
func (l *CallLocks) Unlock(key run.Key) { unlockByte(l.file, offsetOf(key)) }

// Close unlocks all calls of this run.
func (l *CallLocks) Close() error {
	if err := l.file.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// offsetOf is the place of a call's byte. Two calls with one place wait for each other.
func offsetOf(key run.Key) int64 { return int64(binary.BigEndian.Uint64(key[:8]) >> 2) }
