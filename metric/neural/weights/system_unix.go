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
