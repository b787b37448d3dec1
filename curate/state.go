package curate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
)

// A stepState is how far a step is.
type stepState string

// The states of a step.
const (
	stepReady   stepState = "ready"   // not begun, or begun and not at its end
	stepWaiting stepState = "waiting" // for people
	stepDone    stepState = "done"
	stepChanged stepState = "changed" // it was done, and its settings, the recipe, or what it rests on changed since
)

// recordFile is what a step's folder has once its command came to its end.
const recordFile = "step.json"

// A record says of what a step was done.
type record struct {
	Schema  string `json:"schema"`
	Step    string `json:"step"`
	Waiting bool   `json:"waiting,omitempty"` // for people
	Digest  string `json:"digest"`            // of the command, its settings, and what it rests on
	Program string `json:"program"`
}

const recordSchema = "omniscope.step/1"

// record reads a step's record; nil = the step is not done.
func (p *Project) record(s *recipeStep) (*record, error) {
	path := filepath.Join(p.Folder(s.Name), recordFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &record{}
	if err := json.Unmarshal(text, r); err != nil || r.Schema != recordSchema || r.Step != s.Name {
		return nil, omniscope.Invalidf("%s is no record of step %s: if the step has to be done again, say so with --redo %s", path, s.Name, s.Name)
	}
	return r, nil
}

// Finish records that a step's command came to its end, or that the step waits for people.
//
// A step that has not written its items is not done: that is an error.
func (p *Project) Finish(s *recipeStep, waiting bool, program string) error {
	if !ondisk.Exists(filepath.Join(p.Folder(s.Name), s.Items)) && s.Items != "" && !waiting {
		return omniscope.Invalidf("step %s came to its end without writing %s", s.Name, filepath.Join(p.Folder(s.Name), s.Items))
	}
	digest, err := p.digest(s)
	if err != nil {
		return err
	}
	r := &record{Schema: recordSchema, Step: s.Name, Waiting: waiting, Digest: digest, Program: program}
	return outfile.WriteIn(p.Folder(s.Name), recordFile, func(w io.Writer) error { return outfile.JSON(w, r) })
}

// State says how far a step is.
func (p *Project) State(s *recipeStep) (stepState, error) {
	r, err := p.record(s)
	if err != nil || r == nil {
		return stepReady, err
	}
	digest, err := p.digest(s)
	switch {
	case err != nil:
		return "", err
	case r.Digest != digest:
		return stepChanged, nil
	case r.Waiting:
		return stepWaiting, nil
	}
	return stepDone, nil
}

// digest is of all that shapes a step: its command and settings, the project's files that these name, the sources if it uses
// them, and what the steps wrote whose folders it uses. It does not depend on where the project's folder is.
func (p *Project) digest(s *recipeStep) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n", s.Command, s.People)
	for _, setting := range p.settings[s.Name] {
		fmt.Fprintf(h, "%s %q\n", setting.Name, setting.Values)
		for _, value := range setting.Values {
			if err := p.addNamedFile(h, value); err != nil {
				return "", err
			}
		}
	}
	for _, name := range s.uses() {
		switch name {
		case "out", "project":
			continue
		case "sources":
			if err := addSources(h, p.Sources); err != nil {
				return "", err
			}
			continue
		}
		fmt.Fprintf(h, "%s\n", name)
		if err := p.addStep(h, name); err != nil {
			return "", err
		}
	}
	for _, path := range p.subfolders(s) {
		if err := addFolder(h, path); err != nil {
			return "", err
		}
	}
	for _, name := range s.Reads {
		if err := addNames(h, filepath.Join(p.Dir, name)); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// addStep adds what an earlier step wrote.
func (p *Project) addStep(h hash.Hash, name string) error {
	dirs := []string{p.Folder(name)}
	if s, err := p.Recipe.Step(name); err == nil {
		for _, below := range s.Writes {
			dirs = append(dirs, filepath.Join(p.Dir, below))
		}
	}
	for _, dir := range dirs {
		if err := addFolder(h, dir); err != nil {
			return err
		}
	}
	return nil
}

// subfolders are the folders below those of earlier steps that a step's command names, such as {captions}/a.
func (p *Project) subfolders(s *recipeStep) (paths []string) {
	for part := range strings.FieldsSeq(s.Command) {
		if !strings.HasPrefix(part, "{") || strings.HasPrefix(part, "{out}") || strings.HasPrefix(part, "{project}") || strings.HasPrefix(part, "{sources}") {
			continue
		}
		path := p.fill(s, part)
		if ondisk.IsFolder(path) && strings.Contains(part, "}/") {
			paths = append(paths, path)
		}
	}
	return paths
}

// addNamedFile adds the file of the project that a setting names, such as {project}/rules.yaml; nothing where it names none.
func (p *Project) addNamedFile(h hash.Hash, value string) error {
	_, name, ok := strings.Cut(value, "{project}")
	if !ok {
		return nil
	}
	path := filepath.Join(p.Dir, name)
	if !ondisk.IsFile(path) {
		return nil // the step's command says what is wrong
	}
	return addFile(h, path)
}

// addSources adds a list of sources; of a folder the names and sizes of its files.
func addSources(h hash.Hash, path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return omniscope.Usagef("the sources %s are not there: write the list, or name another in %s", path, File)
	case err != nil:
		return err
	case !info.IsDir():
		return addFile(h, path)
	}
	return addNames(h, path)
}

// addNames adds the names and sizes of the files in a folder, if it is there.
func addNames(h hash.Hash, path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		below, err := filepath.Rel(path, file)
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil {
			fmt.Fprintf(h, "%s %d\n", filepath.ToSlash(below), info.Size())
		}
		return err
	})
}

// addFolder adds what a step wrote: its record, and the files beside it that are texts of ours.
func addFolder(h hash.Hash, dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".json", ".jsonl", ".tsv", ".yaml", ".xml":
			if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
				continue
			}
			fmt.Fprintf(h, "%s\n", e.Name())
			if err := addFile(h, filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return err
}

func addFile(h hash.Hash, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

// Redo puts aside what a step wrote, so that it is done again. Nothing is removed. It returns where the results lie now.
func (p *Project) Redo(s *recipeStep, now time.Time) (string, error) {
	from := p.Folder(s.Name)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return "", omniscope.Usagef("step %s has not begun: there is nothing to do again", s.Name)
	}
	to := filepath.Join(p.Dir, "put-aside", s.Name+"-"+now.UTC().Format("20060102T150405.000"))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(from, to); err != nil {
		return "", err
	}
	for _, name := range s.Writes {
		err := os.Rename(filepath.Join(p.Dir, name), filepath.Join(to, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return to, nil
}

// Counts are the items that go on from a step, and those that do not. ok is false where the step says nothing of items, or
// has not written them.
func (p *Project) Counts(s *recipeStep) (items, rejected int, ok bool, err error) {
	if s.Items == "" {
		return 0, 0, false, nil
	}
	if items, ok, err = countLines(filepath.Join(p.Folder(s.Name), s.Items)); err != nil || !ok {
		return 0, 0, ok, err
	}
	if s.Rejected != "" {
		rejected, _, err = countLines(filepath.Join(p.Folder(s.Name), s.Rejected))
	}
	return items, rejected, true, err
}

// countLines counts the lines of a file that are not empty.
func countLines(path string) (n int, there bool, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			n++
		}
	}
	return n, true, err
}
