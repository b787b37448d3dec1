package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/rows"
)

// Fields that captions and the names of their recordings may have.
var (
	CaptionFields = []string{"caption", "predicted_caption", "prediction", "pred", "response"}
	ClipFields    = []string{"clip", "video_id", "audio_id", "id", "uuid", "video", "audio", "video_path", "audio_path", "video ID", "videoID", "vid", "idx"}
)

// A TextFile holds texts by name that a user gives: captions by recording, answers by question.
// They stay in the file until they are asked for. It is safe for concurrent use.
type TextFile struct {
	Lines *rows.File
	field string
	name  func(string) string
	join  string
	rows  map[string]int
	ids   []string

	recordings *recordingIndex // replaces rows if folders distinguish names; nil = names are compared without folders

	without int // rows that do not have the field
	empty   int // rows of tables in which the field is an empty cell
}

// A TextForm says how texts are found in their file.
type TextForm struct {
	IDs      []string            // names of the field with the name, the first that a row has
	Fields   []string            // names of the field with the text, the first that the first row has
	Name     func(string) string // what of a name counts; nil = all
	Join     string              // separates the texts of a list; "" = lists are refused
	Separate bool                // distinguish recordings of one stem by their folders; else these are an error

	// Gold is the one of Fields which other files give to right answers or references; "" = none is. A row that
	// has it beside another of Fields, or beside one of Asked, is refused: nothing says which the model wrote.
	Gold  string
	Asked []string // fields of rows that have what is asked

	NoText string // what to do if the rows have no text, other than naming its field

	ids []string // of the rows, instead of their own fields; nil = their fields have them
}

// Captions is the form of a file of captions: they go by the names of their recordings,
// without folder and ending. field is the one that the user names; "" = the usual ones.
func Captions(field string) TextForm {
	fields := append(slices.Clone(CaptionFields), TrajectoryField)
	if field != "" {
		fields = []string{field}
	}
	form := TextForm{IDs: ClipFields, Fields: fields, Name: Stem}
	if field == "" {
		form.Gold = CaptionFields[0]
	}
	return form
}

// OpenTextFile opens a file of texts. Every row must have a name, no two the same.
func OpenTextFile(ctx context.Context, path string, form TextForm) (*TextFile, error) {
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	t, err := newTextFile(lines, form)
	if err != nil {
		return nil, errors.Join(err, lines.Close())
	}
	return t, nil
}

// OpenSampleTexts opens the texts of samples. match checks that they belong to the samples, and returns warnings. Where the fields of
// form name no sample, other fields may: see FindIDs.
func OpenSampleTexts(ctx context.Context, in Inputs, form TextForm, samples func() ([]Named, error), match func(*TextFile) ([]string, error)) (*TextFile, []string, error) {
	lines, err := rows.Open(ctx, in.Predictions)
	if err != nil {
		return nil, nil, err
	}
	t, warnings, err := matchTexts(lines, in, form, samples, match)
	if err != nil {
		return nil, nil, errors.Join(err, lines.Close())
	}
	return t, warnings, nil
}

func matchTexts(lines *rows.File, in Inputs, form TextForm, samples func() ([]Named, error), match func(*TextFile) ([]string, error)) (t *TextFile, warnings []string, err error) {
	read := func() (err error) {
		if t, err = newTextFile(lines, form); err == nil {
			warnings, err = match(t)
		}
		return err
	}
	var unnamed error
	if in.IDField == "" {
		if unnamed = read(); !IsUnnamed(unnamed) {
			return t, warnings, unnamed
		}
	}
	all, err := samples()
	if err != nil {
		return nil, nil, err
	}
	ids, err := FindIDs(lines, in, all, unnamed)
	if err != nil {
		return nil, nil, err
	}
	form.ids = ids.Of
	if err := read(); err != nil {
		return nil, nil, err
	}
	return t, append([]string{ids.As}, warnings...), nil
}

