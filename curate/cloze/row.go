package cloze

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/jsonfast"
	"omniscope/internal/rows"
)

// A Row is a draft with lettered options, in the form of the released benchmark: the
// fields and their order are those of its rows.
type Row struct {
	UUID     string          `json:"uuid"`
	Video    string          `json:"video_path,omitempty"`
	Cloze    rowCloze        `json:"cloze"`
	Metadata json.RawMessage `json:"metadata,omitempty"`

	raw []byte
}

// Raw is the row as it was read, with all its fields.
func (r *Row) Raw() json.RawMessage { return r.raw }

// A rowCloze is the passage of a row and its blanks.
type rowCloze struct {
	Passage string     `json:"passage"`
	Blanks  []RowBlank `json:"blanks"`
}

// A RowBlank is a blank of a row.
type RowBlank struct {
	Number      int                `json:"number"`
	Answer      string             `json:"answer"`
	Distractors []string           `json:"distractors"`
	Options     []string           `json:"options,omitempty"`      // "A: text" to "D: text", and "E: not given"
	Index       *int               `json:"answer_index,omitempty"` // of the answer among the options, from 0
	Key         string             `json:"answer_key,omitempty"`   // its letter
	Modality    omniscope.Modality `json:"required_modality"`
}

// letters are those of the options that may be right.
const letters = "ABCD"

// Draft is the row without letters.
func (r *Row) Draft() *Draft {
	d := &Draft{UUID: r.UUID, Video: r.Video, Passage: r.Cloze.Passage}
	for _, b := range r.Cloze.Blanks {
		d.Blanks = append(d.Blanks, draftBlank{b.Number, b.Answer, b.Distractors, b.Modality})
	}
	return d
}

// lettered reports whether the row has letters anywhere.
func (r *Row) lettered() bool {
	return slices.ContainsFunc(r.Cloze.Blanks, func(b RowBlank) bool { return len(b.Options) > 0 || b.Index != nil || b.Key != "" })
}

// Lettered reports whether all blanks have options, index and key that fit their answers.
func (r *Row) Lettered() bool {
	return !slices.ContainsFunc(r.Cloze.Blanks, func(b RowBlank) bool { return b.letterFault() != "" })
}

// CheckRow applies the checks of a draft, and those of letters if the row has any.
func CheckRow(r *Row, rules Rules) []Finding {
	all := check(r.Draft(), rules)
	if !r.lettered() {
		return all
	}
	for i := range r.Cloze.Blanks {
		b := &r.Cloze.Blanks[i]
		if says := b.letterFault(); says != "" {
			all = append(all, Finding{Check: "letters", Blank: b.Number, Text: strings.Join(b.Options, " / "), Says: says})
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int { return a.Blank - b.Blank })
	return all
}

// letterFault says what is wrong with a blank's letters; "" if nothing is.
func (b *RowBlank) letterFault() string {
	want := append([]string{b.Answer}, b.Distractors...)
	if len(b.Options) != len(want)+1 {
		return fmt.Sprintf("there are %d options, not %d", len(b.Options), len(want)+1)
	}
	var texts []string
	for i, o := range b.Options {
		text, ok := strings.CutPrefix(o, string(rune('A'+i))+": ")
		if !ok {
			return fmt.Sprintf("option %d does not start with \"%c: \"", i+1, 'A'+i)
		}
		texts = append(texts, text)
	}
	last := len(texts) - 1
	if texts[last] != notGiven {
		return "the last option is not \"" + notGiven + "\""
	}
	at := slices.Index(texts[:last], b.Answer)
	switch {
	case at < 0:
		return "the answer is no option"
	case b.Key != string(rune('A'+at)):
		return fmt.Sprintf("answer_key is %q; the answer is option %c", b.Key, 'A'+at)
	case b.Index == nil || *b.Index != at:
		return fmt.Sprintf("answer_index is not %d, the place of the answer", at)
	}
	for _, w := range want {
		if !slices.Contains(texts[:last], w) {
			return fmt.Sprintf("%q is no option", w)
		}
	}
	return ""
}

// ReadRows reads rows of the released form, or drafts without letters. What is
// no such row is an Invalid error with file and line. Whether the cloze is sound is
// not its business.
func ReadRows(ctx context.Context, path string) (list []*Row, digest string, err error) {
	first := make(map[string]string)
	digest, err = rows.InOrder(ctx, path, func(f *rows.File, i int, text []byte) error {
		row, err := readRow(text)
		if err != nil {
			return err
		}
		if n, twice := first[row.UUID]; twice {
			return fmt.Errorf("uuid %s is there already, on %s", row.UUID, n)
		}
		first[row.UUID] = f.LineName(i)
		list = append(list, row)
		return nil
	})
	if err == nil && len(list) == 0 {
		err = omniscope.Invalidf("%s has no rows", path)
	}
	if err != nil {
		return nil, "", err
	}
	return list, digest, nil
}

func readRow(text []byte) (*Row, error) {
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	all := gjson.ParseBytes(text)
	if !all.IsObject() {
		return nil, errors.New("the line is not a JSON object")
	}
	r := &Row{UUID: rows.ID(all.Get("uuid")), Video: rows.ID(all.Get("video_path")), raw: bytes.Clone(text)}
	switch {
	case r.UUID == "":
		return nil, fmt.Errorf("the row has no uuid: %w", bench.NoField("uuid", bench.FieldsOf(text)))
	case len(r.UUID) > bench.LongestID:
		return nil, fmt.Errorf("the uuid has %d bytes, more than %d", len(r.UUID), bench.LongestID)
	}
	if m := all.Get("metadata"); m.IsObject() {
		r.Metadata = json.RawMessage(m.Raw)
	}
	cloze := all.Get("cloze")
	if cloze.Type == gjson.String && jsonfast.Valid(cloze.Str) {
		cloze = gjson.Parse(cloze.Str)
	}
	if !cloze.IsObject() {
		return nil, fmt.Errorf("the row has no cloze: %w", bench.NoField("cloze", bench.FieldsOf(text)))
	}
	if err := json.Unmarshal([]byte(cloze.Raw), &r.Cloze); err != nil {
		return nil, fmt.Errorf("cloze: %w", err)
	}
	if n := len(r.Cloze.Blanks); n > mostBlanks {
		return nil, fmt.Errorf("the cloze has %d blanks, more than %d", n, mostBlanks)
	}
	if r.Cloze.Passage == "" || len(r.Cloze.Blanks) == 0 {
		return nil, errors.New("the cloze needs a passage and a list of blanks")
	}
	return r, nil
}
