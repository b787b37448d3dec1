//go:build !unix

package scratch

import "os"

// owned takes every file for this user's: each has a folder for temporary files
// of their own.
func owned(os.FileInfo) bool { return true }
