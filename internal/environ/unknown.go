package environ

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"omniscope/internal/spelling"
)

// ownVariables are those of the program, and of its tests, that set no flag.
var ownVariables = []string{
	"OMNISCOPE_JUDGE_API_KEY", "OMNISCOPE_DETECTIVE_API_KEY", "OMNISCOPE_OBSERVER_API_KEY", "OMNISCOPE_SPLITTER_API_KEY", "OMNISCOPE_ASR_API_KEY",
	"OMNISCOPE_SPEECH_PACK",
	"OMNISCOPE_SOAK", "OMNISCOPE_MEDIA", "OMNISCOPE_GOLDEN", "OMNISCOPE_PROGRAM", "OMNISCOPE_TEST_POSTGRES", "OMNISCOPE_NEED_POSTGRES", "OMNISCOPE_NEED_FOREIGN",
	"OMNISCOPE_TEST_CLIPS",
}

// WarnUnknown warns of variables that look like ours and have no effect. flags
// returns the names of all flags; it is called only if there are such variables.
func WarnUnknown(warnings io.Writer, flags func() []string) {
	var found []string
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "OMNISCOPE_") && value != "" {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return
	}
	known := slices.Clone(ownVariables)
	for _, flag := range flags() {
		known = append(known, Variable(flag))
	}
	for _, name := range found {
		if !slices.Contains(known, name) {
			fmt.Fprintf(warnings, "warning: %s sets no flag of any command%s\n", name, spelling.Hint(name, known))
		}
	}
}
