package sqlite

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// allocate gives a file its blocks without writing them. It reports false where the file system may not keep them for
// the file.
func allocate(f *os.File, size int64) (bool, error) {
	var on unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &on); err != nil {
		return false, err
	}
	switch on.Type {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.TMPFS_MAGIC:
	default:
		return false, nil
	}
	err := unix.Fallocate(int(f.Fd()), 0, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return false, nil
	}
	return err == nil, err
}
