package main

import (
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench/mcif"
	"omniscope/internal/filename"
	"omniscope/internal/mcifxml"
	"omniscope/internal/outfile"
	"omniscope/internal/spreadsheet"
	"omniscope/report"
	"omniscope/session"
)

// evalSystems scores every output file of the systems and prints the paper's
// tables. A file that cannot be scored is named at the end and takes no other
// with it.
func evalSystems(cmd *cobra.Command, o *mcifOptions) error {
	files, err := findSystems(cmd, o.Systems)
	if err != nil {
		return err
	}
	s := &systems{cmd: cmd, o: o, out: o.Out}
	files, s.warnings = mcif.TellApart(files)
	if s.out == "" {
		s.out = filepath.Join(o.WorkDir, "runs", "mcif-systems")
	}
	if err := s.claimOut(files); err != nil {
		return err
	}
	if err := s.prepareReferences(); err != nil {
		return err
	}
	p := startProgress(cmd.ErrOrStderr(), o.NoProgress, len(files), nil)
	if o.encoders != nil {
		o.encoders.progress.under = p
	}
	for i, f := range files {
		if err := s.score(f); err != nil {
			p.stop()
			return err
		}
		p.done(i + 1)
		p.noted.Store(nil)
	}
	p.stop()
	if len(s.runs) == 0 {
		s.disclaim()
		return errors.Join(s.failed...)
	}
	if err := s.write(); err != nil {
		return err
	}
	return errors.Join(append(s.failed, s.noScore())...)
}

// noScore is an error where no file has any score.
func (s *systems) noScore() error {
	for _, r := range s.runs {
		if r.Results.Status != omniscope.NoScore {
			return nil
		}
	}
	return noScore(s.runs[0].Results)
}

// findSystems finds the output files under the folders, and says which XML
// files are none.
func findSystems(cmd *cobra.Command, dirs []string) ([]mcif.OutputFile, error) {
	var files []mcif.OutputFile
	for _, dir := range dirs {
		found, rest, err := mcif.FindOutputs(dir)
		if err != nil {
			return nil, err
		}
		for _, path := range rest {
			fmt.Fprintf(cmd.ErrOrStderr(), "left out: %s (its name is not MODALITY_TRACK_LANG_fixed|random_MODEL_output.xml)\n", path)
		}
		if len(found) == 0 {
			return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("no output files under %s: they are found by names such as audio_long_de_fixed_MODEL_output.xml.gz", dir)}
		}
		files = append(files, found...)
	}
	return files, nil
}

// systems is the scoring of many files.
type systems struct {
	cmd      *cobra.Command
	o        *mcifOptions
	out      string
	runs     []mcif.SystemRun
	failed   []error
	pivot    *mcif.Pivot         // whose outputs the references are; nil = real ones
	made     map[string][]string // by track and language: what could not be made of the pivot's outputs
	warnings []string            // of the tables

	pivotWarning string
	named        map[string]int // how often a name was given
	claimed      bool           // tables.json says whose the folder is, and nothing else yet
}

// nameOf names a file's results. Names that differ may be the same as folders.
func (s *systems) nameOf(f mcif.OutputFile) string {
	name := strings.Join([]string{f.System, f.Modality, f.Track, f.Lang, f.Prompts}, "_")
	if s.named == nil {
		s.named = make(map[string]int)
	}
	folder := filename.Safe(name)
	same := strings.ToLower(folder)
	s.named[same]++
	if n := s.named[same]; n > 1 {
		name = filename.Numbered(folder, n)
	}
	return name
}

// id names the command by all that shapes its tables, what the files hold apart:
// that names the runs.
func (s *systems) id() string {
	o := s.o
	text := fmt.Sprintln(session.WholePaths(o.Systems), o.Reference, o.Pseudo, o.SampleMap, o.Version, o.Breakdown, o.Lenient, o.Scored, o.Scorers, o.Profile, o.SampleIDs, o.Limit, o.Seed)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12]
}

