package child

import "syscall"

// endWithParent has the kernel kill the child once the thread that started it
// ends. Threads of a Go program end with it, unless a goroutine that is locked to
// one returns; none here is.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
