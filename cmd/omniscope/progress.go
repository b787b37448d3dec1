package main

import (
	"io"

	"omniscope/internal/progress"

	"github.com/spf13/cobra"
)

// startProgress shows how far work is, unless the user wants to see nothing.
func startProgress(w io.Writer, quiet bool, total int, state func() []string) *progress.Display {
	if quiet {
		return progress.Silent(total)
	}
	return progress.Start(w, total, state)
}

// showing shows how far the units of runs are, unless the user wants to see nothing.
func showing(cmd *cobra.Command, quiet bool) func(units int, state func() []string) *progress.Display {
	return func(units int, state func() []string) *progress.Display {
		return startProgress(cmd.ErrOrStderr(), quiet, units, state)
	}
}
