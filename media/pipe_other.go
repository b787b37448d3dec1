//go:build !linux

package media

import "os"

// widen leaves a pipe as it is.
func widen(*os.File) {}
