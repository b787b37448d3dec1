package rows

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/model/judge"
)

// A Folder is where the results of a Run are written. It has a file runFile that names the run, so that results of other runs
// are not overwritten.
type Folder struct {
	Dir   string
	Files []string // of results
	Force bool     // replace the results of another run
}

// runFile is the file of a Folder that names its run.
const runFile = "run.json"

// named is the content of runFile.
type named struct {
	Schema string `json:"schema"`
	Run    string `json:"run"`
	Model  string `json:"model"`
	Source string `json:"source,omitempty"` // the model and its address; "" = not known
}

const namedSchema = "omniscope.model-run/1"

// Do does a run: it locks the folder, calls work with the model, and then write, which writes Files.
func (f *Folder) Do(ctx context.Context, r *Run, work func(*judge.Judge) error, write func() error) (used document.UsageInfo, err error) {
	name, err := r.Name()
	if err != nil {
		return used, err
	}
	unlock, err := lock(f.Dir, func() error { return errors.Join(f.refuseInput(r.Files), f.refuseOthers(name)) })
	if err != nil {
		return used, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	var source string
	used, err = r.Do(ctx, func(asker *judge.Judge) (err error) {
		if source, err = r.Sign(f.Dir, f.there().Source, f.Force); err != nil {
			return err
		}
		return work(asker)
	})
	if err != nil {
		return used, err
	}
	if err := f.replace(&named{Schema: namedSchema, Run: name, Model: r.Role.Model, Source: source}); err != nil {
		return used, err
	}
	return used, write()
}

// lock makes a folder of results and locks it, unless check refuses its content.
func lock(dir string, check func() error) (unlock func() error, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, omniscope.Usagef("--out %s: a file is in the way, or the folder cannot be made: %v", dir, err)
	}
	if unlock, err = outfile.LockFolder(dir); err != nil {
		return nil, err
	}
	if err := check(); err != nil {
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

// refuseInput refuses a folder of results in which the run's own input would be overwritten.
func (f *Folder) refuseInput(input string) error {
	info, err := os.Stat(input)
	if err != nil {
		return nil // its reader reports it
	}
	for _, file := range f.Files {
		if there, err := os.Stat(filepath.Join(f.Dir, file)); err == nil && os.SameFile(info, there) {
			return omniscope.Usagef("--out %s would write over %s, which is read: name another folder", f.Dir, input)
		}
	}
	return nil
}

// refuseOthers refuses a folder with results of another run.
func (f *Folder) refuseOthers(name string) error {
	if f.Force || f.there().Run == name {
		return nil
	}
	for _, file := range append([]string{runFile}, f.Files...) {
		if ondisk.IsTaken(filepath.Join(f.Dir, file)) {
			return omniscope.Usagef("%s holds results of another run, with other files or flags (%s): %s", f.Dir, file, outfile.OrForce)
		}
	}
	return nil
}

// there returns the run of the results in the folder; the zero value = it is not known.
func (f *Folder) there() (there named) {
	text, err := os.ReadFile(filepath.Join(f.Dir, runFile))
	if err != nil || json.Unmarshal(text, &there) != nil {
		return named{}
	}
	return there
}

// replace names the run. Results of another run are removed first: they must not be taken for this one's.
func (f *Folder) replace(is *named) error {
	for _, file := range f.Files {
		if err := os.Remove(filepath.Join(f.Dir, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return outfile.WriteIn(f.Dir, runFile, func(w io.Writer) error { return outfile.JSON(w, is) })
}
