package curate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/outfile"
)

// Export copies the project's results to a folder, which must be empty or missing. All steps must be done. It returns the
// names of what it copied.
func (p *Project) Export(to string) (names []string, err error) {
	for i := range p.Recipe.Steps {
		s := &p.Recipe.Steps[i]
		state, err := p.State(s)
		if err != nil {
			return nil, err
		}
		if state != stepDone {
			return nil, omniscope.Usagef("step %s is not done (%s): go on with `omniscope curate run %s`", s.Name, state, p.Dir)
		}
	}
	there, err := outfile.Entries(to)
	if err != nil || len(there) > 0 {
		return nil, errors.Join(err, omniscope.Usagef("%s holds something already: name another folder with --out", to))
	}
	unfinished := filepath.Join(to, ".unfinished")
	if err := os.RemoveAll(unfinished); err != nil {
		return nil, err
	}
	defer os.RemoveAll(unfinished)
	if err := os.MkdirAll(unfinished, 0o755); err != nil {
		return nil, omniscope.Usagef("--out %s: %w", to, err)
	}
	for _, result := range p.Recipe.Results {
		if err := copyResult(p.fill(&recipeStep{}, result), unfinished); err != nil {
			return nil, err
		}
	}
	if names, err = outfile.Entries(unfinished); err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(unfinished, name), filepath.Join(to, name)); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// copyResult copies a file, or what is in a folder but for what the project itself keeps there.
func copyResult(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return outfile.Copy(from, filepath.Join(to, filepath.Base(from)))
	}
	return os.CopyFS(to, withoutOwn{os.DirFS(from)})
}

// withoutOwn is a folder without the project's record, and without locks and unfinished files.
type withoutOwn struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (w withoutOwn) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(w.FS, name)
	kept := all[:0]
	for _, e := range all {
		if !strings.HasPrefix(e.Name(), ".") && (name != "." || e.Name() != recordFile) {
			kept = append(kept, e)
		}
	}
	return kept, err
}
