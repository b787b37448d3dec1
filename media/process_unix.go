//go:build unix

package media

import (
	"os/exec"
	"syscall"
)

// ownGroup puts cmd into a process group of its own and has the whole group
// killed when its context ends.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