func newTextFile(lines *rows.File, form TextForm) (*TextFile, error) {
	t := &TextFile{Lines: lines, name: form.Name, join: form.Join, rows: make(map[string]int, lines.Len())}
	if t.name == nil {
		t.name = func(name string) string { return name }
	}
	if form.Separate {
		t.recordings = &recordingIndex{byStem: make(map[string][]int)}
	}
	return t, t.index(form)
}

func (t *TextFile) index(form TextForm) (err error) {
	var text []byte
	for i := range t.Lines.Len() {
		if text, err = t.Lines.AppendTo(text[:0], i); err != nil {
			return err
		}
		if err := rows.CheckJSON(text); err != nil {
			return t.Lines.Bad(i, text, err)
		}
		id, _ := firstField(text, form.IDs)
		if form.ids != nil {
			if id = form.ids[i]; id == "" {
				t.ids = append(t.ids, "")
				continue
			}
		}
		if id == "" {
			return t.Lines.Bad(i, text, Unnamed(fmt.Errorf("the row has no id, looked for as %s: %w", strings.Join(form.IDs, ", "), NoField(form.IDs[0], FieldsOf(text)))))
		}
		if t.field == "" {
			if _, t.field = firstField(text, form.Fields); t.field == "" {
				return t.Lines.Bad(i, text, fmt.Errorf("the row has no text, looked for as %s: %w; name the field with --caption-field%s", strings.Join(form.Fields, ", "), NoField(form.Fields[0], FieldsOf(text)), form.NoText))
			}
		}
		if other := form.besideGold(text, t.field); other != "" {
			return t.Lines.Bad(i, text, fmt.Errorf("the row has %q beside %q, which may hold what is right and not what a model said: name the field that a model wrote with --caption-field", other, t.field))
		}
		if v := TextIn(text, t.field); !v.Exists() {
			t.without++
		} else if t.Lines.EmptyCell(i, v) {
			t.empty++
		}
		if _, ok := t.text(text); !ok {
			return t.Lines.Bad(i, text, fmt.Errorf("the field %q is not a text", t.field))
		}
		if first := t.add(id, i); first >= 0 {
			return t.Lines.Bad(i, nil, t.twice(id, first))
		}
		t.ids = append(t.ids, id)
	}
	return nil
}

// twice is the error of a row that has the same name as an earlier row, or the same id in another form.
func (t *TextFile) twice(id string, earlier int) error {
	at := t.Lines.LineName(earlier)
	if there := t.ids[earlier]; there != id {
		return fmt.Errorf("%s and %s, on %s, are both called %q here: rename one of them", id, there, at, t.name(id))
	}
	return fmt.Errorf("%s is there already, on %s", id, at)
}

// add adds the name of a row, and returns the earlier row of that name; -1 = no such row.
func (t *TextFile) add(id string, row int) (earlier int) {
	if t.recordings != nil {
		return t.recordings.add(id)
	}
	if first, twice := t.rows[t.name(id)]; twice {
		return first
	}
	t.rows[t.name(id)] = row
	return -1
}

// besideGold is a field of a row that makes it doubtful whether a model wrote the field that is read; "" = there is none.
func (f *TextForm) besideGold(row []byte, read string) string {
	if read != f.Gold || read == "" {
		return ""
	}
	_, other := firstField(row, slices.DeleteFunc(slices.Concat(f.Fields, f.Asked), func(name string) bool { return name == read || name == TrajectoryField }))
	return other
}

// firstField is the value of the first field that a row has, and its name. Of a list of one
// text it is that text.
func firstField(row []byte, names []string) (value, name string) {
	for _, n := range names {
		if v := textOf(gjson.GetBytes(row, gjson.Escape(n))); v.Exists() {
			return v.String(), n
		}
	}
	return "", ""
}

