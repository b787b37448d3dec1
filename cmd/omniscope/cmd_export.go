package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/filename"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/quantity"
	"omniscope/internal/spelling"
	"omniscope/internal/version"
	"omniscope/results"
	"omniscope/results/cite"
	"omniscope/results/export"
	"omniscope/results/report"
	"omniscope/results/tablefile"
	"omniscope/session/catalog"
)

// exportForms are the values of --as.
var exportForms = slices.Concat([]string{"parquet", "csv", "jsonl"}, cite.Forms, export.Harnesses)

// exportOptions are the flags of export.
type exportOptions struct {
	namedRuns
	cite.Options
	out           tablesOut
	as            string
	profile       string
	runsAsColumns bool
}

func newExport() *cobra.Command {
	o := &exportOptions{}
	cmd := &cobra.Command{
		Use:   "export RUN...",
		Short: "Export runs for papers, model cards, tables, other harnesses",
		Long: `Export runs to local files. Nothing is asked, and nothing is sent: 'omniscope push' publishes.

` + aboutRuns + `

--as is one of

  parquet, csv, jsonl  tables in the folder --out: 'scores' has every score of every slice, with interval and bounds;
                       each kind of line that the benchmark writes, such as blanks, keypoints, counts and answers, is a
                       table with the lines of all runs, after the run, the benchmark, the system and the judge. Lists
                       and objects with names from the data stay JSON; numbers, truth values and texts keep their kinds,
                       and unknown values are empty cells. Tables of the results document are called table-NAME.
  markdown             a table of scores for a model card, with the signatures below
  latex                a table for a paper that uses the package booktabs
  html                 a table element for a page
  model-index          YAML for the header of a model card on the Hugging Face hub
  bibtex               the papers of the benchmarks, and omniscope; without RUN of all benchmarks
  lm-eval, lmms-eval   each run as lm-evaluation-harness or lmms-eval writes it, in the folder --out: a document of
                       results and lines of samples in a folder of the system's name. The profiles are their filters.
                       What could not be scored has no value, and its sample no metric: its outcome gives the reason.
  inspect              each run as a log of Inspect, one JSON file; the profiles are its scorers

markdown to bibtex are printed, or written to the file --out. Runs of several benchmarks get a table for each. A value
is bold only if a paired permutation test over the clips that both have, corrected (Holm) for all values of the table,
finds its run better than every other; equal values never are. Runs that differ in judge, data or protocol are not
marked, and a note says so.`,
		Example: `  omniscope export careful confident --out tables
  omniscope export careful --as csv --out csv
  omniscope export careful confident --as latex --score accuracy,hallucination
  omniscope export runs/* --as lm-eval --out lm-eval-results`,
		RunE: func(cmd *cobra.Command, names []string) error { return o.run(cmd, names) },
	}
	f := cmd.Flags()
	f.StringVar(&o.as, "as", exportForms[0], "form: "+strings.Join(exportForms, ", "))
	f.StringVarP(&o.out.Out, "out", "o", "", "folder for tables and harnesses, file for the other forms (default: print these)")
	f.StringSliceVar(&o.Scores, "score", nil, "of markdown, latex, html, model-index: scores to show, with commas between (default: all)")
	f.BoolVar(&o.runsAsColumns, "runs-as-columns", false, "of markdown, latex, html: make each run a column, instead of a row")
	addProfile(f, &o.profile, "of markdown, latex, html, model-index: scores to show, official or strict; published ones are official")
	f.Uint64Var(&o.Seed, "seed", 0, "of markdown, latex, html: seed of the tests")
	o.addFlags(f)
	addForce(f, &o.out.Force)
	return cmd
}

func (o *exportOptions) run(cmd *cobra.Command, names []string) error {
	if err := spelling.CheckChoice("as", o.as, exportForms); err != nil {
		return err
	}
	text := slices.Contains(cite.Forms, o.as)
	if !text && o.out.Out == "" {
		return omniscope.Usagef("--out is missing: the folder to write %s to", o.as)
	}
	if o.as == "bibtex" && len(names) == 0 {
		return o.write(cmd, func(w io.Writer) error { return cite.BibTeX(w, catalog.BenchmarkNames(), version.Program()) })
	}
	if err := atLeastOneRun(cmd, names); err != nil {
		return err
	}
	runs, err := o.open(cmd, names)
	switch {
	case err != nil:
		return err
	case text:
		return o.exportText(cmd, runs)
	case slices.Contains(export.Harnesses, o.as):
		return exportHarness(cmd, o.as, &o.out, runs)
	}
	return o.exportTables(cmd, runs)
}

// exportText exports scores as a text.
func (o *exportOptions) exportText(cmd *cobra.Command, runs []*results.Run) (err error) {
	if o.as == "bibtex" {
		return o.write(cmd, func(w io.Writer) error { return cite.BibTeX(w, benchmarksOf(runs), version.Program()) })
	}
	if o.Scoring, err = scoringOf(o.profile); err != nil {
		return err
	}
	boards, err := cite.Boards(cmd.Context(), runs, infoOf, o.Options)
	if err != nil {
		return err
	}
	return o.write(cmd, func(w io.Writer) error { return cite.Write(w, o.as, boards, o.runsAsColumns) })
}

// write prints a text, or writes it to the file --out.
func (o *exportOptions) write(cmd *cobra.Command, text func(io.Writer) error) error {
	if o.out.Out == "" {
		return text(documentOut(cmd))
	}
	if !o.out.Force && ondisk.Exists(o.out.Out) {
		return omniscope.Usagef("%s is there already: %s", o.out.Out, outfile.OrForce)
	}
	if err := outfile.Write(o.out.Out, text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "written to %s\n", o.out.Out)
	return err
}

// benchmarksOf returns the names of the runs' benchmarks, each once.
func benchmarksOf(runs []*results.Run) (names []string) {
	for _, r := range runs {
		if name := r.Results.Benchmark.Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func infoOf(benchmark string) (bench.Info, error) {
	b, err := catalog.Benchmark(benchmark)
	if err != nil {
		return bench.Info{}, err
	}
	return b.Info(), nil
}

func (o *exportOptions) exportTables(cmd *cobra.Command, runs []*results.Run) error {
	tables, err := export.Tables(cmd.Context(), runs)
	if err != nil {
		return err
	}
	var files []tableFile
	for _, t := range tables {
		write := t.Parquet
		switch o.as {
		case "csv":
			write = t.CSV
		case "jsonl":
			write = t.JSONLines
		}
		files = append(files, tableFile{t.Name + "." + o.as, func(w io.Writer) error { return write(cmd.Context(), w) }})
	}
	summary := export.Summary(tables)
	for _, t := range export.DocumentTables(runs) {
		files = append(files, tableFile{filename.Safe(t.Name) + "." + o.as, func(w io.Writer) error { return tablefile.Write(w, o.as, t) }})
		summary[0].Rows = append(summary[0].Rows, []string{t.Name, strconv.Itoa(len(t.Rows)), strings.Join(t.Columns, " ")})
	}
	return o.out.checkAndShow(cmd, report.Comparison{Title: "Tables of " + quantity.Of(len(runs), "run", "runs"), Tables: summary}, files)
}

// exportHarness writes runs in the form of a harness, in folders of the systems.
func exportHarness(cmd *cobra.Command, form string, o *tablesOut, runs []*results.Run) error {
	var files []export.HarnessFile
	for _, r := range runs {
		info, err := infoOf(r.Results.Benchmark.Name)
		if err != nil {
			return err
		}
		of, err := export.Harness(cmd.Context(), form, r, info)
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
