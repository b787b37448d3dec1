package suite

import (
	"errors"
	"io"
	"os"

	"omniscope/internal/outfile"
	"omniscope/internal/plot"
	"omniscope/metric"
	"omniscope/results/report"
)

// CurvesFile is the page of curves in the folder of a suite.
const CurvesFile = "curves.html"

// Comparison compares the runs in tables. metrics are those of the benchmarks, by name.
func Comparison(name string, outcomes []Outcome, metrics map[string]*metric.Metric) report.Comparison {
	return report.Comparison{Title: name, Runs: Names(outcomes), Tables: tables(outcomes, metrics), Warnings: []string{}}
}

// Names are the names of runs.
func Names(outcomes []Outcome) (names []string) {
	for _, o := range outcomes {
		names = append(names, o.Name)
	}
	return names
}

// Write writes the tables and curves of a suite to a folder, and returns the names of the files.
func Write(out, name string, outcomes []Outcome, metrics map[string]*metric.Metric) (files string, err error) {
	c := Comparison(name, outcomes, metrics)
	err = errors.Join(os.MkdirAll(out, 0o755), outfile.WriteIn(out, "tables.md", c.Markdown), outfile.WriteIn(out, "tables.json", c.JSON))
	files = "tables.md tables.json"
	if charts := curves(outcomes, metrics); len(charts) > 0 {
		files += " " + CurvesFile
		var notes []string
		for _, t := range c.Tables[1:] { // the first is of the runs
			notes = append(notes, t.Note)
		}
		err = errors.Join(err, outfile.WriteIn(out, CurvesFile, func(to io.Writer) error { return plot.CurvesPage(to, name, charts, notes...) }))
	}
	return files, err
}
