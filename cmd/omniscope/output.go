package main

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/version"
	"omniscope/internal/visible"
	"omniscope/results/report"
	"omniscope/session"
	"omniscope/session/eval"
)

// forPeople makes an output safe to read on a terminal, whatever names and texts
// of others are written to it. All commands get their outputs so.
func forPeople(w io.Writer) *visible.Writer {
	if _, color := visible.Terminal(w); color {
		return visible.NewWriter(w, report.ColorCodes()...)
	}
	return visible.NewWriter(w)
}

// documentOut is the standard output for what programs read, byte for byte.
func documentOut(cmd *cobra.Command) io.Writer { return visible.Unwrapped(cmd.OutOrStdout()) }

// printable is a name or text of others as it stands in a line.
func printable(s string) string { return visible.Line(s) }

// printables are names or texts of others, each fit for a line.
func printables(texts []string) (lines []string) {
	for _, text := range texts {
		lines = append(lines, printable(text))
	}
	return lines
}

// warn prints warnings.
func warn(cmd *cobra.Command, texts ...string) {
	for _, text := range texts {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", text)
	}
}

// jsonLines writes values as lines of JSON.
func jsonLines[T any](w io.Writer, values iter.Seq[T]) error {
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	for v := range values {
		if err := lines.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// printResults prints a results document for people, or as it is. In a run, usage is left out: the command prints it at the end.
func printResults(cmd *cobra.Command, asJSON bool, info bench.Info, r *document.Results, inRun bool) error {
	if asJSON {
		return report.JSON(documentOut(cmd), r)
	}
	width, color := visible.Terminal(cmd.OutOrStdout())
	return report.Text(cmd.OutOrStdout(), r, report.TextOptions{Columns: report.Columns(info.Metric), Width: width, Color: color, NoUsage: inRun})
}

// thisProgram is this program and its command line, as results have them.
func thisProgram() eval.About {
	return eval.About{Version: version.Program(), Command: session.CommandLine(os.Args)}
}
