package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/results/compare"
	"omniscope/results/report"
	"omniscope/session/catalog"
	"omniscope/session/eval"
)

// compareOptions are the flags of compare.
type compareOptions struct {
	tablesOut
	worseOptions
	namedRuns
	by      byOptions
	Profile string
	Seed    uint64
	AnyData bool
	Table   string
	Samples bool
	All     bool
}

func newCompare() *cobra.Command {
	o := &compareOptions{}
	cmd := &cobra.Command{
		Use:   "compare RUN...",
		Short: "Compare runs: which is better, by how much, and where",
		Long: `Compare runs of one benchmark. The first line says which run is better, or that no difference could be shown; a
table has the scores and their differences. --all shows all tables.

` + aboutRuns + `

Differences are over the units that both runs have, with 95 % intervals by paired cluster bootstrap: the same
resamples for both, so that what is hard for both cancels. A paired permutation test over the clusters, corrected by
Holm for all differences, decides whether a difference could be chance. Of more than four runs each is compared with
the first only. --all adds, among others, agreement of the runs item by item, and the correlation of judges.

Runs on different data are refused. Prompts, versions, settings and seeds that differ are warned about: a difference
may come from them.

--samples follows each sample of two runs, or of two files of answers, from its file to its score, and names the first
difference: data, frame times, pixels, sound, prompt, parameters, the model that answered by its own name, its reply,
the reading of that reply, or the judge.

` + aboutBy + `

With --fail-if-worse the exit code is 5 if the second of two runs is worse than the first: for each score a
one-sided paired permutation test over the clusters, corrected by Holm, so that --level is the chance of a
false alarm for all scores together. The score defines which direction is worse. --margin allows a drop of so many
points, and fails only if a larger drop is shown. What the first run scored and the second could not is counted and
shown, and is exit code 3 beyond --max-failures: a drop could hide in it. A score with too few clusters for
any drop to be found is named.

--table compares judges by scores that are known already: a CSV file with the columns judge, system, score and value.`,
		Example: `  omniscope compare careful confident
  omniscope compare runs/released latest --fail-if-worse=accuracy,hallucination --level 0.01
  omniscope compare runs/monday runs/tuesday --samples
  omniscope compare careful confident --by modality
  omniscope compare --table scores.csv`,
		Args: func(cmd *cobra.Command, args []string) error { return o.checkArgs(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.Samples:
				return o.runSamples(cmd, args)
			case o.by.By != "":
				return o.runBy(cmd, args)
			}
			return o.run(cmd, args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.All, "all", false, "show all tables")
	f.BoolVar(&o.Samples, "samples", false, "show where two runs first part, sample by sample")
	o.by.addFlags(f)
	addProfile(f, &o.Profile, "scores to compare, official or strict; verdicts are always strict")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the bootstrap intervals")
	f.BoolVar(&o.AnyData, "any-data", false, "compare runs on different data by the units that they share")
	f.StringVar(&o.Table, "table", "", "CSV file of scores by judge and system, instead of runs")
	o.worseOptions.addFlags(f)
	o.namedRuns.addFlags(f)
	o.tablesOut.addFlags(f, "tables.md", "tables.json")
	return cmd
}

// checkArgs checks which runs and flags belong together. Cobra calls it before the environment is read, so that variables
// that are meant for other commands do no harm.
func (o *compareOptions) checkArgs(cmd *cobra.Command, args []string) error {
	modes := 0
	for _, set := range []bool{o.Samples, o.by.By != "", o.Table != "", o.FailIfWorse != ""} {
		if set {
			modes++
		}
	}
	without := firstGiven(cmd.Flags(), byFlags...)
	return checkRules([]rule{
		{modes > 1, "--samples, --by, --table and --fail-if-worse are different comparisons: give one of them"},
		{o.Table != "" && len(args) > 0, "give runs or --table FILE, not both"},
		{without != "" && o.by.By == "", "--" + without + " is for --by: give --by WHAT as well"},
		{o.by.By != "" && len(args) == 0, "--by takes a run or more"},
		{o.by.By != "" && o.by.Bins < 1, "--bins must be at least 1"},
		{o.Samples && len(args) != 2, fmt.Sprintf("--samples follows the samples of two runs, got %d", len(args))},
		{modes == 0 && len(args) == 1, "one run cannot be compared: name a second one, show what its scores depend on with --by WHAT, or rank it among published systems with `omniscope leaderboard`"},
		{o.Table == "" && len(args) < 2 && o.by.By == "", fmt.Sprintf("%s takes two runs or more, got %d; see `%[1]s --help`", cmd.CommandPath(), len(args))},
	})
}

func (o *compareOptions) run(cmd *cobra.Command, args []string) error {
	args = o.takeScores(args)
	check, err := o.wanted(cmd, args)
	if err != nil {
		return err
	}
	dirs, err := o.folders(cmd, 2, args)
	if err != nil {
		return err
	}
	var c *compare.Comparison
	if o.Table != "" {
		c, err = compare.Table(cmd.Context(), o.Table)
	} else {
		c, err = o.compareRuns(cmd, dirs, check)
	}
	if err != nil {
		return err
	}
	if err := o.checkFolder(c, dirs); err != nil {
		return err
	}
	all := report.Comparison{Sentence: c.Sentence, Title: c.Title, Runs: c.Runs, Tables: c.Tables, Warnings: c.Warnings}
	shown := all
	if c.Sentence != "" && !o.All {
		shown.Title, shown.Tables = "", []omniscope.Table{c.Summary}
		shown.More = "all tables: --all"
	}
	o.full = all.Tables
	if err := o.show(cmd, shown, []tableFile{{"tables.md", all.Markdown}, {"tables.json", all.JSON}}); err != nil {
		return err
	}
	return c.Checked.Err()
}

// checkFolder refuses a folder for the tables that holds anything but tables of these runs, and runs.
func (o *compareOptions) checkFolder(c *compare.Comparison, dirs []string) error {
	if o.Out == "" || o.Force {
		return nil
	}
	names, err := outfile.Entries(o.Out)
	if err != nil {
		return err
	}
	single := slices.DeleteFunc(names, func(name string) bool { return !o.isSingle(name) })
	return eval.CheckTablesFolder(o.Out, c.Runs, append(single, foldersIn(o.Out, dirs)...))
}

// foldersIn returns the names of the dirs that are in a folder.
func foldersIn(folder string, dirs []string) (names []string) {
	for _, dir := range dirs {
		if outfile.SamePath(filepath.Dir(filepath.Clean(dir)), folder) {
			names = append(names, filepath.Base(dir))
		}
	}
	return names
}

// openOfOne opens runs of one benchmark.
func openOfOne(cmd *cobra.Command, dirs []string) ([]*compare.Run, error) {
	runs, err := compare.Open(cmd.Context(), dirs)
	if err != nil {
		return nil, err
	}
	if _, err := catalog.Benchmark(runs[0].Results.Benchmark.Name); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: runs[0].Dir, Err: err}
	}
	return runs, nil
}

func (o *compareOptions) compareRuns(cmd *cobra.Command, dirs []string, check *compare.Check) (*compare.Comparison, error) {
	profile, err := scoringOf(o.Profile)
	if err != nil {
		return nil, err
	}
	runs, err := openOfOne(cmd, dirs)
	if err != nil {
		return nil, err
	}
	m, err := metricOf(runs[0].Results.Benchmark.Name)
	if err != nil {
		return nil, err
	}
	return compare.Runs(cmd.Context(), runs, m, compare.Options{Scoring: profile, Seed: o.Seed, AnyData: o.AnyData, Check: check})
}

// writeJSON returns a function that writes v as a JSON document.
func writeJSON(v any) func(io.Writer) error {
	return func(w io.Writer) error { return outfile.JSON(w, v) }
}