// claimOut refuses a folder that the user named and that holds something else
// than results of this command, and writes into it whose it is.
func (s *systems) claimOut(files []mcif.OutputFile) error {
	if !s.o.outNamed {
		return nil
	}
	var folders []string
	for _, f := range files {
		folders = append(folders, filename.Safe(s.nameOf(f)))
	}
	s.named = nil // the names are given again
	if !s.o.Force {
		if err := session.CheckTablesFolder(s.out, []string{s.id()}, folders); err != nil {
			return err
		}
	}
	if exists(filepath.Join(s.out, "tables.json")) {
		return nil
	}
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	s.claimed = true
	c := report.Comparison{Title: s.title(), Runs: []string{s.id()}, Tables: []omniscope.Table{}, Warnings: []string{"the files are still being scored"}}
	return outfile.WriteIn(s.out, "tables.json", c.JSON)
}

// disclaim takes back what claimOut wrote.
func (s *systems) disclaim() {
	if s.claimed {
		os.Remove(filepath.Join(s.out, "tables.json"))
		os.Remove(s.out) // unless something is in it
	}
}

// prepareReferences makes pseudo-references where they are asked for.
func (s *systems) prepareReferences() error {
	if s.o.Pseudo == "" {
		return nil
	}
	m, err := mcif.ReadSampleMap(s.cmd.Context(), s.o.SampleMap)
	if err != nil {
		return err
	}
	files, err := findSystems(s.cmd, []string{s.o.Pseudo})
	if err != nil {
		return err
	}
	s.pivot, s.made = mcif.NewPivot(files, s.o.Lenient), make(map[string][]string)
	folder := filepath.Join(s.out, "references")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, track := range mcif.Tracks {
		for _, lang := range mcif.Languages {
			refs, notes, err := s.pivot.References(s.cmd.Context(), m, track, lang)
			if err != nil {
				return err
			}
			s.made[track+" "+lang] = notes
			name := mcif.ReferenceNames(s.o.Version, track, lang)[0]
			if refs == nil {
				if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err // one of an earlier command would be taken for it
				}
				continue
			}
			if err := writeReferences(folder, name, refs); err != nil {
				return err
			}
		}
	}
	s.pivotWarning = fmt.Sprintf("the references are outputs of %s and not made by people: scores say how alike two systems are", files[0].System)
	s.o.Reference = folder
	return nil
}

func writeReferences(dir, name string, refs *mcifxml.References) error {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	return errors.Join(mcifxml.WriteReferences(f, refs), f.Close())
}

// score scores one file. Trouble with its inputs is kept for the end; other
// trouble stops the run.
func (s *systems) score(f mcif.OutputFile) error {
	err := s.scoreFile(f)
	var e *omniscope.Error
	if errors.As(err, &e) && (e.Kind == omniscope.Invalid || e.Kind == omniscope.NotFound) || isXMLError(err) {
		if !strings.HasPrefix(err.Error(), f.Paths[0]) {
			err = fmt.Errorf("%s: %w", f.Paths[0], err)
		}
		s.failed = append(s.failed, err)
		return nil
	}
	return err
}

func isXMLError(err error) bool {
	var syntax *mcifxml.SyntaxError
	var task *mcifxml.TaskError
	return errors.As(err, &syntax) || errors.As(err, &task)
}

