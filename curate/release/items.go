package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/sha256hex"
	"omniscope/internal/visible"
)

// An item is a row that is released, with what is joined to it.
type item struct {
	id     string
	row    int    // in the file of rows
	media  string // path as the row has it; "" = none
	source *source
	split  string

	category   string
	seconds    float64 // 0 = not known
	words      int
	modalities []string // of its questions

	provenance string // a JSON object; "" = none
	mediaFile  string // in the release, such as media/0001.mp4; "" = none
	parts      parts
}

// stem is the name of the item's media file without folders and ending, or the id where there is none.
func (it *item) stem() string {
	if it.media == "" {
		return it.id
	}
	base := path.Base(strings.ReplaceAll(it.media, `\`, "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

// readItems reads the rows: what a release tells of them.
func (s *set) readItems(ctx context.Context) (err error) {
	if s.rows, err = rows.Open(ctx, s.o.Rows); err != nil {
		return err
	}
	if s.rows.Len() == 0 {
		return omniscope.Invalidf("%s has no rows", s.rows.Path)
	}
	seen := make(map[string]int)
	var text []byte
	for i := range s.rows.Len() {
		if text, err = s.rows.AppendTo(text[:0], i); err != nil {
			return err
		}
		it, err := s.readItem(text, i)
		if err == nil {
			if first, twice := seen[it.id]; twice {
				err = fmt.Errorf("the id %q is in %s already", it.id, s.rows.LineName(first))
			}
		}
		if err != nil {
			return s.rows.Bad(i, text, err)
		}
		seen[it.id] = i
		s.items = append(s.items, it)
	}
	return ctx.Err()
}

func (s *set) readItem(text []byte, i int) (*item, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the row is not UTF-8")
	}
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	row := gjson.ParseBytes(text)
	if !row.IsObject() {
		return nil, errors.New("the row is not a JSON object")
	}
	if s.form == nil {
		s.form = formOf(row, s.o.IDField, s.o.MediaField)
	}
	if s.form.id == "" {
		return nil, fmt.Errorf("which field is the id? Name it with --id-field: the row has %s", strings.Join(bench.FieldsOf(text), ", "))
	}
	id := rows.ID(row.Get(gjson.Escape(s.form.id)))
	if id == "" {
		return nil, bench.NoField(s.form.id, bench.FieldsOf(text))
	}
	it := &item{id: id, row: i, parts: parts{Row: sha256hex.Of(bytes.TrimSpace(text))}, media: row.Get(gjson.Escape(s.form.media)).String()}
	s.describe(it, row)
	return it, nil
}

// readShape finds what columns the items have that are released. Names of fields may come from data, so that those of
// items that were left out are not wanted.
func (s *set) readShape() error {
	s.shape = &shape{}
	err := s.eachItem(func(it *item, row gjson.Result) error {
		if err := s.shape.add(row, 0); err != nil {
			return s.rows.Bad(it.row, []byte(row.Raw), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.shape.finishRow()
}

// describe notes what statistics count.
func (s *set) describe(it *item, row gjson.Result) {
	it.words = words(s.form.text(row))
	if s.form.questions != nil {
		it.modalities = s.form.questions(row)
	}
	for _, name := range []string{"category", "metadata.category"} {
		if v := row.Get(name); it.category == "" && v.Type == gjson.String {
			it.category = v.Str
		}
	}
	for _, name := range []string{"duration", "metadata.duration"} {
		if v := row.Get(name); it.seconds == 0 && v.Type == gjson.Number && v.Num > 0 {
			it.seconds = v.Num
		}
	}
}

// list names some ids for an error or a warning.
func list(ids []string) string {
	const most = 20
	slices.Sort(ids)
	shown := make([]string, 0, most)
	for _, id := range ids[:min(most, len(ids))] {
		shown = append(shown, visible.Line(id))
	}
	text := strings.Join(shown, ", ")
	if more := len(ids) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
