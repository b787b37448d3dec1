//go:build !linux && !darwin && !windows

package weights

import "os"

// mapFile: elsewhere files are read.
func mapFile(*os.File, int) []byte { return nil }

func unmap([]byte) error { return nil }

func forgetPages([]byte) {}

// room: elsewhere a full disk shows when it is full.
func room(string) (int64, bool) { return 0, false }
