package weights

import (
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// mapFile: on Windows a mapped file could not be replaced. It is read instead.
func mapFile(*os.File, int) []byte { return nil }

func unmap([]byte) error { return nil }

func forgetPages([]byte) {}

// Room is how many bytes can be written in a folder, false if the system does
// not say.
func Room(folder string) (int64, bool) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, false
	}
	var free uint64
	if windows.GetDiskFreeSpaceEx(name, &free, nil, nil) != nil {
		return 0, false
	}
	return int64(min(free, math.MaxInt64)), true
}
