package media

import (
	"os"
	"syscall"
)

// widen lets a pipe hold a megabyte rather than 64 KB, so that a frame passes
// at once. Where the system refuses, the pipe works as it is.
func widen(pipe *os.File) {
	const setPipeSize = 1031 // F_SETPIPE_SZ of linux/fcntl.h
	if raw, err := pipe.SyscallConn(); err == nil {
		// A pipe of the usual size does as well.
		_ = raw.Control(func(fd uintptr) { _, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, 1<<20) })
	}
}
