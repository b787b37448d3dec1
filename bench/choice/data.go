package choice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/input"
	"omniscope/internal/spelling"
	"omniscope/judge"
	"omniscope/judge/letters"
)

// questions reads a benchmark's file.
func (b *benchmark) questions(ctx context.Context, file string) (all []Question, digest string, err error) {
	text, digest, err := input.ReadFile(ctx, file, input.Texts)
	if err != nil {
		return nil, "", err
	}
	if b.Lax && !judge.Valid(string(text)) {
		text = withoutLastCommas(text)
	}
	number, seen := 0, make(map[string]int)
	err = eachRow(text, b.Keyed, func(row []byte, key string, line int) error {
		number++
		read, err := b.Read(row, key, number)
		for i := range read {
			if err == nil {
				err = read[i].check(seen, line)
			}
		}
		if err != nil {
			return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s:%d: %w: %s", file, line, err, bench.Quote(row))}
		}
		all = append(all, read...)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s has no questions", file)}
	}
	var bad *omniscope.Error
	if err != nil && !errors.As(err, &bad) {
		err = &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s: %w", file, err)}
	}
	return all, digest, err
}

// withoutLastCommas puts blanks in place of commas before closing brackets, so that lines
// keep their numbers.
func withoutLastCommas(text []byte) []byte {
	out, inText := slices.Clone(text), false
	last := -1 // the last comma, if nothing but blanks follows it
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText, last = !inText, -1
		case inText || c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case c == ',':
			last = i
		case (c == ']' || c == '}') && last >= 0:
			out[last], last = ' ', -1
		default:
			last = -1
		}
	}
	return out
}

// eachRow calls do for each row of a file, with the number of the line that it begins on:
// of a JSON list, of JSON Lines, or of an object of rows by name.
func eachRow(text []byte, keyed bool, do func(row []byte, key string, line int) error) error {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	start := bytes.TrimSpace(text)
	whole := bytes.HasPrefix(start, []byte("[")) || keyed
	if !whole {
		number := 0
		for line := range bytes.Lines(text) {
			if number++; len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if err := bench.CheckJSON(line); err != nil {
				return fmt.Errorf("line %d: %w: %s", number, err, bench.Quote(line))
			}
			if err := do(bytes.TrimSpace(line), "", number); err != nil {
				return err
			}
		}
		return nil
	}
	if err := bench.CheckJSON(text); err != nil {
		return err
	}
	root := gjson.ParseBytes(text)
	if keyed != root.IsObject() {
		return errors.New("it is no object of rows by name")
	}
	line, at := 1, 0
	var err error
	root.ForEach(func(key, row gjson.Result) bool {
		line, at = line+bytes.Count(text[at:row.Index], []byte("\n")), row.Index
		err = do([]byte(row.Raw), key.Str, line)
		return err == nil
	})
	return err
}

// check checks a question, of which there may be one of each id.
func (q *Question) check(seen map[string]int, line int) error {
	first, twice := seen[q.ID]
	seen[q.ID] = line
	switch {
	case q.ID == "" || len(q.ID) > bench.LongestID:
		return fmt.Errorf("the question's id has %d bytes, and may have 1 to %d", len(q.ID), bench.LongestID)
	case twice:
		return fmt.Errorf("question %s is there already, on line %d", q.ID, first)
	case len(q.Clip) == 0 || q.Clip[0] == "":
		return fmt.Errorf("question %s names no recording", q.ID)
	case len(q.Options) < 2:
		return fmt.Errorf("question %s has %d options", q.ID, len(q.Options))
	case q.Gold < 0 || q.Gold >= len(q.Options):
		return fmt.Errorf("question %s: the right answer is none of its %d options", q.ID, len(q.Options))
	}
	return nil
}

// selected are the questions that the user wants.
func selected(all []Question, in bench.Inputs) (out []Question, err error) {
	wanted := make(map[string]bool)
	for _, id := range in.Samples {
		wanted[string(id)] = true
	}
	for _, q := range all {
		if len(in.Samples) == 0 || wanted[q.ID] {
			delete(wanted, q.ID)
			out = append(out, q)
		}
	}
	for id := range wanted {
		known := make([]string, len(all))
		for i := range all {
			known[i] = all[i].ID
		}
		return nil, &omniscope.Error{Kind: omniscope.Usage, Err: fmt.Errorf("--sample-id: %s has no question %s%s", in.Data, id, spelling.Hint(id, known))}
	}
	if in.Limit > 0 && len(out) > in.Limit {
		out = out[:in.Limit]
	}
	return out, nil
}

// Fields that captions and the names of their recordings may have.
var (
	captionFields = []string{"caption", "predicted_caption", "prediction"}
	clipFields    = []string{"clip", "video_id", "audio_id", "id", "uuid", "video", "audio", "video_path", "audio_path", "video ID", "videoID"}
)

// texts are answers by question, or captions by recording.
type texts struct {
	lines *bench.Lines
	rows  map[string]int
	field string
}

// openTexts opens the file of answers or captions.
func (e *evaluation) openTexts(ctx context.Context) (t *texts, err error) {
	lines, err := bench.OpenLines(ctx, e.in.Predictions)
	if err != nil {
		return nil, err
	}
	t = &texts{lines: lines, rows: make(map[string]int, lines.Len())}
	if err := t.index(e); err != nil {
		return nil, errors.Join(err, lines.Close())
	}
	if err := e.match(t); err != nil {
		return nil, errors.Join(err, lines.Close())
	}
	return t, nil
}

