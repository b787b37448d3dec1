package main

import (
	"io"

	"github.com/spf13/cobra"

	"omniscope/internal/progress"
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

// noteProgressOf is progressOf for work that names each step.
func noteProgressOf(cmd *cobra.Command, quiet bool) func(total int) (done func(int), note func(string), stop func()) {
	return func(total int) (func(int), func(string), func()) {
		p := startProgress(cmd.ErrOrStderr(), quiet, total, nil)
		return p.Done, p.Note, p.Stop
	}
}

// lateProgress shows progress from the first step on, with which the total is known.
func lateProgress(cmd *cobra.Command, quiet bool) (tell func(done, total int), stop func()) {
	var p *progress.Display
	tell = func(done, total int) {
		if p == nil {
			p = startProgress(cmd.ErrOrStderr(), quiet, total, nil)
		}
		p.Done(done)
	}
	return tell, func() {
		if p != nil {
			p.Stop()
		}
	}
}
