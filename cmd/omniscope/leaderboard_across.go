package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/spelling"
	"omniscope/results/leaderboard"
	"omniscope/results/report"
	"omniscope/results/tablefile"
	"omniscope/session/catalog"
)

// runAcross shows runs of several benchmarks in one table.
func (o *leaderboardOptions) runAcross(cmd *cobra.Command, names, dirs []string) error {
	if name := firstGiven(cmd.Flags(), "where", "slice", "by", "group", "published-judge", "published-data", "seed"); name != "" {
		return omniscope.Usagef("--%s is for one benchmark: name one, and not %s", name, strings.Join(names, ","))
	}
	if twice := spelling.Twice(names); twice != "" {
		return omniscope.Usagef("%s is named twice", twice)
	}
	scoring, err := scoringOf(o.profile)
	if err != nil {
		return err
	}
	var infos []bench.Info
	for _, name := range names {
		b, err := catalog.Benchmark(name)
		if err != nil {
			return err
		}
		infos = append(infos, b.Info())
	}
	tables, err := leaderboard.Across(cmd.Context(), infos, dirs, scoring)
	if err != nil {
		return err
	}
	shown := report.Comparison{Schema: report.ComparisonSchema, Title: strings.Join(names, ", "), Tables: tables, Warnings: []string{}}
	return o.checkAndShow(cmd, shown, []tableFile{
		{"leaderboard.md", shown.Markdown}, {"leaderboard.csv", func(w io.Writer) error { return tablefile.Write(w, "csv", tables[0]) }},
		{"leaderboard.tex", shown.LaTeX}, {"leaderboard.json", shown.JSON}, {"leaderboard.html", shown.HTML},
	})
}
