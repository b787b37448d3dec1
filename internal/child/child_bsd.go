//go:build unix && !linux

package child

import "syscall"

// endWithParent does nothing: these systems have no such signal. A child whose
// pipes without a reader ends at its next write.
func endWithParent(*syscall.SysProcAttr) {}
