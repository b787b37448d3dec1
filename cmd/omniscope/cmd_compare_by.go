package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/plot"
	"omniscope/results/curve"
	"omniscope/results/report"
	"omniscope/session/catalog"
)

// byOptions are the flags of compare --by.
type byOptions struct {
	curve.Options
	perRun bool
}

// byFlags are the flags that need --by.
var byFlags = []string{"names", "score", "bins", "per-run"}

var aboutBy = `--by shows scores over a property of samples and runs; one run is enough. WHAT is one of

  a quantity of samples: ` + strings.ReplaceAll(curve.Quantities(), ", ", ",\n    ") + `:
    each run's samples are put into --bins of equal size; with --per-run each run is a point, at its mean,
    and runs of one system are joined
  a dimension of the benchmark's slices, such as duration or modality: a line for each run
  a part of the runs' signatures, such as lang or track: a line for each system
  a part of the systems' names, as --names describes them: a line for each of the other parts

Quantities come from the file of details that run writes next to the answers. Intervals resample the clips of a
point. --out adds curves.html, a page of charts.`

func (o *byOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.By, "by", "", "show scores over a property of samples or runs, such as words, seconds, frames, duration or lang")
	f.StringVar(&o.Names, "names", "", "with --by: the parts of the systems' names, such as {system}_{modality}_{lang}; system may hold anything,\nthe others no underscore")
	f.StringSliceVar(&o.Scores, "score", nil, "with --by: scores to show, with commas between (default: all)")
	f.IntVar(&o.Bins, "bins", 5, "with --by: bins of a quantity, of about the same number of samples")
	f.BoolVar(&o.perRun, "per-run", false, "with --by: make each run a point, instead of bins")
}

// runBy shows what scores depend on.
func (o *compareOptions) runBy(cmd *cobra.Command, args []string) (err error) {
	by := o.by.Options
	if by.Scoring, err = scoringOf(o.Profile); err != nil {
		return err
	}
	if by.Seed = o.Seed; o.by.perRun {
		by.Bins = 0
	}
	dirs, err := o.folders(cmd, 1, args)
	if err != nil {
		return err
	}
	runs, err := openOfOne(cmd, dirs)
	if err != nil {
		return err
	}
	b, err := catalog.Benchmark(runs[0].Results.Benchmark.Name)
	if err != nil {
		return err
	}
	curves, err := curve.Of(cmd.Context(), runs, b.Info().Metric, by)
	if err != nil {
		return err
	}
	c := report.Comparison{Title: b.Info().Title, Tables: []omniscope.Table{curves.Table()}}
	return o.checkAndShow(cmd, c, []tableFile{{"tables.md", c.Markdown}, {"tables.json", c.JSON},
		{curvesFile, func(w io.Writer) error { return plot.CurvesPage(w, c.Title, curves.Charts(), c.Tables[0].Note) }}})
}
