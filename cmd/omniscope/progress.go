package main

import (
	"io"

	"omniscope/internal/progress"
)

// startProgress shows how far work is, unless the user wants to see nothing.
func startProgress(w io.Writer, quiet bool, total int, state func() []string) *progress.Display {
	if quiet {
		return progress.Silent(total)
	}
	return progress.Start(w, total, state)
}
