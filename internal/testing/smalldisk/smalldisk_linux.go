package smalldisk

import (
	"syscall"
	"testing"

	"omniscope/internal/testing/fixture"
)

// A Disk is a file system in memory.
type Disk struct{ Dir string }

// Mount mounts a disk of the given size, such as "1m", until the test ends. It skips
// the test where mounting is not allowed.
func Mount(t testing.TB, size string) *Disk {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return &Disk{dir}
}

// Resize gives the disk another size, and what it holds stays. A size of "" makes it
// read-only.
func (d *Disk) Resize(t testing.TB, size string) {
	t.Helper()
	flags, options := uintptr(syscall.MS_REMOUNT), "size="+size
	if size == "" {
		flags, options = flags|syscall.MS_RDONLY, ""
	}
	fixture.OK(t, syscall.Mount("tmpfs", d.Dir, "tmpfs", flags, options))
}
