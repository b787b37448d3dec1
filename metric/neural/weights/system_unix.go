//go:build linux || darwin

package weights

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file for reading, nil if that is not possible.
func mapFile(f *os.File, size int) []byte {
	mapped, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	return mapped
}

func unmap(mapped []byte) error { return unix.Munmap(mapped) }

// forgetPages lets the system take back the memory of whole pages. It is an
// advice: that it is not taken changes nothing.
func forgetPages(pages []byte) { _ = unix.Madvise(pages, unix.MADV_DONTNEED) }

// Room is how many bytes can be written in a folder, false if the system does
// not say.
func Room(folder string) (int64, bool) {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
