//go:build linux || darwin

package diskspace

import "golang.org/x/sys/unix"

func free(folder string) (int64, bool) {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