func (t *texts) index(e *evaluation) error {
	ids, fields, name := e.IDs, e.Fields, func(id string) string { return id }
	if e.cascade() {
		ids, fields, name = clipFields, captionFields, stem
	}
	if e.in.CaptionField != "" {
		fields = []string{e.in.CaptionField}
	}
	var text []byte
	for i := range t.lines.Len() {
		var err error
		if text, err = t.lines.AppendTo(text[:0], i); err != nil {
			return err
		}
		if err := bench.CheckJSON(text); err != nil {
			return t.lines.Bad(i, text, err)
		}
		id, _ := firstField(text, ids)
		if id == "" {
			return t.lines.Bad(i, text, fmt.Errorf("the row has no id, looked for as %s: %w", list(ids), bench.NoField(ids[0], bench.FieldsOf(text))))
		}
		if t.field == "" {
			if _, t.field = firstField(text, fields); t.field == "" {
				return t.lines.Bad(i, text, fmt.Errorf("the row has no text, looked for as %s: %w; name the field with --caption-field", list(fields), bench.NoField(fields[0], bench.FieldsOf(text))))
			}
		}
		if v := gjson.GetBytes(text, gjson.Escape(t.field)); v.Exists() && v.Type == gjson.JSON {
			return t.lines.Bad(i, text, fmt.Errorf("the field %q is not a text", t.field))
		}
		if first, twice := t.rows[name(id)]; twice {
			return t.lines.Bad(i, nil, fmt.Errorf("%s is there already, on line %d", id, t.lines.Number(first)))
		}
		t.rows[name(id)] = i
	}
	return nil
}

// firstField is the value of the first field that a row has, and its name.
func firstField(row []byte, names []string) (value, name string) {
	for _, n := range names {
		if v := gjson.GetBytes(row, gjson.Escape(n)); v.Exists() {
			return v.String(), n
		}
	}
	return "", ""
}

// match makes sure that the texts belong to the questions.
func (e *evaluation) match(t *texts) error {
	used := make(map[int]bool)
	lacking := 0
	for i := range e.questions {
		row, ok := t.find(e, &e.questions[i])
		if ok {
			used[row] = true
		} else {
			lacking++
		}
	}
	what, hint := "answers", "name with --answerer the model that answers from captions, if these are captions"
	if e.cascade() {
		what, hint = "captions", "leave --answerer out if these are answers"
	}
	if len(used) == 0 {
		return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("none of the %d %s in %s belongs to a question of %s: %s", t.lines.Len(), what, t.lines.Path, e.in.Data, hint)}
	}
	if lacking > 0 {
		e.warn("%d of %d questions have none of the %s in %s", lacking, len(e.questions), what, t.lines.Path)
	}
	if n := t.lines.Len() - len(used); n > 0 && e.in.Limit == 0 && len(e.in.Samples) == 0 {
		e.warn("%d of the %s in %s belong to no question and are left out", n, what, t.lines.Path)
	}
	return nil
}

// find is the row with a question's answer or caption.
func (t *texts) find(e *evaluation, q *Question) (row int, ok bool) {
	if !e.cascade() {
		row, ok = t.rows[q.ID]
		return row, ok
	}
	for _, name := range q.Clip {
		if row, ok = t.rows[stem(name)]; ok {
			return row, true
		}
	}
	return 0, false
}

// get is a question's answer or caption; nil = there is none.
func (t *texts) get(e *evaluation, q *Question) (*string, error) {
	row, ok := t.find(e, q)
	if !ok {
		return nil, nil
	}
	text, err := t.lines.At(row)
	if err != nil {
		return nil, err
	}
	v := gjson.GetBytes(text, gjson.Escape(t.field))
	if v.Type == gjson.Null {
		return nil, nil
	}
	s := v.String()
	return &s, nil
}

// stem is the name of a recording without folder and ending.
func stem(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	switch ext := path.Ext(base); strings.ToLower(ext) {
	case ".mp4", ".wav", ".mp3", ".flac", ".webm", ".mkv", ".avi", ".mov", ".m4a", ".ogg":
		return base[:len(base)-len(ext)]
	}
	return base
}

// WithoutLetters are options whose texts begin with their letters ("A. a dog"), without
// these.
func WithoutLetters(options []string) []string {
	out := slices.Clone(options)
	for i, o := range options {
		rest, ok := strings.CutPrefix(strings.TrimSpace(o), letters.Letter(i))
		if !ok || rest == "" || !strings.ContainsAny(rest[:1], ".):") {
			return options
		}
		out[i] = strings.TrimSpace(rest[1:])
	}
	return out
}

// Texts are the elements of a JSON list.
func Texts(list gjson.Result) (texts []string) {
	for _, v := range list.Array() {
		texts = append(texts, v.String())
	}
	return texts
}

// Tags pairs dimensions with groups, such as "task", "speech". Empty groups are left out.
func Tags(pairs ...string) (tags []Tag) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			tags = append(tags, Tag{pairs[i], pairs[i+1]})
		}
	}
	return tags
}

// lettered are options as they are shown, a line each.
func lettered(options []string) string {
	lines := make([]string, len(options))
	for i, o := range options {
		lines[i] = letters.Letter(i) + ". " + o
	}
	return strings.Join(lines, "\n")
}

func list(names []string) string {
	return strings.Join(slices.Compact(slices.Clone(names)), ", ")
}
