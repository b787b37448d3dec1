package main

import (
	"cmp"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/plot"
	"omniscope/results/compare"
	"omniscope/results/curve"
	"omniscope/results/report"
	"omniscope/session/catalog"
)

// curveOptions are the flags of curve.
type curveOptions struct {
	curve.Options
	tablesOut
	profile string
	perRun  bool
}

func newCurve() *cobra.Command {
	o := &curveOptions{}
	cmd := &cobra.Command{
		Use:   "curve DIR [DIR...]",
		Short: "Show scores over length of answers, inquiries, frames, clip length, slices or languages",
		Long: `Show scores over what samples and runs are like. --by is one of

  a quantity of samples: ` + strings.ReplaceAll(curve.Quantities(), ", ", ",\n    ") + `:
    each run's samples are put into --bins of equal size; with --per-run each run is a point, at its mean,
    and runs of one system are joined
  a dimension of the benchmark's slices, such as duration or modality: a line for each run
  a part of the runs' signatures, such as lang or track: a line for each system
  a part of the systems' names, which --names tells: a line for each of the other parts

Quantities come from the file of details that predict and run write beside the answers. Intervals
resample the clips of a point.`,
		Example: `  omniscope curve runs/omni-cloze-a-* --by words --out growth
  omniscope curve runs/* --by words --per-run
  omniscope curve runs/capricorn-* --by duration --score ref
  omniscope curve mcif/* --names {system}_{modality}_{track}_{lang}_{prompts} --by prompts`,
		Args: func(cmd *cobra.Command, dirs []string) error {
			return cmp.Or(atLeastOneFolder(cmd, dirs), checkRules([]rule{
				{o.By == "", "--by is missing: words, inquiries, frames, pixels, seconds, tokens, a dimension such as duration, or a part of signatures such as lang"},
				{o.Bins < 1, "--bins must be at least 1"},
			}))
		},
		RunE: func(cmd *cobra.Command, dirs []string) error { return o.run(cmd, dirs) },
	}
	f := cmd.Flags()
	f.StringVar(&o.By, "by", "", "what scores are shown over")
	f.StringVar(&o.Names, "names", "", "what the parts of the systems' names mean, such as {system}_{modality}_{lang}; system may hold anything,\nthe others no underscore")
	f.StringSliceVar(&o.Scores, "score", nil, "scores to show, with commas between (default: all)")
	f.IntVar(&o.Bins, "bins", 5, "bins of a quantity, of about the same number of samples")
	f.BoolVar(&o.perRun, "per-run", false, "make each run a point, in place of bins")
	addProfile(f, &o.profile, "scores to show, official or strict")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the intervals")
	o.addFlags(f, "tables.md", "tables.json", curvesFile)
	return cmd
}

func (o *curveOptions) run(cmd *cobra.Command, dirs []string) error {
	var err error
	if o.Scoring, err = scoringOf(o.profile); err != nil {
		return err
	}
	if o.perRun {
		o.Bins = 0
	}
	runs, err := compare.Open(cmd.Context(), dirs)
	if err != nil {
		return err
	}
	b, err := catalog.Benchmark(runs[0].Results.Benchmark.Name)
	if err != nil {
		return err
	}
	curves, err := curve.Of(cmd.Context(), runs, b.Info().Metric, o.Options)
	if err != nil {
		return err
	}
	c := report.Comparison{Title: b.Info().Title, Tables: []omniscope.Table{curves.Table()}}
	files := []tableFile{{"tables.md", c.Markdown}, {"tables.json", c.JSON},
		{curvesFile, func(w io.Writer) error { return plot.CurvesPage(w, c.Title, curves.Charts(), c.Tables[0].Note) }}}
	return o.checkAndShow(cmd, c, files)
}
