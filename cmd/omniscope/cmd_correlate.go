package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/catalog"
	"omniscope/correlate"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/internal/visible"
	"omniscope/metric"
	"omniscope/report"
	"omniscope/results"
)

// correlateOptions are the flags of correlate.
type correlateOptions struct {
	tables, battles, ratings []string
	x, y                     []string
	slices                   string
	profile                  string
	seed                     uint64
	out                      string
	json, force              bool
}

func newCorrelate() *cobra.Command {
	o := &correlateOptions{}
	cmd := &cobra.Command{
		Use:   "correlate [DIR...]",
		Short: "Say how far scores, human ratings, Elo and lengths go together over systems",
		Long: `Say how far values of systems go together: Pearson's r with its interval, Spearman and Kendall, and a scatter
plot with the systems' names. Values come from any of:

  DIR        a run's folder: its scores, called "BENCHMARK SCORE", and the mean length of its answers, "BENCHMARK words"
  --table    CSV: system, and a column for each kind of value
  --battles  CSV: a, b, winner (a, b, tie or a name), and clip if there is one: "Elo" and "Bradley-Terry"
  --ratings  CSV: system, item, rater, rating, and question if there are several: mean ratings, with the raters' agreement

Systems are joined by their names.`,
		Example: `  omniscope correlate runs/* --battles arena.csv --x Elo
  omniscope correlate runs/* --slices modality --y "omni-cloze words" --out correlations
  omniscope correlate --table scores.csv --ratings people.csv`,
		Args: func(cmd *cobra.Command, dirs []string) error {
			if len(dirs)+len(o.tables)+len(o.battles)+len(o.ratings) == 0 {
				return usagef("%s takes folders of runs, --table, --battles or --ratings; see `%[1]s --help`", cmd.CommandPath())
			}
			return nil
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
	f.StringVar(&o.profile, "profile", "strict", "scores of the runs, official or strict")
	f.Uint64Var(&o.seed, "seed", 0, "seed of intervals")
	f.StringVarP(&o.out, "out", "o", "", "folder to write tables.md, tables.json and scatter.html to (default: none)")
	addForce(f, &o.force)
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// values gathers what is known of systems.
func (o *correlateOptions) values(cmd *cobra.Command, dirs []string) (*correlate.Values, error) {
	if err := spelling.CheckChoice("profile", o.profile, profiles); err != nil {
		return nil, err
	}
	profile, _ := bench.ParseProfile(o.profile)
	ctx, v := cmd.Context(), &correlate.Values{}
	var runs []*results.Run
	for _, dir := range dirs {
		r, err := results.Open(ctx, dir)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	metricOf := func(name string) (*metric.Metric, error) {
		b, err := catalog.Benchmark(name)
		if err != nil {
			return nil, err
		}
		return b.Info().Metric, nil
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

var correlateFiles = []string{"tables.md", "tables.json", "scatter.html"}

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
		Tables: []omniscope.Table{correlate.Table(pairs), v.ValueTable()}, Rest: "what --out DIR or --json writes"}
	if o.out != "" {
		if err := os.MkdirAll(o.out, 0o755); err != nil {
			return err
		}
		if !o.force {
			if err := checkOnly(o.out, correlateFiles); err != nil {
				return err
			}
		}
		page := func(w io.Writer) error { return correlate.Page(w, c.Title, pairs) }
		for i, write := range []func(io.Writer) error{c.Markdown, c.JSON, page} {
			err = errors.Join(err, outfile.WriteIn(o.out, correlateFiles[i], write))
		}
		if err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	if o.json {
		return c.JSON(visible.Unwrapped(out))
	}
	width, color := visible.Terminal(out)
	if err := c.Text(out, report.TextOptions{Width: width, Color: color}); err != nil || o.out == "" {
		return err
	}
	_, err = fmt.Fprintf(out, "\nwritten to %s: %s\n", o.out, strings.Join(correlateFiles, " "))
	return err
}

// checkOnly refuses a folder that holds anything but the named files.
func checkOnly(dir string, names []string) error {
	entries, err := outfile.Entries(dir)
	if err != nil {
		return err
	}
	for _, name := range entries {
		if !slices.Contains(names, name) {
			return usagef("%s holds %s, which is none of %s: %s", dir, name, strings.Join(names, ", "), outfile.OrForce)
		}
	}
	return nil
}
