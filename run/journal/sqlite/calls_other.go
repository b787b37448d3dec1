//go:build !linux

package sqlite

import "os"

func tryLockByte(*os.File, int64) bool { return true }

func unlockByte(*os.File, int64) {}

func share(*os.File) (alone bool) { return true }

func isShared(*os.File) bool { return false }
