package rating

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/spreadsheet"
)

// ReadRatings reads ratings from CSV: as WriteRatings writes them, or as WriteCorrelate does, where no
// controls are. An item is a clip's reconstruction by a system; how long people worked is not known.
func ReadRatings(ctx context.Context, path string) (ratings []Rating, err error) {
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	in := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff")))
	header, err := in.Read()
	if err != nil {
		return nil, omniscope.Invalidf("%s: no header line: %w", path, err)
	}
	t := &readTable{columns: make(map[string]int), given: make(map[string]bool)}
	if err := t.head(header); err != nil {
		return nil, omniscope.Invalidf("%s:1: %w", path, err)
	}
	for n := int64(1); ; n++ {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, omniscope.Invalidf("%s: %w", path, err)
		}
		r, err := t.rating(cells, n)
		if err != nil {
			line, _ := in.FieldPos(0)
			return nil, omniscope.Invalidf("%s:%d: %w", path, line, err)
		}
		ratings = append(ratings, r)
	}
	if len(ratings) == 0 {
		return nil, omniscope.Invalidf("%s has no ratings", path)
	}
	return ratings, nil
}

// A readTable is a file of ratings on its way.
type readTable struct {
	columns map[string]int
	names   map[string]string // what a column of WriteRatings is called here
	given   map[string]bool
}

// forms are the names of the columns of both files.
var forms = []map[string]string{
	{"system": "system", "clip": "clip", "person": "person", "scale": "scale", "value": "value"},
	{"system": "system", "clip": "item", "person": "rater", "scale": "question", "value": "rating"},
}

func (t *readTable) head(header []string) error {
	for i, name := range header {
		t.columns[name] = i
	}
	for _, form := range forms {
		lacks := func(name string) bool { _, there := t.columns[name]; return !there && name != "question" }
		if !slices.ContainsFunc(slices.Collect(maps.Values(form)), lacks) {
			t.names = form
			return nil
		}
	}
	return fmt.Errorf("the header wants system, clip, person, scale, value, or system, item, rater, rating and question, not %q", header)
}

func (t *readTable) cell(cells []string, name string) string {
	if i, ok := t.columns[name]; ok {
		return spreadsheet.Text(cells[i])
	}
	return ""
}

func (t *readTable) rating(cells []string, n int64) (r Rating, err error) {
	of := func(name string) string { return t.cell(cells, t.names[name]) }
	r = Rating{Seq: n, Clip: of("clip"), System: of("system"), Person: of("person"), Scale: of("scale"), Control: control(t.cell(cells, "control"))}
	if r.Scale == "" {
		r.Scale = "rating"
	}
	if r.Value, err = strconv.Atoi(of("value")); err != nil || r.Value < 1 || r.Value > steps {
		return r, fmt.Errorf("the rating is %q: it is 1 to %d", of("value"), steps)
	}
	switch {
	case r.Clip == "" || r.Person == "" || r.System == "" && r.Control != HiddenOriginal:
		return r, errors.New("system, clip or person is empty")
	case r.Control != None && r.Control != HiddenOriginal && r.Control != Repeat:
		return r, fmt.Errorf("the control is %q: it is %s, %s or empty", r.Control, HiddenOriginal, Repeat)
	}
	if err := t.event(cells, &r); err != nil {
		return r, err
	}
	return r, t.note(&r)
}

// event reads when a rating was given, and its place in the log, where the file has them.
func (t *readTable) event(cells []string, r *Rating) (err error) {
	if at := t.cell(cells, "at"); at != "" {
		if r.At, err = time.Parse(time.RFC3339Nano, at); err != nil {
			return fmt.Errorf("the time: %w", err)
		}
	}
	if s := t.cell(cells, "seq"); s != "" {
		if r.Seq, err = strconv.ParseInt(s, 10, 64); err != nil {
			return fmt.Errorf("seq: %w", err)
		}
	}
	return nil
}

// note names the item of a rating, and refuses a second rating of the same.
func (t *readTable) note(r *Rating) error {
	r.First = r.System + "\x00" + r.Clip
	r.Item = r.First
	if r.Control != None {
		r.Item += "\x00" + string(r.Control)
	}
	key := r.Item + "\x00" + r.Person + "\x00" + r.Scale
	if t.given[key] {
		return fmt.Errorf("%s has rated %s of %s on %s already", r.Person, r.Clip, r.System, r.Scale)
	}
	t.given[key] = true
	return nil
}