// textOf is the text of a list of one, as some published files have it.
func textOf(v gjson.Result) gjson.Result {
	if list := v.Array(); v.IsArray() && len(list) == 1 && list[0].Type == gjson.String {
		return list[0]
	}
	return v
}

// Field is the field with the texts.
func (t *TextFile) Field() string { return t.field }

// IDs are the names of the rows, in order, as they are in the file; "" = the row is of no sample.
func (t *TextFile) IDs() []string { return t.ids }

// Find is the row of the first of the names that there is.
func (t *TextFile) Find(names ...string) (row int, ok bool) {
	for _, name := range names {
		if t.recordings != nil {
			row, ok = t.recordings.find(name)
		} else {
			row, ok = t.rows[t.name(name)]
		}
		if ok {
			return row, true
		}
	}
	return 0, false
}

// Get is the text of the first of the names that there is; nil = there is none.
func (t *TextFile) Get(names ...string) (*string, error) {
	i, ok := t.Find(names...)
	if !ok {
		return nil, nil
	}
	row, err := t.Lines.At(i)
	if err != nil {
		return nil, err
	}
	if t.Lines.EmptyCell(i, TextIn(row, t.field)) {
		return nil, nil
	}
	text, _ := t.text(row)
	return text, nil
}

// text is the text of a row, nil if it has none. ok is false where what it has is no text.
func (t *TextFile) text(row []byte) (text *string, ok bool) {
	v := textOf(TextIn(row, t.field))
	switch {
	case v.Type == gjson.Null:
		return nil, true
	case v.Type != gjson.JSON:
		s := v.String()
		return &s, true
	case !v.IsArray() || t.join == "":
		return nil, false
	}
	var texts []string
	for _, one := range v.Array() {
		if one.Type != gjson.String {
			return nil, false
		}
		texts = append(texts, one.Str)
	}
	s := strings.Join(texts, t.join)
	return &s, true
}

// Match makes sure that texts belong to what is scored, of which names returns the names.
// what is the plural of the texts and of the one of what is scored, such as answers and
// question; hint says what else the file may be. It returns warnings.
func (t *TextFile) Match(in Inputs, n int, names func(i int) []string, what, of, hint string) (warnings []string, err error) {
	if t.recordings != nil {
		if row, a, b := t.recordings.separate(n, names); a != "" {
			return nil, t.Lines.Bad(row, nil, fmt.Errorf("%s may be %s or %s of %s: name the recording with its folder", t.ids[row], a, b, in.Data))
		}
	}
	used, lacking := make(map[int]bool), 0
	for i := range n {
		if row, ok := t.Find(names(i)...); ok {
			used[row] = true
		} else {
			lacking++
		}
	}
	if t.Lines.Len() == 0 {
		return nil, omniscope.Invalidf("%s has no rows of %s: it is empty", t.Lines.Path, what)
	}
	if len(used) == 0 {
		if hint != "" {
			hint = ": " + hint
		}
		return nil, omniscope.Invalidf("%w", Unnamed(fmt.Errorf("none of the %d %s in %s belongs to a %s of %s%s", t.Lines.Len(), what, t.Lines.Path, of, in.Data, hint)))
	}
	if lacking > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %d %ss have none of the %s in %s", lacking, n, of, what, t.Lines.Path))
	}
	if t.without > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of the %d rows in %s have no field %q, which the first row has: they count as without text", t.without, t.Lines.Len(), t.Lines.Path, t.field))
	}
	if t.empty > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of the %d rows in %s have an empty cell as %s: it counts as null, without text; in JSON Lines \"\" is a text that says nothing", t.empty, t.Lines.Len(), t.Lines.Path, t.field))
	}
	if n := t.Lines.Len() - len(used); n > 0 && in.Limit == 0 && len(in.Samples) == 0 {
		warnings = append(warnings, fmt.Sprintf("%d of the %s in %s belong to no %s and are left out", n, what, t.Lines.Path, of))
	}
	return warnings, nil
}
