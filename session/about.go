package session

import (
	"strings"

	"omniscope/model/openai"
)

// CommandLine is the command line of this program without anything secret in its addresses.
func CommandLine(args []string) []string {
	safe := []string{"omniscope"}
	for _, a := range args[1:] {
		name, value, given := strings.Cut(a, "=")
		switch {
		case strings.Contains(a, "://") && given && strings.HasPrefix(name, "--"):
			a = name + "=" + openai.Redacted(value)
		case strings.Contains(a, "://"):
			a = openai.Redacted(a)
		}
		safe = append(safe, a)
	}
	return safe
}