func (s *systems) scoreFile(f mcif.OutputFile) error {
	o := *s.o
	o.Hypothesis, o.Track, o.Language, o.Modality = f.Paths, f.Track, f.Lang, f.Filter()
	b, err := o.benchmark(s.cmd.Context())
	if err != nil {
		return err
	}
	references, warnings, err := o.referenceOf(s.cmd.Context(), b)
	made := s.made[f.Track+" "+f.Lang]
	if err != nil {
		if len(made) > 0 && omniscope.KindOf(err) == omniscope.NotFound {
			err = &omniscope.Error{Kind: omniscope.NotFound, Err: errors.New(strings.Join(made, "; "))}
		}
		return err
	}
	system := s.nameOf(f)
	run, err := o.openRun(s.cmd.Context(), b, f.Paths[0], references, system)
	if err != nil {
		return err
	}
	o.Out = s.out
	if gaps := f.MissingShards(); len(gaps) > 0 {
		gap := fmt.Sprintf("%s: shards seem to be missing, by the names of the files: %s", system, strings.Join(gaps, ", "))
		run.warnings, s.warnings = append(run.warnings, gap), append(s.warnings, gap)
	}
	if s.pivot != nil {
		run.warnings = append(run.warnings, s.pivotWarning)
	}
	run.warnings = slices.Concat(warnings, run.warnings, made)
	results, err := run.score(s.cmd, &o, false)
	if err != nil {
		return err
	}
	s.runs = append(s.runs, mcif.SystemRun{File: f, Results: results, Folder: filename.Safe(system), Reference: s.pivot != nil && s.pivot.Has(f.Paths[0]),
		Outputs: run.ev.Outputs(), Whole: run.ev.Whole(), Symptoms: run.ev.Symptoms(), Unscored: run.ev.Unscored()})
	return nil
}

// write writes and prints the tables of all files.
func (s *systems) write() error {
	warnings, err := s.allWarnings()
	if err != nil {
		return err
	}
	c := report.Comparison{Title: s.title(), Runs: []string{s.id()}, Tables: mcif.SystemTables(s.runs), Warnings: warnings}
	details := func(w io.Writer) error { return writeCSV(w, mcif.Details(s.runs)) }
	if err := errors.Join(outfile.WriteIn(s.out, "tables.md", c.Markdown), outfile.WriteIn(s.out, "tables.json", c.JSON), outfile.WriteIn(s.out, "details.csv", details)); err != nil {
		return err
	}
	out := s.cmd.OutOrStdout()
	if s.o.JSON {
		return c.JSON(unwrapped(out))
	}
	// On a terminal the details are too many and too wide: they are for the files.
	c.Tables = slices.DeleteFunc(slices.Clone(c.Tables), func(t omniscope.Table) bool { return t.Name == mcif.DetailsName })
	width, color := terminal(out)
	if err := c.Text(out, report.TextOptions{Width: width, Color: color}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\nwritten to %s: tables.md tables.json details.csv, and %s\n", s.out, folders(len(s.runs)))
	return err
}

func (s *systems) title() string {
	title := "MCIF: " + strings.Join(s.o.Systems, ", ")
	if s.o.Scorers == "lengths" {
		title += ", by stand-in scorers"
	}
	return title
}

// allWarnings are those of the tables: what all files share first.
func (s *systems) allWarnings() ([]string, error) {
	var out []string
	if s.o.Scorers == "lengths" {
		out = append(out, mcif.StandInWarning)
	}
	if s.o.encoders != nil {
		out = append(append(out, s.o.encoders.Warnings()...), s.o.encoders.CacheWarnings()...)
	}
	if s.pivot != nil {
		out = append(out, s.pivotWarning)
		for _, key := range slices.Sorted(maps.Keys(s.made)) {
			out = append(out, s.made[key]...)
		}
	}
	out = append(out, mcif.Reasons(s.runs)...)
	out = append(out, s.warnings...)
	stale, err := s.strangers()
	if len(stale) > 0 {
		out = append(out, fmt.Sprintf("%s also holds results of other commands, which are no part of these tables: %s", s.out, strings.Join(stale, ", ")))
	}
	return out, err
}

// strangers are the folders of results that this command did not write.
func (s *systems) strangers() ([]string, error) {
	entries, err := os.ReadDir(s.out)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		_, err := os.Stat(filepath.Join(s.out, e.Name(), "results.json"))
		if err == nil && !slices.ContainsFunc(s.runs, func(r mcif.SystemRun) bool { return r.Folder == e.Name() }) {
			out = append(out, e.Name())
		}
	}
	return out, nil
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

func folders(n int) string {
	if n == 1 {
		return "a folder for the one file"
	}
	return fmt.Sprintf("a folder for each of %d files", n)
}
