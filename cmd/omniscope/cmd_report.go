package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"omniscope/bench"
	"omniscope/internal/outfile"
	"omniscope/internal/webpage"
	"omniscope/results"
	"omniscope/results/report"
	"omniscope/session/caption"
	"omniscope/session/catalog"
	"omniscope/session/eval"
)

func newReport() *cobra.Command {
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Write a run as one page to look at and to send around",
		Long: `Write a run as one HTML file that needs nothing else: scores with their intervals, charts, outcomes, costs,
tables, and every case, with what was asked, answered and judged, to search and to sort. It works without
a network and on paper. DIR is a folder that run or eval wrote its results to; nothing is asked.

Of a folder that caption wrote for a clip, the page gets a picture of each shot and the waveform of the sound,
beside the caption, its evidence and the timeline. That needs the clip, and ffmpeg.`,
		Example: `  omniscope report omniscope-work/runs/omni-cloze-a-*
  omniscope report runs/mine --out mine.html`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, write := filepath.Join(args[0], caption.PageFile), func(path string) error {
				return caption.WritePage(cmd.Context(), args[0], path)
			}
			if !caption.IsFolder(args[0]) {
				run, err := results.Open(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				path, write = filepath.Join(run.Dir, eval.PageFile), func(path string) error { return writeReport(cmd, run, path) }
			}
			if out != "" {
				path = out
			}
			if out != "" && !force {
				if err := outfile.Check(path, webpage.IsOurs); err != nil {
					return err
				}
			}
			if err := write(path); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "written to %s\n", path)
			return err
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "out", "o", "", "file to write (default: "+eval.PageFile+" in DIR, "+caption.PageFile+" in that of a clip)")
	addForce(f, &force)
	return cmd
}

func writeReport(cmd *cobra.Command, run *results.Run, path string) (err error) {
	var columns []report.Column
	if b, err := catalog.Benchmark(run.Results.Benchmark.Name); err == nil {
		columns = report.Columns(b.Info().Metric) // a document of a benchmark that is not known here is shown by its own names
	}
	cases, err := run.Cases(cmd.Context())
	if err != nil {
		return err
	}
	var shown report.Cases
	if cases != nil {
		shown = cases
		defer func() { err = errors.Join(err, cases.Close()) }()
	}
	return outfile.Write(path, func(w io.Writer) error {
		return report.HTML(cmd.Context(), w, run.Results.In(bench.DefaultScoring.String()), columns, shown)
	})
}
