package detective

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"omniscope"
)

// A TrajectoryFile is the released pipeline's output, to which rows are added
// as they are finished. One process at a time may have it open; it is not safe
// for concurrent use.
type TrajectoryFile struct {
	path string
	file *os.File
	done map[string][sha256.Size]byte // id to the digest of its row
}

// OpenTrajectories opens the output at path, or makes it, and reads which rows
// are done. A last line that was cut off by a crash is taken off.
func OpenTrajectories(path string) (*TrajectoryFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		kind := omniscope.Internal
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			kind = omniscope.Invalid
		}
		return nil, &omniscope.Error{Kind: kind, Op: "open trajectories", Err: err}
	}
	t := &TrajectoryFile{path: path, file: f, done: make(map[string][sha256.Size]byte)}
	if err := t.read(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

func (t *TrajectoryFile) read() error {
	text, err := io.ReadAll(t.file)
	if err != nil {
		return err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if len(whole) < len(text) {
		if err := t.file.Truncate(int64(len(whole))); err != nil {
			return err
		}
	}
	rows, err := ReadRows(bytes.NewReader(whole), t.path)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if len(r.Trajectory) == 0 {
			return &omniscope.Error{Kind: omniscope.Invalid,
				Err: fmt.Errorf("%s: row %s has no %s: this is no output of an investigation, give another file", t.path, r.ID, TrajectoryField)}
		}
		line, err := r.MarshalJSON()
		if err != nil {
			return err
		}
		t.done[r.ID] = sha256.Sum256(line)
	}
	_, err = t.file.Seek(int64(len(whole)), io.SeekStart)
	return err
}

// Done reports whether the row of that id is in the file.
func (t *TrajectoryFile) Done(id string) bool {
	_, found := t.done[id]
	return found
}

// Append adds a row that has its trajectory, and makes it durable. A row that
// is there already is an error.
func (t *TrajectoryFile) Append(r Row) error {
	if t.Done(r.ID) || len(r.Trajectory) == 0 {
		return fmt.Errorf("row %s: it is done already, or has no trajectory", r.ID)
	}
	line, err := r.MarshalJSON()
	if err != nil {
		return err
	}
	if _, err := t.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write trajectories: %w", err)
	}
	if err := t.file.Sync(); err != nil {
		return fmt.Errorf("write trajectories: %w", err)
	}
	t.done[r.ID] = sha256.Sum256(line)
	return nil
}

// Put adds a row, or puts it in the place of another row of its id, as after an
// investigation of the same clip by another planner. The file is written anew
// only if that other row differs.
func (t *TrajectoryFile) Put(r Row) error {
	if !t.Done(r.ID) {
		return t.Append(r)
	}
	line, err := r.MarshalJSON()
	if err != nil {
		return err
	}
	if t.done[r.ID] == sha256.Sum256(line) {
		return nil
	}
	if err := t.replace(r.ID, line); err != nil {
		return fmt.Errorf("write trajectories: %w", err)
	}
	t.done[r.ID] = sha256.Sum256(line)
	return nil
}

// replace writes the file anew with another line for a row.
func (t *TrajectoryFile) replace(id string, line []byte) error {
	if _, err := t.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	rows, err := ReadRows(t.file, t.path)
	if err != nil {
		return err
	}
	// What a killed process leaves of this file, the next one writes over.
	f, err := os.Create(t.path + ".partial")
	if err != nil {
		return err
	}
	for _, r := range rows {
		text := line
		if r.ID != id {
			if text, err = r.MarshalJSON(); err != nil {
				return errors.Join(err, f.Close())
			}
		}
		if _, err := f.Write(append(text, '\n')); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	if err := errors.Join(f.Sync(), os.Rename(f.Name(), t.path)); err != nil {
		return errors.Join(err, f.Close())
	}
	old := t.file
	t.file = f
	return old.Close()
}

// Close closes the file.
func (t *TrajectoryFile) Close() error { return t.file.Close() }
