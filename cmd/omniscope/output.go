package main

import (
	"io"

	"github.com/spf13/cobra"

	"omniscope/internal/visible"
	"omniscope/report"
)

// forPeople makes an output safe to read on a terminal, whatever names and texts
// of others are written to it. All commands get their outputs so.
func forPeople(w io.Writer) *visible.Writer {
	if _, color := terminal(w); color {
		return visible.NewWriter(w, report.ColorCodes()...)
	}
	return visible.NewWriter(w)
}

// documentOut is the standard output for what programs read, byte for byte.
func documentOut(cmd *cobra.Command) io.Writer { return visible.Unwrapped(cmd.OutOrStdout()) }

// printable is a name or text of others as it stands in a line.
func printable(s string) string { return visible.Line(s) }
