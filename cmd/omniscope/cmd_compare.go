package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/sha256hex"
	"omniscope/internal/spelling"
	"omniscope/results/compare"
	"omniscope/results/report"
	"omniscope/session/catalog"
	"omniscope/session/eval"
)

// compareOptions are the flags of compare.
type compareOptions struct {
	tablesOut
	worseOptions
	Profile string
	Seed    uint64
	AnyData bool
	Table   string
}

func newCompare() *cobra.Command {
	o := &compareOptions{}
	cmd := &cobra.Command{
		Use:   "compare DIR DIR [DIR...]",
		Short: "Compare runs of one benchmark",
		Long: `Compare runs of one benchmark by the folders that eval wrote their results to.

Scores are shown beside each other, and each pair's differences with 95 % intervals by paired
cluster bootstrap over the units that both have: the same resamples for both, so that what is hard
for both cancels. Of each difference a paired permutation test over the clusters says whether it could be
chance, corrected by Holm for all differences shown together; where none is shown the table says how large
a true difference would have been, and how many clusters like these would show the one that was found.
Of more than four runs each is compared with the first only. Where items have
verdicts, observed agreement, Cohen's kappa and the confusion table say how far two runs agree item
by item. Where several judges judged several systems, their scores are correlated over the systems.

Runs on different data are refused. Prompts, versions, settings and seeds that differ are warned
about: a difference may come from them.

With --fail-if-worse the exit code is 5 if the second of two runs is worse than the first: for each score a
one-sided paired permutation test over the clusters, corrected by Holm, so that --level is the chance of a
false alarm for all scores together. Which direction is worse is the score's. --margin allows a drop of so many points, and
fails only where a larger one is shown. What the first run scored and the second could not is counted and
shown, and is exit code 3 beyond --max-failures: a drop could hide in it. A score with too few clusters for
any drop to be found is named.

With --table, judges are compared by scores that are known already: a CSV file with the columns
judge, system, score and value.`,
		Example: `  omniscope compare runs/system-a runs/system-b
  omniscope compare gpt-4o/* qwen3/* --out ablation
  omniscope compare runs/released runs/candidate --fail-if-worse=accuracy,hallucination --level 0.01
  omniscope compare --table scores.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			return checkRules([]rule{
				{o.Table != "" && len(args) > 0, "give folders of runs or --table FILE, not both"},
				{o.Table == "" && len(args) < 2, fmt.Sprintf("%s takes two folders of runs or more, got %d; see `%[1]s --help`", cmd.CommandPath(), len(args))},
			})
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	addProfile(f, &o.Profile, "scores to compare, official or strict; verdicts are always strict")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the bootstrap intervals")
	f.BoolVar(&o.AnyData, "any-data", false, "compare runs on different data by the units that they share")
	f.StringVar(&o.Table, "table", "", "CSV file of scores by judge and system, in place of runs")
	o.worseOptions.addFlags(f)
	o.tablesOut.addFlags(f, "tables.md", "tables.json")
	return cmd
}

func (o *compareOptions) run(cmd *cobra.Command, args []string) error {
	dirs := o.takeScores(args)
	check, err := o.wanted(cmd, dirs)
	if err != nil {
		return err
	}
	var c *compare.Comparison
	if o.Table != "" {
		c, err = compareRatings(cmd.Context(), o.Table)
	} else {
		c, err = o.compareRuns(cmd, dirs, check)
	}
	if err != nil {
		return err
	}
	if o.Out != "" && !o.Force {
		names, err := outfile.Entries(o.Out)
		if err != nil {
			return err
		}
		single := slices.DeleteFunc(names, func(name string) bool { return !o.isSingle(name) })
		if err := eval.CheckTablesFolder(o.Out, c.Runs, append(single, foldersIn(o.Out, dirs)...)); err != nil {
			return err
		}
	}
	tables := report.Comparison{Title: c.Title, Runs: c.Runs, Tables: c.Tables, Warnings: c.Warnings}
	if err := o.show(cmd, tables, []tableFile{{"tables.md", tables.Markdown}, {"tables.json", tables.JSON}}); err != nil {
		return err
	}
	return c.Checked.Err()
}

// foldersIn are the names of those dirs that lie in a folder.
func foldersIn(folder string, dirs []string) (names []string) {
	for _, dir := range dirs {
		if outfile.SamePath(filepath.Dir(filepath.Clean(dir)), folder) {
			names = append(names, filepath.Base(dir))
		}
	}
	return names
}

func (o *compareOptions) compareRuns(cmd *cobra.Command, dirs []string, check *compare.Check) (*compare.Comparison, error) {
	profile, err := scoringOf(o.Profile)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		if !ondisk.Exists(dir) {
			return nil, omniscope.NotFoundf("%s: no such folder: name folders that `omniscope eval` wrote its results to%s", dir, spelling.NearFile(dir))
		}
	}
	runs, err := compare.Open(cmd.Context(), dirs)
	if err != nil {
		return nil, err
	}
	b, err := catalog.Benchmark(runs[0].Results.Benchmark.Name)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: runs[0].Dir, Err: err}
	}
	c, err := compare.Runs(cmd.Context(), runs, b.Info().Metric, compare.Options{Scoring: profile, Seed: o.Seed, AnyData: o.AnyData, Check: check})
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		c.Runs = append(c.Runs, r.Results.Run.ID)
	}
	return c, nil
}

func compareRatings(ctx context.Context, path string) (*compare.Comparison, error) {
	ratings, err := compare.ReadRatings(ctx, path)
	if err != nil {
		return nil, err
	}
	c := compare.Ratings(filepath.Base(path), ratings)
	c.Runs = []string{sha256hex.Of(fmt.Append(nil, ratings))[:12]}
	return c, nil
}
