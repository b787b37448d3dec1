package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/bench"
	"omniscope/catalog"
	"omniscope/compare"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/internal/spreadsheet"
	"omniscope/internal/visible"
	"omniscope/leaderboard"
	"omniscope/report"
)

// leaderboardOptions are the flags of leaderboard.
type leaderboardOptions struct {
	where   []string
	slice   string
	by      string
	groups  []string
	profile string
	seed    uint64
	out     string
	json    bool
	force   bool
}

func newLeaderboard() *cobra.Command {
	o := &leaderboardOptions{}
	cmd := &cobra.Command{
		Use:   "leaderboard BENCH [DIR...]",
		Short: "List published systems, and your runs among them",
		Long: `List the systems that a benchmark's paper published, with the values as they are printed, and your runs
among them. DIR is a folder that run or eval wrote its results to.

Published values have no intervals: the papers print none. Ranks of your runs have 95 % intervals, for
which their clips are drawn anew; where the interval spans several ranks, the board says so. Where a paper
contradicts itself, the value has a mark and a note says what stands elsewhere. Nothing is corrected.
A run that a baseline judged is listed without a rank.`,
		Example: `  omniscope leaderboard omni-cloze
  omniscope leaderboard capricorn omniscope-work/runs/capricorn-a-* --slice "duration=(480,601]"
  omniscope leaderboard mcif --where track=long --where prompts=fix --where lang=de --by sum_bertscore --out board`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("%s takes a benchmark: %s", cmd.CommandPath(), strings.Join(catalog.BenchmarkNames(), ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1:]) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.where, "where", nil, "NAME=VALUE: only systems that were asked so, such as track=long; repeatable (default: all that\nyour runs were asked by, else all; of several languages the average)")
	f.StringVar(&o.slice, "slice", "", "NAME=VALUE: scores of a slice, such as modality=audio (default: of the whole)")
	f.StringVar(&o.by, "by", "", "score to rank by, by its name in results (default: the benchmark's first)")
	f.StringSliceVar(&o.groups, "group", nil, "groups of systems, with commas between, such as open,own (default: all)")
	f.StringVar(&o.profile, "profile", "official", "scores of your runs, official or strict; published ones are official")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the intervals of ranks")
	f.StringVarP(&o.out, "out", "o", "", "folder to write leaderboard.md, .csv, .tex, .json and .html to (default: none)")
	addForce(f, &o.force)
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

func (o *leaderboardOptions) query() (q leaderboard.Query, err error) {
	q = leaderboard.Query{Slice: o.slice, By: o.by, Groups: o.groups, Seed: o.seed}
	if err := spelling.CheckChoice("profile", o.profile, profiles); err != nil {
		return q, err
	}
	q.Profile, _ = bench.ParseProfile(o.profile)
	for _, text := range o.where {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return q, usagef("--where wants NAME=VALUE, such as track=long, not %q", text)
		}
		if q.Where == nil {
			q.Where = make(map[string]string)
		}
		q.Where[name] = value
	}
	return q, nil
}

func (o *leaderboardOptions) run(cmd *cobra.Command, benchmark string, dirs []string) error {
	b, err := catalog.Benchmark(benchmark)
	if err != nil {
		return err
	}
	q, err := o.query()
	if err != nil {
		return err
	}
	runs, err := compare.Open(cmd.Context(), dirs)
	if err != nil {
		return err
	}
	if len(runs) > 0 && runs[0].Results.Benchmark.Name != b.Info().Name {
		return usagef("%s is a run of %s, not of %s", runs[0].Dir, runs[0].Results.Benchmark.Name, b.Info().Name)
	}
	info := b.Info()
	boards, err := leaderboard.Boards(cmd.Context(), &info, runs, q)
	if err != nil {
		return err
	}
	return o.show(cmd, info.Title, boards)
}

func (o *leaderboardOptions) show(cmd *cobra.Command, title string, boards []*leaderboard.Board) error {
	c := report.Comparison{Title: title, Rest: "what --out DIR or --json writes"}
	for _, b := range boards {
		c.Tables = append(c.Tables, b.Table())
	}
	asJSON := func(w io.Writer) error {
		to := json.NewEncoder(w)
		to.SetEscapeHTML(false)
		to.SetIndent("", "  ")
		return to.Encode(boards)
	}
	if o.out != "" {
		if err := o.write(c, boards, asJSON); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	if o.json {
		return asJSON(visible.Unwrapped(out))
	}
	width, color := visible.Terminal(out)
	if err := c.Text(out, report.TextOptions{Width: width, Color: color}); err != nil || o.out == "" {
		return err
	}
	_, err := fmt.Fprintf(out, "\nwritten to %s: %s\n", o.out, strings.Join(leaderboardFiles, " "))
	return err
}

var leaderboardFiles = []string{"leaderboard.md", "leaderboard.csv", "leaderboard.tex", "leaderboard.json", "leaderboard.html"}

func (o *leaderboardOptions) write(c report.Comparison, boards []*leaderboard.Board, asJSON func(io.Writer) error) error {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	if !o.force {
		if err := checkOnly(o.out, leaderboardFiles); err != nil {
			return err
		}
	}
	asCSV := func(w io.Writer) error {
		lines := csv.NewWriter(w)
		lines.Write(leaderboard.CSVHeader) // errors stay in the writer
		for _, b := range boards {
			for _, line := range b.CSV() {
				lines.Write(spreadsheet.Cells(line))
			}
		}
		lines.Flush()
		return lines.Error()
	}
	var errs []error
	for i, write := range []func(io.Writer) error{c.Markdown, asCSV, c.LaTeX, asJSON, c.HTML} {
		errs = append(errs, outfile.WriteIn(o.out, leaderboardFiles[i], write))
	}
	return errors.Join(errs...)
}
