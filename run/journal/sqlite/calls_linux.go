package sqlite

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A lock of an open file description, not of the process: two runs of one process exclude each other as well.
func lockByte(file *os.File, kind int16, at int64) error {
	return unix.FcntlFlock(file.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: at, Len: 1})
}

func tryLockByte(file *os.File, at int64) bool {
	err := lockByte(file, unix.F_WRLCK, at)
	return !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EACCES)
}

func unlockByte(file *os.File, at int64) { _ = lockByte(file, unix.F_UNLCK, at) }

// share shares the first byte of a file with other runs, and reports whether no other run shares it.
func share(file *os.File) (alone bool) {
	_ = lockByte(file, unix.F_RDLCK, 0) // before the check: of two runs that open at once, one sees the other
	return !isShared(file)
}

// isShared reports whether another run shares the first byte of a file.
func isShared(file *os.File) bool {
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Len: 1}
	return unix.FcntlFlock(file.Fd(), unix.F_OFD_GETLK, &lock) == nil && lock.Type != unix.F_UNLCK
}
