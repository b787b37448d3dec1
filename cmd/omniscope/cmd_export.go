package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/export"
	"omniscope/internal/spelling"
	"omniscope/report"
	"omniscope/results"
)

// exportForms are the forms of export.
var exportForms = []string{"parquet", "csv", "jsonl"}

func newExport() *cobra.Command {
	var o tablesOut
	var form string
	cmd := &cobra.Command{
		Use:   "export DIR [DIR...]",
		Short: "Write everything about each question as tables for other programs: Parquet, CSV or JSON Lines",
		Long: `Write what runs know of each question, unit and answer as tables, one for each kind of line that the benchmark
writes, such as blanks, keypoints, counts and answers. The lines of all runs stand in one table, with the run, the
benchmark, the system and the judge before them. Lists and objects with names from the data stay JSON; numbers,
truth values and texts keep their kinds, and what is not known is an empty cell. Nothing is asked.

DIR is a folder that run or eval wrote its results to.`,
		Example: `  omniscope export runs/omni-cloze-* --out tables
  omniscope export runs/mine --out tables --as csv`,
		Args: atLeastOneFolder,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := spelling.CheckChoice("as", form, exportForms); err != nil {
				return err
			}
			if o.Out == "" {
				return usagef("--out is missing: the folder to write the tables to")
			}
			runs, err := openRuns(cmd.Context(), dirs)
			if err != nil {
				return err
			}
			tables, err := export.Tables(cmd.Context(), runs)
			if err != nil {
				return err
			}
			var files []tableFile
			for _, t := range tables {
				write := t.Parquet
				switch form {
				case "csv":
					write = t.CSV
				case "jsonl":
					write = t.JSONLines
				}
				files = append(files, tableFile{t.Name + "." + form, func(w io.Writer) error { return write(cmd.Context(), w) }})
			}
			if err := o.check(files); err != nil {
				return err
			}
			return o.show(cmd, report.Comparison{Title: strings.Join(dirs, " "), Tables: export.Summary(tables)}, files)
		},
	}
	cmd.Flags().StringVarP(&o.Out, "out", "o", "", "folder to write the tables to")
	cmd.Flags().StringVar(&form, "as", exportForms[0], "form of the tables: parquet, csv or jsonl")
	addForce(cmd.Flags(), &o.Force)
	return cmd
}

// openRuns opens the results of runs.
func openRuns(ctx context.Context, dirs []string) (runs []*results.Run, err error) {
	for _, dir := range dirs {
		run, err := results.Open(ctx, dir)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// atLeastOneFolder checks the arguments of commands on runs.
func atLeastOneFolder(cmd *cobra.Command, dirs []string) error {
	if len(dirs) == 0 {
		return usagef("%s takes folders of runs; see `%[1]s --help`", cmd.CommandPath())
	}
	return nil
}
