package main

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/diff"
	"omniscope/internal/visible"
	"omniscope/report"
)

func newDiff() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff RUN RUN",
		Short: "Say where two runs first part, sample by sample",
		Long: `Say where two runs on the same samples first part. Each sample is followed from its file to its score,
and the first thing that is not the same is named: data, frame times, pixels, sound, prompt, parameters,
the model that answered by its own name, its reply, the reading of that reply, or the judge.

RUN is a folder that run or eval wrote its results to, or a file of answers that predict wrote. What was
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
	out := cmd.OutOrStdout()
	if asJSON {
		to := json.NewEncoder(visible.Unwrapped(out))
		to.SetEscapeHTML(false)
		to.SetIndent("", "  ")
		return to.Encode(r)
	}
	title := fmt.Sprintf("%d samples, and none of them parts", r.Samples)
	if n := len(r.Partings); n > 0 {
		title = fmt.Sprintf("%d of %d samples part", n, r.Samples)
	}
	width, color := visible.Terminal(out)
	c := report.Comparison{Title: title, Tables: diffTables(r), Warnings: r.Warnings, Rest: "what --json prints"}
	return c.Text(out, report.TextOptions{Width: width, Color: color})
}

func diffTables(r *diff.Report) (tables []omniscope.Table) {
	if len(r.Partings) > 0 {
		causes := omniscope.Table{Name: "causes", Title: "Where they first part", Numbers: []int{1, 2, 3},
			Columns: []string{"cause", "samples", "another answer", "another score", "such as"}}
		for _, c := range r.Count() {
			causes.Rows = append(causes.Rows, []string{string(c.Cause), strconv.Itoa(c.Samples), strconv.Itoa(c.Answers), strconv.Itoa(c.Scores), c.First})
		}
		tables = append(tables, causes)
	}
	if len(r.Settings) > 0 {
		settings := omniscope.Table{Name: "settings", Title: "Settings that differ", Columns: []string{"of", "setting", r.A, r.B}}
		for _, s := range r.Settings {
			settings.Rows = append(settings.Rows, []string{s.Of, s.Name, s.A, s.B})
		}
		tables = append(tables, settings)
	}
	if len(r.Partings) > 0 {
		samples := omniscope.Table{Name: "samples", Title: "Samples that part", Columns: []string{"sample", "cause", "what", r.A, r.B}}
		for _, p := range r.Partings {
			samples.Rows = append(samples.Rows, []string{p.Sample, string(p.Cause), p.What, p.A, p.B})
		}
		tables = append(tables, samples)
	}
	return tables
}
