package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/results/compare"
	"omniscope/results/leaderboard"
	"omniscope/results/report"
	"omniscope/session/catalog"
)

// leaderboardOptions are the flags of leaderboard.
type leaderboardOptions struct {
	tablesOut
	namedRuns
	where   []string
	slice   string
	by      string
	groups  []string
	profile string
	judge   string
	byHand  bool
	seed    uint64
}

func newLeaderboard() *cobra.Command {
	o := &leaderboardOptions{}
	cmd := &cobra.Command{
		Use:   "leaderboard BENCH[,BENCH...] [RUN...]",
		Short: "Rank published systems, and your runs among them",
		Long: `List the systems that a benchmark's paper published, with the values as printed, together with your runs.
Several benchmarks, with commas between, are one table with a column each, such as runs of captions from which
one model answers (arXiv 2510.12720, table 3).

` + aboutRuns + `

A run has a rank only if it is like the published rows: all samples of the published data, of the same
part of the benchmark (Omni-Cloze by its audio blanks, CapRiCorn-1K or -1K-V, fixed or mixed prompts of
MCIF), the same judge and protocol, and few missing answers. All other runs are listed separately, with
the reasons. Published data are recognised by their digest or, without a known digest, by their number of
samples; --published-data states that your runs have the published data.

Published values have no intervals, because the papers print no intervals. Ranks of your runs have 95 %
intervals, by resampling their clips; if the interval spans several ranks, the board shows it. If a paper
contradicts itself, the value has a mark and a note gives the other value. Values are never corrected.`,
		Example: `  omniscope leaderboard omni-cloze
  omniscope leaderboard capricorn careful --slice "duration=(480,601]"
  omniscope leaderboard mmau,mmar omniscope-work/runs/mmau-captions-* omniscope-work/runs/mmar-captions-*
  omniscope leaderboard capricorn --published-judge qwen3-235b
  omniscope leaderboard mcif --where track=long --where prompts=fix --where lang=de --by sum_bertscore --out board`,
		Args: atLeastOne("omniscope leaderboard takes a benchmark: " + strings.Join(catalog.BenchmarkNames(), ", ")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if names := strings.Split(args[0], ","); len(names) > 1 {
				return o.runAcross(cmd, names, args[1:])
			}
			return o.run(cmd, args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.where, "where", nil, "NAME=VALUE: only systems that were asked so, such as track=long; repeatable (default: all that\nyour runs were asked by, else all; of several languages the average)")
	f.StringVar(&o.slice, "slice", "", "NAME=VALUE: scores of a slice, such as modality=audio (default: what the published rows are of)")
	f.StringVar(&o.by, "by", "", "score to rank by, by its name in results (default: the first that a system has)")
	f.StringSliceVar(&o.groups, "group", nil, "groups of systems, with commas between, such as open,own (default: all)")
	f.StringVar(&o.judge, "published-judge", "", "show the published rows of another judge as well, by a part of its name, or all")
	f.BoolVar(&o.byHand, "published-data", false, "state that your runs have the published data, if their file does not prove it")
	addProfile(f, &o.profile, "scores of your runs, official or strict; published ones are official")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the intervals of ranks")
	o.namedRuns.addFlags(f)
	o.tablesOut.addFlags(f, "leaderboard.md", ".csv", ".tex", ".json", ".html")
	return cmd
}

func (o *leaderboardOptions) query() (q leaderboard.Query, err error) {
	q = leaderboard.Query{Slice: o.slice, By: o.by, Groups: o.groups, Judge: o.judge, PublishedData: o.byHand, Seed: o.seed}
	if q.Scoring, err = scoringOf(o.profile); err != nil {
		return q, err
	}
	for _, text := range o.where {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return q, omniscope.Usagef("--where wants NAME=VALUE, such as track=long, not %q", text)
		}
		if q.Where == nil {
			q.Where = make(map[string]string)
		}
		q.Where[name] = value
	}
	return q, nil
}

func (o *leaderboardOptions) run(cmd *cobra.Command, benchmark string, names []string) error {
	b, err := catalog.Benchmark(benchmark)
	if err != nil {
		return err
	}
	q, err := o.query()
	if err != nil {
		return err
	}
	dirs, err := o.folders(cmd, 1, names)
	if err != nil {
		return err
	}
	runs, err := compare.Open(cmd.Context(), dirs)
	if err != nil {
		return err
	}
	if len(runs) > 0 && runs[0].Results.Benchmark.Name != b.Info().Name {
		return omniscope.Usagef("%s is a run of %s, not of %s", runs[0].Dir, runs[0].Results.Benchmark.Name, b.Info().Name)
	}
	info := b.Info()
	boards, err := leaderboard.Boards(cmd.Context(), &info, runs, q)
	if err != nil {
		return err
	}
	shown, c := report.Comparison{Title: info.Title}, report.Comparison{Title: info.Title} // on a screen, and in files
	for _, b := range boards {
		shown.Tables, c.Tables = append(shown.Tables, b.Tables(true)...), append(c.Tables, b.Tables(false)...)
	}
	o.full = c.Tables
	files := []tableFile{
		{"leaderboard.md", c.Markdown},
		{"leaderboard.csv", func(w io.Writer) error { return leaderboard.WriteCSV(w, boards) }},
		{"leaderboard.tex", c.LaTeX},
		{"leaderboard.json", func(w io.Writer) error { return outfile.JSON(w, boards) }},
		{"leaderboard.html", c.HTML},
	}
	return o.checkAndShow(cmd, shown, files)
}
