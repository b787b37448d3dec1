//go:build unix && !linux

package child

import "syscall"

// endWithParent does nothing: these systems have no such signal. A child whose
// pipes nobody reads any more ends at its next write.
func endWithParent(*syscall.SysProcAttr) {}
