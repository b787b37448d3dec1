package child

import (
	"os"
	"os/exec"
	"slices"
	"strings"
)

// forced are variables of ffmpeg that change what it writes to its log, which
// is read, or that have it write files of its own.
var forced = []string{"AV_LOG_FORCE_COLOR", "AV_LOG_FORCE_256COLOR", "FFREPORT"}

// clean gives cmd the environment of this process without the variables that
// change how ffmpeg writes its log. Tools of the user may start ffmpeg, too.
func clean(cmd *exec.Cmd) {
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = slices.DeleteFunc(cmd.Env, func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return slices.Contains(forced, name)
	})
	cmd.Env = append(cmd.Env, "AV_LOG_FORCE_NOCOLOR=1")
}
