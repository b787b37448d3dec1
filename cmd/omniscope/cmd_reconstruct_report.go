package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/people/rating"
	"omniscope/results/correlate"
	"omniscope/results/report"
	"omniscope/session/reconstruct"
)

// reconstructReport are the flags of reconstruct report.
type reconstructReport struct {
	tablesOut
	place   peoplePlace
	ratings string
	scores  []string
	x       []string
	profile string
	seed    uint64
}

func newReconstructReport() *cobra.Command {
	o := &reconstructReport{}
	cmd := &cobra.Command{
		Use:   "report DIR --ratings PROJECT|FILE --scores FILE|RUN",
		Short: "Set people's ratings of reconstructions beside scores of the captions",
		Long: `Set people's ratings of reconstructions beside scores of the captions that they were made of, as CapRiCorn-1K's Figure 4 does: mean
ratings with intervals, how far people agree, and Pearson's r over systems, with one interval by resampling the clips that were rated,
and Fisher's. DIR is what 'omniscope reconstruct' wrote; its key says which system is behind a code.

Ratings are a project of 'omniscope people new rating', or a file that it exports: ratings.csv or correlate.csv. Scores are tables with
the column system, and a column for each score, or folders of runs; the mean of Acc and Cov is the column Acc/Cov. Without --x that mean and
Ref are set against the ratings, or all columns if there are none of these.`,
		Example: `  omniscope reconstruct report reconstructed --ratings ratings --scores scores.csv
  omniscope reconstruct report reconstructed --ratings ratings.csv --scores runs/ours --scores runs/theirs --out figure-4`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.ratings, "ratings", "", "project of ratings, or its ratings.csv or correlate.csv")
	f.StringArrayVar(&o.scores, "scores", nil, "CSV file of scores by system, or a run's folder; repeatable")
	f.StringArrayVar(&o.x, "x", nil, "scores to set against the ratings, by their columns' names; repeatable")
	addProfile(f, &o.profile, "scores of the runs, official or strict")
	f.Uint64Var(&o.seed, "seed", 0, "seed of intervals")
	o.addFlags(f, "report.md", "report.json", "systems.csv", "relations.csv", "scatter.html")
	o.place.addFlags(cmd)
	return cmd
}

func (o *reconstructReport) run(cmd *cobra.Command, dir string) error {
	if o.ratings == "" || len(o.scores) == 0 {
		return omniscope.Usagef("name the ratings with --ratings, and the scores with --scores")
	}
	systems, err := reconstruct.ReadKey(dir)
	if err != nil {
		return err
	}
	ratings, err := o.read(cmd.Context())
	if err != nil {
		return err
	}
	if len(ratings) == 0 {
		return omniscope.Invalidf("%s: nobody has rated anything yet", o.ratings)
	}
	if err := reconstruct.Reveal(ratings, systems); err != nil {
		return err
	}
	scores, err := o.values(cmd.Context())
	if err != nil {
		return err
	}
	columns, err := reconstruct.AddAccCov(scores)
	if err != nil {
		return err
	}
	if len(o.x) > 0 {
		columns = o.x
	}
	if len(columns) == 0 {
		for _, c := range scores.Columns {
			columns = append(columns, c.Name)
		}
	}
	relations, err := reconstruct.Relate(ratings, scores, columns, o.seed)
	if err != nil {
		return err
	}
	return o.write(cmd, ratings, relations)
}

// read reads the ratings.
func (o *reconstructReport) read(ctx context.Context) (ratings []rating.Rating, err error) {
	if info, err := os.Stat(o.ratings); err == nil && !info.IsDir() {
		return rating.ReadRatings(ctx, o.ratings)
	}
	w, err := o.place.look(ctx, o.ratings)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if kind := w.Project().Kind; kind != rating.Name {
		return nil, omniscope.Usagef("%s is a project of %s, not of %s", o.ratings, kind, rating.Name)
	}
	return rating.Ratings(ctx, w)
}

// values reads the scores.
func (o *reconstructReport) values(ctx context.Context) (*correlate.Values, error) {
	profile, err := scoringOf(o.profile)
	if err != nil {
		return nil, err
	}
	v := &correlate.Values{}
	for _, path := range o.scores {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			if err := v.AddTable(ctx, path); err != nil {
				return nil, err
			}
			continue
		}
		runs, err := openRuns(ctx, []string{path})
		if err != nil {
			return nil, err
		}
		if err := v.AddRuns(ctx, runs, metricOf, profile, ""); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (o *reconstructReport) write(cmd *cobra.Command, ratings []rating.Rating, relations []reconstruct.Relation) error {
	tables := rating.TablesOf(ratings, o.seed)
	related := reconstruct.RelationTable(relations)
	c := report.Comparison{Schema: "omniscope/reconstruct-report/1", Title: "Reconstructions: ratings and scores", Warnings: []string{}, Tables: append([]omniscope.Table{related}, tables...)}
	var pairs []*correlate.Pair
	for _, r := range relations {
		pairs = append(pairs, r.Pair)
	}
	files := []tableFile{{"report.md", c.Markdown}, {"report.json", func(w io.Writer) error { return outfile.JSON(w, c) }},
		{"systems.csv", func(w io.Writer) error { return reconstruct.WriteTable(w, tables[0]) }},
		{"relations.csv", func(w io.Writer) error { return reconstruct.WriteTable(w, related) }},
		{"scatter.html", func(w io.Writer) error { return correlate.Page(w, c.Title, pairs) }}}
	return o.checkAndShow(cmd, c, files)
}
