//go:build unix

package scratch

import (
	"os"
	"syscall"
)

// owned reports whether a file is this user's.
func owned(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
