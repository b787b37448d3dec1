package eval

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/filename"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/spreadsheet"
	"omniscope/results/report"
	"omniscope/session"
)

// A Collection is many files of predictions that a benchmark finds in folders. Each
// is a run; what is wrong with one keeps no other from being scored.
type Collection struct {
	bench.Collection
	Tables *report.Comparison // nil = no file could be scored
	Shown  []omniscope.Table  // those of them that fit a terminal
	Dir    string             // of the tables
	Failed []error            // files that could not be scored

	spec    *Spec
	folders []string
	options *Options

	named   bool // the user named Dir
	force   bool
	claimed bool     // the tables in Dir say whose it is, and nothing else yet
	done    []string // folders of runs
	verdict error    // of the first run that has no score; nil once one has
}

// OpenCollection finds the files under folders. The Spec says how each is scored.
func OpenCollection(ctx context.Context, s *Spec, folders []string, o *Options) (*Collection, error) {
	b, err := s.benchmark()
	if err != nil {
		return nil, err
	}
	collector, ok := b.(bench.Collector)
	if !ok {
		return nil, omniscope.Usagef("%s finds no files of predictions by itself: name them with --predictions", s.Benchmark)
	}
	in, err := s.inputs()
	if err != nil {
		return nil, err
	}
	in.Folders = folders
	found, err := collector.Collect(ctx, in)
	if err != nil {
		return nil, err
	}
	return &Collection{Collection: found, spec: s, folders: folders, options: o}, nil
}

// Score scores all files and writes tables of them, and the results of each to a folder with the tables. done hears how
// many files are done.
func (c *Collection) Score(ctx context.Context, done func(int)) error {
	c.Dir, c.named, c.force = c.options.Out, c.options.Out != "", c.options.Force
	if !c.named {
		c.Dir = filepath.Join(c.options.Calls.WorkDir, "runs", c.spec.Benchmark+"-systems")
	}
	if err := c.claim(); err != nil {
		return err
	}
	if err := c.Prepare(ctx, c.Dir); err != nil {
		return err
	}
	for i := range c.Files() {
		if err := c.scoreFile(ctx, i); err != nil {
			if err = c.Trouble(i, err); !ofOneFile(err) {
				return err
			}
			c.Failed = append(c.Failed, err)
		}
		done(i + 1)
	}
	if len(c.done) == 0 {
		c.disclaim()
		return nil
	}
	return c.write()
}

// ofOneFile reports whether an error concerns one file and no other.
func ofOneFile(err error) bool {
	kind := omniscope.KindOf(err)
	return kind == omniscope.Invalid || kind == omniscope.NotFound
}

// Verdict is an error where a file could not be scored, or none has a score.
func (c *Collection) Verdict() error {
	return errors.Join(append(slices.Clone(c.Failed), c.verdict)...)
}

// Scored counts the files that have results.
func (c *Collection) Scored() int { return len(c.done) }

// specOf is the Spec of a file's run.
func (c *Collection) specOf(f bench.PredictionFile) *Spec {
	s := *c.spec
	s.Predictions, s.Parts, s.System, s.Options = f.Paths[0], f.Paths[1:], f.Name, maps.Clone(c.spec.Options)
	if s.Options == nil {
		s.Options = make(map[string]string)
	}
	maps.Copy(s.Options, f.Options)
	if f.Data != "" {
		s.Data = f.Data
	}
	return &s
}

func (c *Collection) scoreFile(ctx context.Context, i int) error {
	f := c.Files()[i]
	o := *c.options
	o.Notes = append(slices.Clone(o.Notes), f.Warnings...)
	e, err := Open(ctx, c.specOf(f), &o)
	if err != nil {
		return err
	}
	name := filename.Safe(e.Read.System)
	o.Out, o.Force = filepath.Join(c.Dir, name), c.force || !c.named
	if err := session.Finish(ctx, e, &o.Machine); err != nil {
		return err
	}
	results := e.Results
	c.Add(bench.FileResults{File: i, Results: results, Evaluation: e.opened, Folder: name})
	if verdict := Verdict(e.Info, results, 1); len(c.done) == 0 || verdict == nil {
		c.verdict = verdict
	}
	c.done = append(c.done, name)
	return nil
}

// id names the command by all that shapes its tables, what the files hold apart:
// that names the runs.
func (c *Collection) id() string {
	b, err := c.spec.benchmark()
	if err != nil {
		return "" // it was opened before
	}
	s, files := c.spec, c.Files()
	shaping := []any{session.WholePaths(c.folders), s.Data}
	for _, o := range bench.OptionsOf(b) {
		if _, ofFile := files[0].Options[o.Name]; ofFile || o.Display {
			continue
		}
		if list, ok := o.Value.(bench.List); ok {
			shaping = append(shaping, list.Values())
		} else {
			shaping = append(shaping, o.Value)
		}
	}
	return digestOf(append(shaping, s.Profile, s.SampleIDs, s.Limit, s.Seed)...)
}

// claim refuses a folder that the user named and that holds something else than
// results of this command, and writes into it whose it is.
func (c *Collection) claim() error {
	if !c.named {
		return nil
	}
	var folders []string
	for _, f := range c.Files() {
		folders = append(folders, filename.Safe(f.Name))
	}
	if !c.force {
		if err := CheckTablesFolder(c.Dir, []string{c.id()}, folders); err != nil {
			return err
		}
	}
	if ondisk.Exists(filepath.Join(c.Dir, "tables.json")) {
		return nil
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return err
	}
	c.claimed = true
	t := report.Comparison{Title: c.Title(), Runs: []string{c.id()}, Tables: []omniscope.Table{}, Warnings: []string{"the files are still being scored"}}
	return outfile.WriteIn(c.Dir, "tables.json", t.JSON)
}

// disclaim takes back what claim wrote.
func (c *Collection) disclaim() {
	if c.claimed {
		os.Remove(filepath.Join(c.Dir, "tables.json"))
		os.Remove(c.Dir) // unless something is in it
	}
}

// write writes the tables of all files.
func (c *Collection) write() error {
	summary := c.Summary()
	others, err := c.otherResults()
	if err != nil {
		return err
	}
	warnings := slices.Concat(c.options.Shared.Networks.Warnings(), summary.Warnings)
	if len(others) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s also holds results of other commands, which are no part of these tables: %s", c.Dir, strings.Join(others, ", ")))
	}
	c.Tables = &report.Comparison{Title: c.Title(), Runs: []string{c.id()}, Tables: summary.Tables, Warnings: warnings}
	for _, t := range summary.Tables {
		if t.Name != summary.Details.Name {
			c.Shown = append(c.Shown, t)
		}
	}
	details := func(w io.Writer) error { return writeCSV(w, summary.Details) }
	return errors.Join(outfile.WriteIn(c.Dir, "tables.md", c.Tables.Markdown), outfile.WriteIn(c.Dir, "tables.json", c.Tables.JSON), outfile.WriteIn(c.Dir, "details.csv", details))
}

// otherResults are the folders of results that this command did not write.
func (c *Collection) otherResults() (names []string, err error) {
	entries, err := os.ReadDir(c.Dir)
	for _, e := range entries {
		if ondisk.Exists(filepath.Join(c.Dir, e.Name(), documentFile)) && !slices.Contains(c.done, e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func writeCSV(w io.Writer, t omniscope.Table) error {
	out := csv.NewWriter(w)
	for _, row := range append([][]string{t.Columns}, t.Rows...) {
		if err := out.Write(spreadsheet.Cells(row)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
