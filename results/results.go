// Package results reads what runs wrote: the results document of an evaluated run, and
// the details of a run of a model.
package results

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/input"
	"omniscope/internal/ondisk"
	"omniscope/internal/rows"
)

// File is the results document that every run of eval writes.
const File = "results.json"

// A Run is a folder that a run wrote its results to.
type Run struct {
	Dir     string // as given
	Results *document.Results
}

// below is the folder of the results in one that `omniscope run` was given for all it
// writes.
const below = "results"

// Open reads the results document of a folder, or of the folder called results in it.
// A folder without a document, and a document of a schema that is not known, are errors.
func Open(ctx context.Context, dir string) (*Run, error) {
	dir = placeOf(dir)
	path := filepath.Join(dir, File)
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if errors.Is(err, fs.ErrNotExist) && isBegun(dir) {
		return nil, omniscope.NotFoundf("%s has no results yet: its run still goes on, or was stopped before its end and goes on when its command is run again", dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, omniscope.NotFoundf("%s: no such file: name folders that `omniscope eval` wrote its results to", path)
	}
	if err != nil {
		return nil, err
	}
	const mostValues = 1_000_000
	if rows.Values(text) > mostValues {
		return nil, omniscope.Invalidf("%s has more than %d commas and brackets, which no results document has", path, mostValues)
	}
	r := &Run{Dir: dir, Results: new(document.Results)}
	if err := json.Unmarshal(text, r.Results); err != nil {
		return nil, omniscope.Invalidf("%s is not a results document: %w", path, cmp.Or(rows.CheckJSON(text), err))
	}
	if err := r.Results.CheckSchema(); err != nil {
		return nil, omniscope.Invalidf("%s %w", path, err)
	}
	if r.Results.Marks == nil { // an older version wrote it
		bench.Mark(r.Results)
	}
	return r, nil
}

// placeOf returns the folder of the results document for a folder that a user names.
func placeOf(dir string) string {
	if inner := filepath.Join(dir, below); !ondisk.Exists(filepath.Join(dir, File)) && ondisk.Exists(filepath.Join(inner, File)) {
		return inner
	}
	return dir
}

// Overall returns the scores of a scoring over all samples.
func (r *Run) Overall(p bench.Scoring) (document.Slice, bool) {
	for _, scoring := range r.Results.Scorings {
		if scoring.Name != p.String() {
			continue
		}
		for _, s := range scoring.Slices {
			if s.Dimension == "overall" {
				return s, true
			}
		}
	}
	return document.Slice{}, false
}

// Cases opens the units of the run as people look at them. Close the reader in the end. A run of
// a benchmark that writes none has nil.
func (r *Run) Cases(ctx context.Context) (*CaseReader, error) {
	lines, err := rows.Open(ctx, filepath.Join(r.Dir, bench.CasesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return &CaseReader{lines: lines}, err
}

// A CaseReader reads the cases of a run one by one.
type CaseReader struct {
	lines *rows.File
	text  []byte
}

// Len is how many there are.
func (c *CaseReader) Len() int { return c.lines.Len() }

// At reads case i.
func (c *CaseReader) At(i int) (*document.Case, error) {
	var err error
	if c.text, err = c.lines.AppendTo(c.text[:0], i); err != nil {
		return nil, err
	}
	out := new(document.Case)
	err = json.Unmarshal(c.text, out)
	if err == nil && out.Unit == "" {
		err = errors.New(`"unit" is missing`)
	}
	if err != nil {
		return nil, c.lines.Bad(i, c.text, err)
	}
	return out, nil
}

// Close closes the file.
func (c *CaseReader) Close() error { return c.lines.Close() }

// isBegun reports whether a run writes to a folder, or was stopped while it did: lines
// are gathered in hidden files until all are there.
func isBegun(dir string) bool {
	for _, place := range []string{dir, filepath.Join(dir, below)} {
		entries, _ := os.ReadDir(place) // a folder that cannot be read has nothing
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".gathering") }) {
			return true
		}
	}
	return false
}

// ProfilesAgree reports whether official and strict came to the same overall scores.
func ProfilesAgree(r *document.Results) bool {
	official, strict := r.In(bench.Official.String()).Headline.Scores, r.In(bench.Strict.String()).Headline.Scores
	for name, score := range official {
		a, b := score.Value, strict[name].Value
		if (a == nil) != (b == nil) || a != nil && *a != *b {
			return false
		}
	}
	return true
}
