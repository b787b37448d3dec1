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
// as they are finished. It is not safe for concurrent use. Several processes may
// have the same file open if each holds a lock, which is theirs to agree on,
// while it calls OpenTrajectories or Put.
type TrajectoryFile struct {
	path string
	file *os.File
	size int64                        // as this process left it
	done map[string][sha256.Size]byte // id to the digest of its row
}

// OpenTrajectories opens the output at path, or makes it, and reads which rows
// are done. A last line that was cut off by a crash is taken off.
func OpenTrajectories(path string) (*TrajectoryFile, error) {
	t := &TrajectoryFile{path: path}
	if err := t.open(); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *TrajectoryFile) open() error {
	f, err := os.OpenFile(t.path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		kind := omniscope.Internal
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			kind = omniscope.Invalid
		}
		return &omniscope.Error{Kind: kind, Op: "open trajectories", Err: err}
	}
	t.file, t.done = f, make(map[string][sha256.Size]byte)
	if err := t.read(); err != nil {
		return errors.Join(err, f.Close())
	}
	return nil
}

// refresh reads the file again if another process has written to it.
func (t *TrajectoryFile) refresh() error {
	there, err := os.Stat(t.path)
	if err != nil {
		return err
	}
	ours, err := t.file.Stat()
	if err != nil || os.SameFile(there, ours) && there.Size() == t.size {
		return err
	}
	return errors.Join(t.file.Close(), t.open())
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
			return omniscope.Invalidf("%s: row %s has no %s: this is no output of an investigation, give another file", t.path, r.ID, TrajectoryField)
		}
		line, err := r.MarshalJSON()
		if err != nil {
			return err
		}
		t.done[r.ID] = sha256.Sum256(line)
	}
	t.size, err = t.file.Seek(int64(len(whole)), io.SeekStart)
	return err
}

// Put adds a row that has its trajectory, or puts it in the place of another row of its id, as after an
// investigation of the same clip by another planner, and makes it durable. The file is rewritten
// only if that other row differs.
func (t *TrajectoryFile) Put(r Row) error {
	line, err := r.MarshalJSON()
	if err == nil && len(r.Trajectory) == 0 {
		err = fmt.Errorf("row %s has no trajectory", r.ID)
	}
	if err != nil {
		return err
	}
	if err := t.refresh(); err != nil {
		return fmt.Errorf("write trajectories: %w", err)
	}
	digest := sha256.Sum256(line)
	switch there, done := t.done[r.ID]; {
	case done && there == digest:
		return nil
	case done:
		err = t.replace(r.ID, line)
	default:
		if _, err = t.file.Write(append(line, '\n')); err == nil {
			err = t.file.Sync()
		}
		if err == nil {
			t.size += int64(len(line)) + 1
		}
	}
	if err != nil {
		return fmt.Errorf("write trajectories: %w", err)
	}
	t.done[r.ID] = digest
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
	t.size, err = f.Seek(0, io.SeekEnd)
	return errors.Join(err, old.Close())
}

// Close closes the file.
func (t *TrajectoryFile) Close() error { return t.file.Close() }
