//go:build unix

package pgtest

import (
	"os"
	"syscall"
)

// asAnother has the server run as somebody else where the tests are root, which it
// refuses to be, and gives that user its folder.
func asAnother(dir string) (*syscall.SysProcAttr, error) {
	const nobody = 65534
	if os.Getuid() != 0 {
		return nil, nil
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}, os.Chown(dir, nobody, nobody)
}

func kill(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }
