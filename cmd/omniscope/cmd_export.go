package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/filename"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/results"
	"omniscope/results/export"
	"omniscope/results/report"
	"omniscope/results/tablefile"
	"omniscope/session/catalog"
)

// exportForms are the forms of export.
var exportForms = append([]string{"parquet", "csv", "jsonl"}, export.Harnesses...)

func newExport() *cobra.Command {
	var o tablesOut
	var form string
	cmd := &cobra.Command{
		Use:   "export DIR [DIR...]",
		Short: "Write everything about each question as tables for other programs: Parquet, CSV, JSON Lines, or as harnesses do",
		Long: `Write what runs know as tables. 'scores' has every score of every slice, with interval and bounds. Of each kind of
line that the benchmark writes, such as blanks, keypoints, counts and answers, there is a table with the lines of
all runs, with the run, the benchmark, the system and the judge before them. Lists and objects with names from the
data stay JSON; numbers, truth values and texts keep their kinds, and what is not known is an empty cell. The
tables of the results document are written as table-NAME. Nothing is asked.

With --as lm-eval or lmms-eval each run is written as lm-evaluation-harness or lmms-eval would: a document of
results and lines of samples in a folder of the system's name, for dashboards that read these. The profiles are
their filters. What could not be scored has no value there, and no metric of its sample: its outcome says why.

DIR is a folder that run or eval wrote its results to.`,
		Example: `  omniscope export runs/omni-cloze-* --out tables
  omniscope export runs/mine --out tables --as csv
  omniscope export runs/* --out lm-eval-results --as lm-eval`,
		Args: atLeastOneFolder,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := spelling.CheckChoice("as", form, exportForms); err != nil {
				return err
			}
			if o.Out == "" {
				return omniscope.Usagef("--out is missing: the folder to write the tables to")
			}
			runs, err := openRuns(cmd.Context(), dirs)
			if err != nil {
				return err
			}
			if slices.Contains(export.Harnesses, form) {
				return exportHarness(cmd, form, &o, runs)
			}
			return exportTables(cmd, form, &o, runs)
		},
	}
	cmd.Flags().StringVarP(&o.Out, "out", "o", "", "folder to write the tables to")
	cmd.Flags().StringVar(&form, "as", exportForms[0], "form: parquet, csv, jsonl, lm-eval or lmms-eval")
	cmd.Flags().StringVar(&form, "format", exportForms[0], "as --as")
	cmd.Flags().MarkHidden("format") // as other commands that print call it
	addForce(cmd.Flags(), &o.Force)
	return cmd
}

func exportTables(cmd *cobra.Command, form string, o *tablesOut, runs []*results.Run) error {
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
	summary := export.Summary(tables)
	for _, t := range documentTables(runs) {
		files = append(files, tableFile{filename.Safe(t.Name) + "." + form, func(w io.Writer) error { return tablefile.Write(w, form, t) }})
		summary[0].Rows = append(summary[0].Rows, []string{t.Name, strconv.Itoa(len(t.Rows)), strings.Join(t.Columns, " ")})
	}
	return o.checkAndShow(cmd, report.Comparison{Title: fmt.Sprintf("Tables of %d runs", len(runs)), Tables: summary}, files)
}

// documentTables are the scores of all runs, what these cost, and the tables of their documents. Tables of
// one name with the same columns are joined, with the run before each row.
func documentTables(runs []*results.Run) (tables []omniscope.Table) {
	var documents []*document.Results
	for _, r := range runs {
		documents = append(documents, r.Results)
	}
	tables = append(tables, report.Scores(documents...), report.Usage(documents...))
	for _, r := range documents {
		for _, t := range r.Tables {
			one := omniscope.Table{Name: "table-" + t.Name, Columns: append([]string{"run", "system"}, t.Columns...)}
			for _, n := range t.Numbers {
				one.Numbers = append(one.Numbers, n+2)
			}
			i := slices.IndexFunc(tables, func(other omniscope.Table) bool {
				return other.Name == one.Name && slices.Equal(other.Columns, one.Columns)
			})
			if i < 0 {
				for n, base := 2, one.Name; slices.ContainsFunc(tables, func(other omniscope.Table) bool { return other.Name == one.Name }); n++ {
					one.Name = filename.Numbered(base, n)
				}
				i = len(tables)
				tables = append(tables, one)
			}
			for _, row := range t.Rows {
				tables[i].Rows = append(tables[i].Rows, append([]string{r.Run.ID, r.System}, row...))
			}
		}
	}
	return tables
}

// exportHarness writes runs in the form of a harness, in folders of the systems.
func exportHarness(cmd *cobra.Command, form string, o *tablesOut, runs []*results.Run) error {
	var files []export.HarnessFile
	for _, r := range runs {
		b, err := catalog.Benchmark(r.Results.Benchmark.Name)
		if err != nil {
			return err
		}
		of, err := export.Harness(cmd.Context(), form, r, b.Info())
		if err != nil {
			return err
		}
		for _, f := range of {
			if slices.ContainsFunc(files, func(other export.HarnessFile) bool { return other.Name == f.Name }) {
				return omniscope.Usagef("%s would be written twice: two runs of one system that ended at the same time; export them apart", f.Name)
			}
		}
		files = append(files, of...)
	}
	for _, f := range files {
		if path := filepath.Join(o.Out, filepath.FromSlash(f.Name)); !o.Force && ondisk.Exists(path) {
			return omniscope.Usagef("%s is there already: %s", path, outfile.OrForce)
		}
	}
	for _, f := range files {
		path := filepath.Join(o.Out, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := outfile.WriteIn(filepath.Dir(path), filepath.Base(path), f.Write); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), path); err != nil {
			return err
		}
	}
	return nil
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
		return omniscope.Usagef("%s takes folders of runs; see `%[1]s --help`", cmd.CommandPath())
	}
	return nil
}
