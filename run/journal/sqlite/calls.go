package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"omniscope/run"
)

// callLocks keep each call for one of the runs that use a journal's folder at the same time, so that two of them do not pay for the
// same call. Each call is a byte of a file, which is locked and never written: the end of a process unlocks its calls. It is safe for
// concurrent use. On systems other than Linux no call is kept.
type callLocks struct {
	presence *os.File // each run shares its first byte while it is under way
	calls    [lockFiles]*os.File
	opened   time.Time
	others   atomic.Bool
	checked  atomic.Int64 // time of the last check for others, in nanoseconds after opened
}

// lockFiles is over how many files the calls are spread: the time of a lock grows with the locks of its file.
const lockFiles = 16

// notice is how long a run does not check for others after a check, which costs as much as a lock. A run that finds
// others waits as long before its first call, so that all of them have noticed it by its first answer.
const notice = 10 * time.Millisecond

// OpenCallLocks opens the locks of the journal folder dir, which has a locked run (LockRun). Open them before the journal.
func OpenCallLocks(dir string) (*callLocks, error) {
	l := &callLocks{opened: time.Now()}
	err := open(&l.presence, dir, "runs.lock")
	for i := range l.calls {
		err = errors.Join(err, open(&l.calls[i], dir, fmt.Sprintf("calls-%02d.lock", i)))
	}
	if err != nil {
		return nil, errors.Join((&Store{dir: dir}).fail("lock calls", err), l.Close())
	}
	if !share(l.presence) {
		l.others.Store(true)
		time.Sleep(notice)
	}
	return l, nil
}

func open(file **os.File, dir, name string) (err error) {
	*file, err = os.OpenFile(filepath.Join(dir, "locks", name), os.O_RDWR|os.O_CREATE, 0o644)
	return err
}

// Others reports whether other runs that may have made a call have been under way on the folder since the locks were opened.
func (l *callLocks) Others() bool {
	if now := int64(time.Since(l.opened)); !l.others.Load() && now-l.checked.Load() >= int64(notice) {
		if isShared(l.presence) {
			l.others.Store(true)
		}
		l.checked.Store(now)
	}
	return l.others.Load()
}

// TryLock keeps a call for this run, unless another run keeps it. Where the file system has no such locks it succeeds: then two runs may
// make the same call.
func (l *callLocks) TryLock(key run.Key) bool { return tryLockByte(l.place(key)) }

// Unlock ends TryLock.
func (l *callLocks) Unlock(key run.Key) { unlockByte(l.place(key)) }

// Close unlocks all calls of this run. Closing twice is harmless.
func (l *callLocks) Close() (err error) {
	for _, file := range append(l.calls[:], l.presence) {
		if e := file.Close(); !errors.Is(e, os.ErrClosed) && !errors.Is(e, os.ErrInvalid) { // ErrInvalid: it was not opened
			err = errors.Join(err, e)
		}
	}
	return err
}

// place is the byte of a call. Two calls with one byte wait for each other.
func (l *callLocks) place(key run.Key) (file *os.File, at int64) {
	return l.calls[key[len(key)-1]%lockFiles], int64(binary.BigEndian.Uint64(key[:8]) >> 1)
}
