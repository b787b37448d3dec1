package main

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestHelpOfFlags: help takes what stands between two ` for the name of the flag's
// value, and does not break lines.
func TestHelpOfFlags(t *testing.T) {
	const longest = 125
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Usage, "`") {
				t.Errorf("%s --%s: ` in %q", cmd.CommandPath(), f.Name, f.Usage)
			}
			for line := range strings.Lines(f.Usage) {
				if utf8.RuneCountInString(line) > longest {
					t.Errorf("%s --%s: a line of more than %d characters: %q", cmd.CommandPath(), f.Name, longest, line)
				}
			}
		})
		if cmd.HasParent() && !cmd.Parent().HasParent() && cmd.GroupID == "" && cmd.Name() != "completion" {
			t.Errorf("%s is in no group of commands", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRoot(io.Discard, io.Discard))
}
