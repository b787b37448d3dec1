package diskspace

import (
	"math"

	"golang.org/x/sys/windows"
)

func free(folder string) (int64, bool) {
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, false
	}
	var bytes uint64
	if windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil) != nil {
		return 0, false
	}
	return int64(min(bytes, math.MaxInt64)), true
}
