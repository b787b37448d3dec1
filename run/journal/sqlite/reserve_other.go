//go:build !linux

package sqlite

import "os"

func allocate(*os.File, int64) (bool, error) { return false, nil }
