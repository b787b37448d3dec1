//go:build !unix

package pgtest

import (
	"os"
	"syscall"
)

func asAnother(string) (*syscall.SysProcAttr, error) { return nil, nil }

func kill(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}
