// Package child ties the programs that omniscope starts to their context and to
// its own life.
package child

import "os/exec"

// Tie makes cmd, which was made by exec.CommandContext and is not started yet,
// end with its context and, where the system can do that, with this process,
// even if it is killed. Variables that have ffmpeg write its log in another way
// are taken out of its environment.
func Tie(cmd *exec.Cmd) {
	clean(cmd)
	tie(cmd)
}
