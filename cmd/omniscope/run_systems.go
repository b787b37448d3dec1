package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench/mcif"
	"omniscope/internal/mcifxml"
	"omniscope/report"
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
	if s.out == "" {
		s.out = filepath.Join(o.WorkDir, "runs", "mcif-systems")
	}
	if err := s.prepareReferences(); err != nil {
		return err
	}
	p := startProgress(cmd.ErrOrStderr(), o.NoProgress, len(files), &judging{})
	for i, f := range files {
		if err := s.score(f); err != nil {
			p.stop()
			return err
		}
		p.done(i + 1)
	}
	p.stop()
	if len(s.runs) > 0 {
		if err := s.write(); err != nil {
			return err
		}
	}
	return errors.Join(s.failed...)
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
	pseudo   string // folder of made references; "" = real ones
	warnings []string
	named    map[string]int // how often a name was given
}

// nameOf names a file's results. Two folders may hold systems of one name.
func (s *systems) nameOf(f mcif.OutputFile) string {
	name := strings.Join([]string{f.System, f.Modality, f.Track, f.Lang, f.Prompts}, "_")
	if s.named == nil {
		s.named = make(map[string]int)
	}
	s.named[name]++
	if n := s.named[name]; n > 1 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	return name
}

// prepareReferences makes pseudo-references where they are asked for.
func (s *systems) prepareReferences() error {
	if s.o.Pseudo == "" {
		return nil
	}
	m, err := mcif.ReadSampleMap(s.o.SampleMap)
	if err != nil {
		return err
	}
	files, err := findSystems(s.cmd, []string{s.o.Pseudo})
	if err != nil {
		return err
	}
	pivot := mcif.NewPivot(files, s.o.Lenient)
	s.pseudo = filepath.Join(s.out, "references")
	if err := os.MkdirAll(s.pseudo, 0o755); err != nil {
		return err
	}
	for _, track := range mcif.Tracks {
		for _, lang := range mcif.Languages {
			refs, err := pivot.References(m, track, lang)
			if err != nil {
				return err
			}
			if refs == nil {
				continue
			}
			name := mcif.ReferenceNames(s.o.Version, track, lang)[0]
			if err := writeReferences(s.pseudo, name, refs); err != nil {
				return err
			}
		}
	}
	s.warnings = append(s.warnings, fmt.Sprintf("the references are outputs of %s and not made by people: scores say how alike two systems are", files[0].System))
	s.o.Reference = s.pseudo
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
	references, warnings, err := o.reference(s.cmd.Context(), f.Track, f.Lang)
	if err != nil {
		return err
	}
	b, err := o.benchmark()
	if err != nil {
		return err
	}
	system := s.nameOf(f)
	run, err := o.openRun(s.cmd.Context(), b, f.Paths[0], references, system)
	if err != nil {
		return err
	}
	o.Out = s.out
	run.warnings = slices.Concat(warnings, s.warnings)
	results, err := run.score(s.cmd, &o, false)
	if err != nil {
		return err
	}
	told := run.ev.(mcif.Symptomatic)
	s.runs = append(s.runs, mcif.SystemRun{File: f, Results: results, Outputs: told.Outputs(), Symptoms: told.Symptoms()})
	return nil
}

// write writes and prints the tables of all files.
func (s *systems) write() error {
	c := report.Comparison{Title: "MCIF: " + strings.Join(s.o.Systems, ", "), Tables: mcif.SystemTables(s.runs), Warnings: s.warnings}
	if err := errors.Join(writeFile(s.out, "tables.md", c.Markdown), writeFile(s.out, "tables.json", c.JSON)); err != nil {
		return err
	}
	out := s.cmd.OutOrStdout()
	if s.o.JSON {
		return c.JSON(out)
	}
	width, color := terminal(out)
	if err := c.Text(out, report.TextOptions{Width: width, Color: color}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nwritten to %s: tables.md tables.json, and %s\n", s.out, folders(len(s.runs)))
	return err
}

func folders(n int) string {
	if n == 1 {
		return "a folder for the one file"
	}
	return fmt.Sprintf("a folder for each of %d files", n)
}
