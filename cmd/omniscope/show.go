package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/version"
	"omniscope/report"
	"omniscope/session"
)

func addForce(f *pflag.FlagSet, force *bool) {
	f.BoolVar(force, "force", false, "write to --out even if that holds something else than results of this run, which is then lost")
}

// printResults prints a results document for people, or as it is.
func printResults(cmd *cobra.Command, asJSON bool, info bench.Info, r *omniscope.Results) error {
	if asJSON {
		return report.JSON(documentOut(cmd), r)
	}
	width, color := terminal(cmd.OutOrStdout())
	return report.Text(cmd.OutOrStdout(), r, report.TextOptions{Columns: report.Columns(info.Metric), Width: width, Color: color})
}

// thisProgram is this program and its command line, as results have them.
func thisProgram() session.About {
	return session.About{Version: version.Program(), Command: session.CommandLine(os.Args)}
}
