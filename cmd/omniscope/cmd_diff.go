package main

import (
	"github.com/spf13/cobra"

	"omniscope/internal/outfile"
	"omniscope/results/diff"
	"omniscope/results/report"
)

func newDiff() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff RUN RUN",
		Short: "Say where two runs first part, sample by sample",
		Long: `Say where two runs on the same samples first part. Each sample is followed from its file to its score,
and the first thing that is not the same is named: data, frame times, pixels, sound, prompt, parameters,
the model that answered by its own name, its reply, the reading of that reply, or the judge.

RUN is a folder that run or eval wrote its results to, or a file of answers that run wrote. What was
sent to the model stands in the file of details beside the answers. Of answers that came from elsewhere
only the scores can be followed. Nothing is asked, and no media are opened.`,
		Example: `  omniscope diff omniscope-work/runs/omni-cloze-a-* omniscope-work/runs/omni-cloze-b-*
  omniscope diff monday.jsonl tuesday.jsonl --json`,
		Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var sides []*diff.Side
			for _, path := range args {
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
			return showDiff(cmd, r, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with every sample that parts")
	return cmd
}

func showDiff(cmd *cobra.Command, r *diff.Report, asJSON bool) error {
	if asJSON {
		return outfile.JSON(documentOut(cmd), r)
	}
	return printTables(cmd, report.Comparison{Title: r.Title(), Tables: r.Tables(), Warnings: r.Warnings, Rest: "what --json prints"})
}
