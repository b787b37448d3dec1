package detective

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/model/judge"
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
	var list []Row
	lines := make(map[string]int)
	err := rows.NewReader(r, 64<<10, name, input.Limits{}).Each(func(n int, line []byte) error {
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			return nil
		}
		row, err := ReadRow(text)
		if err == nil && lines[row.ID] > 0 {
			err = fmt.Errorf("id %s is there already, on line %d", row.ID, lines[row.ID])
		}
		if err != nil {
			return rows.BadLine(name, n, err)
		}
		lines[row.ID] = n
		list = append(list, row)
		return nil
	})
	if err != nil && omniscope.KindOf(err) != omniscope.Invalid {
		err = fmt.Errorf("read %s: %w", name, err)
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// ReadRow reads a row, a JSON object.
func ReadRow(text []byte) (Row, error) {
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

// NewRow makes a row of fields, which become a JSON object with an id, and a trajectory.
func NewRow(fields any, t Trajectory) (Row, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(fields); err != nil {
		return Row{}, err
	}
	row, err := ReadRow(bytes.TrimSpace(text.Bytes()))
	row.Trajectory = t
	return row, err
}

// Without is the row without one of its own fields.
func (r Row) Without(field string) Row {
	r.members = slices.DeleteFunc(slices.Clone(r.members), func(m judge.Member) bool { return m.Key == field })
	return r
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
