package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"omniscope/bench"
	"omniscope/internal/outfile"
	"omniscope/internal/webpage"
	"omniscope/results"
	"omniscope/results/report"
	"omniscope/session/caption"
	"omniscope/session/catalog"
)

// writeHTML writes a run, or the folder of an investigated clip, as one HTML file.
func (o *viewOptions) writeHTML(cmd *cobra.Command, dir string) error {
	if !o.force {
		if err := outfile.Check(o.html, webpage.IsOurs); err != nil {
			return err
		}
	}
	var err error
	if caption.IsFolder(dir) {
		err = caption.WritePage(cmd.Context(), dir, o.html)
	} else {
		err = writeReport(cmd, dir, o.html)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "written to %s\n", o.html)
	return err
}

func writeReport(cmd *cobra.Command, dir, path string) error {
	run, err := results.Open(cmd.Context(), dir)
	if err != nil {
		return err
	}
	var columns []report.Column
	if b, err := catalog.Benchmark(run.Results.Benchmark.Name); err == nil {
		columns = report.Columns(b.Info().Metric) // scores of an unknown benchmark are shown by their names
	}
	cases, err := run.Cases(cmd.Context())
	if err != nil {
		return err
	}
	var shown report.Cases // nil if the benchmark writes no cases
	if cases != nil {
		shown = cases
		defer cases.Close()
	}
	return outfile.Write(path, func(w io.Writer) error {
		return report.HTML(cmd.Context(), w, run.Results.In(bench.DefaultScoring.String()), columns, shown)
	})
}
