package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/metric"
	"omniscope/results/correlate"
	"omniscope/results/report"
	"omniscope/session/catalog"
)

// correlateOptions are the flags of correlate.
type correlateOptions struct {
	tablesOut
	namedRuns
	tables, battles, ratings []string
	x, y                     []string
	slices                   string
	profile                  string
	seed                     uint64
}

func newCorrelate() *cobra.Command {
	o := &correlateOptions{}
	cmd := &cobra.Command{
		Use:   "correlate [RUN...]",
		Short: "Correlate scores, human ratings, Elo and lengths over systems",
		Long: `Correlate values of systems: Pearson's r with its interval, Spearman and Kendall, and with --out a scatter
plot with the systems' names. Values come from any of:

  RUN        a run: its scores, called "BENCHMARK SCORE", and the mean length of its answers, "BENCHMARK words"
  --table    CSV: system, and a column for each kind of value
  --battles  CSV: a, b, winner (a, b, tie or a name), and clip if there is one: "Elo" and "Bradley-Terry"
  --ratings  CSV: system, item, rater, rating, and question if there are several: mean ratings, with the raters' agreement

Systems are joined by their names.

` + aboutRuns,
		Example: `  omniscope correlate runs/* --battles arena.csv --x Elo
  omniscope correlate runs/* --slices modality --y "omni-cloze words" --out correlations
  omniscope correlate --table scores.csv --ratings people.csv`,
		Args: func(cmd *cobra.Command, dirs []string) error {
			return checkRules([]rule{{len(dirs)+len(o.tables)+len(o.battles)+len(o.ratings) == 0, fmt.Sprintf("%s takes runs, --table, --battles or --ratings; see `%[1]s --help`", cmd.CommandPath())}})
		},
		RunE: func(cmd *cobra.Command, dirs []string) error { return o.run(cmd, dirs) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.tables, "table", nil, "CSV file of values by system; repeatable")
	f.StringArrayVar(&o.battles, "battles", nil, "CSV file of battles; repeatable")
	f.StringArrayVar(&o.ratings, "ratings", nil, "CSV file of ratings by people; repeatable")
	f.StringArrayVar(&o.x, "x", nil, "values to correlate with those of --y, by their names; repeatable (default: all)")
	f.StringArrayVar(&o.y, "y", nil, "values to correlate with those of --x; repeatable (default: all)")
	f.StringVar(&o.slices, "slices", "", "a dimension of the runs, such as modality: scores of its slices are values, too")
	addProfile(f, &o.profile, "scores of the runs, official or strict")
	f.Uint64Var(&o.seed, "seed", 0, "seed of intervals")
	o.namedRuns.addFlags(f)
	o.tablesOut.addFlags(f, "tables.md", "tables.json", "scatter.html")
	return cmd
}

// values gathers the values of systems.
func (o *correlateOptions) values(cmd *cobra.Command, names []string) (*correlate.Values, error) {
	ctx := cmd.Context()
	profile, err := scoringOf(o.profile)
	if err != nil {
		return nil, err
	}
	v := &correlate.Values{}
	runs, err := o.open(cmd, names)
	if err != nil {
		return nil, err
	}
	if err := v.AddRuns(ctx, runs, metricOf, profile, o.slices); err != nil {
		return nil, err
	}
	for _, path := range o.tables {
		if err := v.AddTable(ctx, path); err != nil {
			return nil, err
		}
	}
	for _, path := range o.battles {
		if err := v.AddBattles(ctx, path, o.seed); err != nil {
			return nil, err
		}
	}
	for _, path := range o.ratings {
		if err := v.AddRatings(ctx, path, o.seed); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (o *correlateOptions) run(cmd *cobra.Command, dirs []string) error {
	v, err := o.values(cmd, dirs)
	if err != nil {
		return err
	}
	pairs, err := v.Pairs(o.x, o.y)
	if err != nil {
		return err
	}
	c := report.Comparison{Title: fmt.Sprintf("%d systems, %d kinds of values", len(v.Systems), len(v.Columns)),
		Tables: []omniscope.Table{correlate.Table(pairs), v.ValueTable()}}
	files := []tableFile{{"tables.md", c.Markdown}, {"tables.json", c.JSON},
		{"scatter.html", func(w io.Writer) error { return correlate.Page(w, c.Title, pairs, v.Notes...) }}}
	return o.checkAndShow(cmd, c, files)
}

// metricOf returns what a benchmark measures.
func metricOf(benchmark string) (*metric.Metric, error) {
	b, err := catalog.Benchmark(benchmark)
	if err != nil {
		return nil, err
	}
	return b.Info().Metric, nil
}
