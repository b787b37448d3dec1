package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"omniscope/internal/spelling"
	"omniscope/internal/version"
	"omniscope/results/cite"
	"omniscope/results/compare"
	"omniscope/session/catalog"
)

// citeOptions are the flags of cite.
type citeOptions struct {
	cite.Options
	form          string
	profile       string
	runsAsColumns bool
}

func newCite() *cobra.Command {
	o := &citeOptions{}
	cmd := &cobra.Command{
		Use:   "cite [DIR...]",
		Short: "Print scores as tables for model cards, papers and pages, and BibTeX",
		Long: `Print the scores of runs with intervals, n, judge and signature, ready to be pasted:

  markdown     a table for a model card, with the signatures below
  latex        a table for a paper that uses the package booktabs
  html         a table element for a page
  model-index  YAML for the header of a model card on the Hugging Face hub
  bibtex       the papers of the benchmarks, and omniscope; without DIR of all benchmarks

Runs of several benchmarks get a table for each. A value is bold only where a paired permutation test over
the clips that both have, corrected (Holm) for all values of the table, finds its run better than every other;
equal values never are. Runs that differ in judge, data or protocol are not marked, and a note says so.
Nothing is asked.

DIR is a folder that run or eval wrote its results to.`,
		Example: `  omniscope cite runs/mine
  omniscope cite runs/omni-cloze-* --format latex --score accuracy,hallucination
  omniscope cite runs/mine --format model-index
  omniscope cite runs/mine --format bibtex`,
		RunE: func(cmd *cobra.Command, dirs []string) error { return o.run(cmd, dirs) },
	}
	f := cmd.Flags()
	f.StringVar(&o.form, "format", cite.Forms[0], "markdown, latex, html, model-index or bibtex")
	f.StringSliceVar(&o.Scores, "score", nil, "scores to show, with commas between (default: all)")
	addProfile(f, &o.profile, "scores to show, official or strict; published ones are official")
	f.BoolVar(&o.runsAsColumns, "runs-as-columns", false, "make each run a column, in place of a row")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the tests")
	return cmd
}

func (o *citeOptions) run(cmd *cobra.Command, dirs []string) error {
	if err := spelling.CheckChoice("format", o.form, cite.Forms); err != nil {
		return err
	}
	scoring, err := scoringOf(o.profile)
	if err != nil {
		return err
	}
	o.Scoring = scoring
	out := documentOut(cmd)
	if o.form == "bibtex" && len(dirs) == 0 {
		return cite.BibTeX(out, catalog.BenchmarkNames(), version.Program())
	}
	if err := atLeastOneFolder(cmd, dirs); err != nil {
		return err
	}
	groups, err := groupRuns(cmd.Context(), dirs)
	if err != nil {
		return err
	}
	if o.form == "bibtex" {
		var names []string
		for _, g := range groups {
			names = append(names, g[0].Results.Benchmark.Name)
		}
		return cite.BibTeX(out, names, version.Program())
	}
	boards, err := o.boards(cmd.Context(), groups)
	if err != nil {
		return err
	}
	return o.write(out, boards)
}

// groupRuns opens runs, those of each benchmark together.
func groupRuns(ctx context.Context, dirs []string) (groups [][]*compare.Run, err error) {
	runs, err := openRuns(ctx, dirs)
	if err != nil {
		return nil, err
	}
	var names []string
	of := make(map[string][]string)
	for i, r := range runs {
		name := r.Results.Benchmark.Name
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], dirs[i])
	}
	for _, name := range names {
		runs, err := compare.Open(ctx, of[name])
		if err != nil {
			return nil, err
		}
		groups = append(groups, runs)
	}
	return groups, nil
}

func (o *citeOptions) boards(ctx context.Context, groups [][]*compare.Run) (boards []*cite.Board, err error) {
	for _, runs := range groups {
		b, err := catalog.Benchmark(runs[0].Results.Benchmark.Name)
		if err != nil {
			return nil, err
		}
		board, err := cite.Of(ctx, b.Info(), runs, o.Options)
		if err != nil {
			return nil, err
		}
		boards = append(boards, board)
	}
	return boards, nil
}

func (o *citeOptions) write(out io.Writer, boards []*cite.Board) error {
	if o.form == "model-index" {
		return cite.ModelIndex(out, boards)
	}
	for i, b := range boards {
		if i > 0 {
			if _, err := io.WriteString(out, "\n"); err != nil {
				return err
			}
		}
		write := map[string]func(io.Writer, bool) error{"markdown": b.Markdown, "latex": b.LaTeX, "html": b.HTML}[o.form]
		if err := write(out, o.runsAsColumns); err != nil {
			return err
		}
	}
	return nil
}
