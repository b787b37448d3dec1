//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// tie puts cmd into a process group of its own and has the whole group killed
// when its context ends.
func tie(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
