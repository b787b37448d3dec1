package main

import (
	"github.com/spf13/cobra"

	"omniscope/results/diff"
	"omniscope/results/report"
)

// runSamples shows where two runs, or two files of answers, first part.
func (o *compareOptions) runSamples(cmd *cobra.Command, args []string) error {
	paths, err := o.paths(cmd, args)
	if err != nil {
		return err
	}
	var sides []*diff.Side
	for _, path := range paths {
		side, err := diff.Open(cmd.Context(), path)
		if err != nil {
			return err
		}
		sides = append(sides, side)
	}
	r, err := diff.Runs(sides[0], sides[1])
	if err != nil {
		return err
	}
	c := report.Comparison{Title: r.Title(), Tables: r.Tables(), Warnings: r.Warnings}
	return o.checkAndShow(cmd, c, []tableFile{{"samples.md", c.Markdown}, {"samples.json", writeJSON(r)}})
}
