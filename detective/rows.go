package detective

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/judge"
)

// TrajectoryField is the field that the released pipeline adds to a row.
const TrajectoryField = "omni_detective_trajectory"

// A Row is one line of the released pipeline's JSON Lines: what to
// investigate, and, in its output, how that went.
type Row struct {
	ID         string // a number is taken as it is written
	URL        string // a path or an address
	Trajectory Trajectory
	members    []judge.Member // all fields but the trajectory, in their order
}

// ReadRows reads rows in JSON Lines; name is the file's, for messages. A line
// that is no row, and an id that occurs twice, are errors of kind Invalid with
// file and line. Empty lines are passed over.
func ReadRows(r io.Reader, name string) ([]Row, error) {
	var rows []Row
	lines := make(map[string]int)
	lineReader := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lineReader.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			row, bad := readRow(text)
			if bad == nil && lines[row.ID] > 0 {
				bad = fmt.Errorf("id %s is there already, on line %d", row.ID, lines[row.ID])
			}
			if bad != nil {
				return nil, &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s:%d: %w", name, n, bad)}
			}
			lines[row.ID] = n
			rows = append(rows, row)
		}
		if err == io.EOF {
			return rows, nil
		}
	}
}

func readRow(text []byte) (Row, error) {
	members, err := judge.Members(string(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if err != nil {
		return Row{}, err
	}
	var row Row
	for _, m := range members {
		switch m.Key {
		case TrajectoryField:
			if err := json.Unmarshal([]byte(m.Value.Raw), &row.Trajectory); err != nil {
				return row, fmt.Errorf("%s: %w", m.Key, err)
			}
			continue
		case "id":
			if row.ID = m.Value.String(); m.Value.Type == gjson.Number {
				row.ID = m.Value.Raw
			}
		case "url":
			row.URL = m.Value.String()
		}
		row.members = append(row.members, m)
	}
	if row.ID == "" {
		return row, errors.New(`the row has no "id"`)
	}
	return row, nil
}

// NewRow makes a row of an investigation that no file asked for.
func NewRow(id, url string, t Trajectory) (Row, error) {
	text, err := json.Marshal(map[string]string{"id": id, "url": url})
	if err != nil {
		return Row{}, err
	}
	row, err := readRow(text)
	row.Trajectory = t
	return row, err
}

// MarshalJSON writes the row with its own fields as they were, and the
// trajectory behind them if there is one.
func (r Row) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	write := func(prefix string, v any) error {
		b.WriteString(prefix)
		err := enc.Encode(v)
		b.Truncate(b.Len() - 1) // the line end
		return err
	}
	for i, m := range r.members {
		prefix := ", "
		if i == 0 {
			prefix = "{"
		}
		if err := write(prefix, m.Key); err != nil {
			return nil, err
		}
		b.WriteString(": " + m.Value.Raw)
	}
	if len(r.Trajectory) > 0 {
		if err := write(`, "`+TrajectoryField+`": `, r.Trajectory); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// A TrajectoryFile is the released pipeline's output, to which rows are added
// as they are finished. One process at a time may have it open; it is not safe
// for concurrent use.
type TrajectoryFile struct {
	file *os.File
	done []string // ids, sorted
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
	t := &TrajectoryFile{file: f}
	if err := t.read(path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

func (t *TrajectoryFile) read(path string) error {
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
	rows, err := ReadRows(bytes.NewReader(whole), path)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if len(r.Trajectory) == 0 {
			return &omniscope.Error{Kind: omniscope.Invalid,
				Err: fmt.Errorf("%s: row %s has no %s: this is no output of an investigation, give another file", path, r.ID, TrajectoryField)}
		}
		t.done = append(t.done, r.ID)
	}
	slices.Sort(t.done)
	_, err = t.file.Seek(int64(len(whole)), io.SeekStart)
	return err
}

// Done reports whether the row of that id is in the file.
func (t *TrajectoryFile) Done(id string) bool {
	_, found := slices.BinarySearch(t.done, id)
	return found
}

// Append adds a row that has its trajectory, and makes it durable. A row that
// is there already is an error.
func (t *TrajectoryFile) Append(r Row) error {
	at, found := slices.BinarySearch(t.done, r.ID)
	if found || len(r.Trajectory) == 0 {
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
	t.done = slices.Insert(t.done, at, r.ID)
	return nil
}

// Close closes the file.
func (t *TrajectoryFile) Close() error { return t.file.Close() }
