package mcif

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/filename"
)

var _ bench.Collector = Benchmark{}

// A collection is the output files of systems.
type collection struct {
	b       Benchmark
	folders []string
	outputs []outputPath
	files   []bench.PredictionFile // by output file
	leftOut []string
	notes   []string // on names of systems

	runs  []systemRun // that were added
	gaps  []string    // shards that these lack
	m     *sampleMap
	pivot *pivotSystem        // the system that wrote the references; nil = people did
	from  string              // the pivot's name
	made  map[string][]string // by track and language: what could not be made of the pivot's outputs
}

// Collect implements bench.Collector. It finds files by the names of the published
// baselines.
func (b Benchmark) Collect(ctx context.Context, in bench.Inputs) (bench.Collection, error) {
	c := &collection{b: b, folders: in.Folders, made: make(map[string][]string)}
	outputs, err := c.find(in.Folders)
	if err != nil {
		return nil, err
	}
	c.outputs, c.notes = tellApart(outputs)
	if b.Pseudo != "" {
		if c.m, err = loadSampleMap(ctx, b.SampleMap); err != nil {
			return nil, err
		}
		pivots, err := c.find([]string{b.Pseudo})
		if err != nil {
			return nil, err
		}
		c.pivot, c.from = newPivot(pivots, b.Lenient), pivots[0].System
	}
	names := make(map[string]int)
	for _, f := range c.outputs {
		c.files = append(c.files, bench.PredictionFile{Name: nameOf(f, names), Paths: f.Paths,
			Options: map[string]string{"track": f.Track, "language": f.Lang, "filter-modality": f.Filter()}})
	}
	return c, nil
}

// find finds the output files under folders.
func (c *collection) find(folders []string) (files []outputPath, err error) {
	for _, dir := range folders {
		found, rest, err := findOutputs(dir)
		if err != nil {
			return nil, err
		}
		for _, path := range rest {
			c.leftOut = append(c.leftOut, path+" (its name is not MODALITY_TRACK_LANG_fixed|random_MODEL_output.xml)")
		}
		if len(found) == 0 {
			return nil, omniscope.NotFoundf("no output files under %s: they are found by names such as audio_long_de_fixed_MODEL_output.xml.gz", dir)
		}
		files = append(files, found...)
	}
	return files, nil
}

// nameOf names a file's results. Names that differ may be the same as folders.
func nameOf(f outputPath, named map[string]int) string {
	name := strings.Join([]string{f.System, f.Modality, f.Track, f.Lang, f.Prompts}, "_")
	folder := filename.Safe(name)
	same := strings.ToLower(folder)
	named[same]++
	if n := named[same]; n > 1 {
		return filename.Numbered(folder, n)
	}
	return name
}

func (c *collection) Title() string {
	title := "MCIF: " + strings.Join(c.folders, ", ")
	if c.b.Scorer == lengthScorers {
		title += ", by stand-in scorers"
	}
	return title
}

func (c *collection) LeftOut() []string { return c.leftOut }

func (c *collection) Files() []bench.PredictionFile { return c.files }

// Prepare implements bench.Collection: it makes references of the pivot's outputs.
func (c *collection) Prepare(ctx context.Context, dir string) error {
	references := filepath.Join(dir, "references")
	if c.pivot != nil {
		if err := c.writeReferences(ctx, references); err != nil {
			return err
		}
	}
	for i, f := range c.outputs {
		file := &c.files[i]
		if gap := c.gap(i); gap != "" {
			file.Warnings = append(file.Warnings, gap)
		}
		if c.pivot != nil {
			file.Data = references
			file.Warnings = append(append(file.Warnings, c.pivotWarning()), c.made[f.Track+" "+f.Lang]...)
		}
	}
	return nil
}

func (c *collection) writeReferences(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, track := range tracks {
		for _, lang := range languages {
			refs, notes, err := c.pivot.References(ctx, c.m, track, lang)
			if err != nil {
				return err
			}
			c.made[track+" "+lang] = notes
			path := filepath.Join(dir, referenceNames(c.b.Version, track, lang)[0])
			if refs == nil {
				if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err // one of an earlier command would be taken for it
				}
				continue
			}
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			if err := errors.Join(mcifxml.WriteReferences(f, refs), f.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *collection) pivotWarning() string {
	return fmt.Sprintf("the references are outputs of %s and not made by people: scores say how alike two systems are", c.from)
}

// gap says which shards of a file seem to be missing; "" = none.
func (c *collection) gap(i int) string {
	gaps := c.outputs[i].MissingShards()
	if len(gaps) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: shards seem to be missing, by the names of the files: %s", c.files[i].Name, strings.Join(gaps, ", "))
}

// Trouble implements bench.Collection.
func (c *collection) Trouble(i int, err error) error {
	f, kind := c.outputs[i], omniscope.KindOf(err)
	var syntax *mcifxml.SyntaxError
	var task *mcifxml.TaskError
	switch made := c.made[f.Track+" "+f.Lang]; {
	case len(made) > 0 && kind == omniscope.NotFound:
		err = errors.New(strings.Join(made, "; "))
	case errors.As(err, &syntax) || errors.As(err, &task):
		kind = omniscope.Invalid
	case kind != omniscope.Invalid && kind != omniscope.NotFound:
		return err
	}
	if !strings.HasPrefix(err.Error(), f.Paths[0]) {
		err = fmt.Errorf("%s: %w", f.Paths[0], err)
	}
	return &omniscope.Error{Kind: kind, Err: err}
}

// Add implements bench.Collection.
func (c *collection) Add(r bench.FileResults) {
	f, e := c.outputs[r.File], r.Evaluation.(*evaluation)
	c.runs = append(c.runs, systemRun{File: f, Results: r.Results, Folder: r.Folder, Reference: c.pivot != nil && c.pivot.Has(f.Paths[0]),
		Outputs: e.Outputs(), Whole: e.Whole(), Symptoms: e.Symptoms(), Unscored: e.Unscored()})
	if gap := c.gap(r.File); gap != "" {
		c.gaps = append(c.gaps, gap)
	}
}

// Summary implements bench.Collection.
func (c *collection) Summary() bench.Summary {
	var warnings []string
	if c.b.Scorer == lengthScorers {
		warnings = append(warnings, standInWarning)
	}
	if c.pivot != nil {
		warnings = append(warnings, c.pivotWarning())
		for _, key := range slices.Sorted(maps.Keys(c.made)) {
			warnings = append(warnings, c.made[key]...)
		}
	}
	return bench.Summary{Tables: systemTables(c.runs), Details: details(c.runs), Warnings: slices.Concat(warnings, reasonsOf(c.runs), marksOf(c.runs), c.notes, c.gaps)}
}
