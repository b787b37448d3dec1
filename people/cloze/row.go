package cloze

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/jsonfast"
	"omniscope/internal/rows"
)

// A row is one of the benchmark's, read.
type row struct {
	uuid, video string
	passage     string
	blanks      []blank
	built       bool   // some options were not in the row and were built
	unlike      string // the first blank whose key, answer and index do not say the same; "" = none
}

// A blank is one gap of the passage.
type blank struct {
	number      int
	key         int // of the right option
	options     []string
	distractors [3]int // places of the distractors among the options
	sense       string
	built       bool // the options were not in the row
}

const (
	letters   = "ABCD"
	anyNumber = 0 // of blanks
)

// senses are the senses that a blank may need.
var senses = []string{string(omniscope.Audio), string(omniscope.Visual), string(omniscope.AudioVisual)}

// readRow reads a row and refuses one that cannot be reviewed. blanks is how many blanks it has to
// have.
func readRow(text []byte, blanks int) (*row, error) {
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	all := gjson.ParseBytes(text)
	if !all.IsObject() {
		return nil, errors.New("the line is not a JSON object")
	}
	r := &row{uuid: rows.ID(all.Get("uuid")), video: rows.ID(all.Get("video_path"))}
	if r.uuid == "" {
		return nil, fmt.Errorf("the row has no uuid: %w", bench.NoField("uuid", bench.FieldsOf(text)))
	}
	if len(r.uuid) > bench.LongestID {
		return nil, fmt.Errorf("the uuid has %d bytes, more than %d", len(r.uuid), bench.LongestID)
	}
	cloze := all.Get("cloze")
	if !cloze.Exists() {
		return nil, bench.NoField("cloze", bench.FieldsOf(text))
	}
	if cloze.Type == gjson.String && jsonfast.Valid(cloze.Str) {
		cloze = gjson.Parse(cloze.Str)
	}
	if err := r.readCloze(cloze, blanks); err != nil {
		return nil, fmt.Errorf("uuid %s: %w", r.uuid, err)
	}
	return r, nil
}

func (r *row) readCloze(cloze gjson.Result, want int) error {
	list := cloze.Get("blanks")
	switch {
	case !cloze.IsObject():
		return errors.New("cloze is not an object")
	case cloze.Get("passage").Str == "":
		return fmt.Errorf("cloze: %w", bench.NoField("passage", bench.FieldsOf([]byte(cloze.Raw))))
	case !list.IsArray():
		return fmt.Errorf("cloze: %w", bench.NoField("blanks", bench.FieldsOf([]byte(cloze.Raw))))
	}
	r.passage = cloze.Get("passage").Str
	for i, v := range list.Array() {
		b, err := readBlank(v)
		if err != nil {
			return fmt.Errorf("blank %d: %w", i+1, err)
		}
		if slices.ContainsFunc(r.blanks, func(o blank) bool { return o.number == b.number }) {
			return fmt.Errorf("two blanks have the number %d", b.number)
		}
		if r.built = r.built || b.built; r.unlike == "" && !keysAgree(v, &b) {
			r.unlike = strconv.Itoa(b.number)
		}
		r.blanks = append(r.blanks, b)
	}
	if n := len(r.blanks); n == 0 || want != anyNumber && n != want {
		return fmt.Errorf("the row has %d blanks, not %d: mend it, or take rows with any number by --blanks 0", n, max(1, want))
	}
	return r.checkPassage()
}

// checkPassage makes sure that each blank is in the passage once, and that nothing else looks like one.
func (r *row) checkPassage() error {
	for i := range r.blanks {
		if n := strings.Count(r.passage, r.blanks[i].mark()); n != 1 {
			return fmt.Errorf("the passage has %s %d times, not once", r.blanks[i].mark(), n)
		}
	}
	if n := strings.Count(r.passage, "[BLANK_"); n != len(r.blanks) {
		return fmt.Errorf("the passage has %d marks such as [BLANK_1] and the row %d blanks", n, len(r.blanks))
	}
	return nil
}

// mark is what stands in the passage where the blank is.
func (b *blank) mark() string { return fmt.Sprintf("[BLANK_%d]", b.number) }

func readBlank(v gjson.Result) (blank, error) {
	if !v.IsObject() {
		return blank{}, errors.New("it is not an object")
	}
	there := bench.FieldsOf([]byte(v.Raw))
	for _, name := range []string{"number", "answer", "distractors", "required_modality"} {
		if !v.Get(name).Exists() {
			return blank{}, bench.NoField(name, there)
		}
	}
	b := blank{number: int(v.Get("number").Int()), sense: v.Get("required_modality").Str}
	var err error
	switch distractors := v.Get("distractors").Array(); {
	case b.number < 1:
		return b, fmt.Errorf("the number is %s, not a whole number from 1", v.Get("number").Raw)
	case rows.ID(v.Get("answer")) == "":
		return b, errors.New("the answer is empty")
	case len(distractors) != len(b.distractors):
		return b, fmt.Errorf("there are %d distractors, not %d", len(distractors), len(b.distractors))
	case !slices.Contains(senses, b.sense):
		return b, fmt.Errorf("required_modality is %q, not one of %s", b.sense, strings.Join(senses, ", "))
	}
	if b.key, err = keyOf(v, there); err != nil {
		return b, err
	}
	if b.options = optionsOf(v); b.options == nil {
		b.options, b.built = buildOptions(v, b.key), true
	}
	if len(b.options) != len(letters) {
		return b, fmt.Errorf("there are %d options without E, not %d", len(b.options), len(letters))
	}
	b.findDistractors(v)
	return b, nil
}

// keyOf is the place of the right option. What scorers compare is the letter, so it goes before the
// index.
func keyOf(v gjson.Result, there []string) (int, error) {
	letter, index := v.Get("answer_key"), v.Get("answer_index")
	switch {
	case letter.Exists():
		if at := strings.Index(letters, letter.Str); len(letter.Str) == 1 && at >= 0 {
			return at, nil
		}
		return 0, fmt.Errorf("answer_key is %s, not one of A to D", rows.Quote([]byte(letter.Raw)))
	case index.Exists():
		if at := index.Int(); index.Type == gjson.Number && at >= 0 && at < int64(len(letters)) {
			return int(at), nil
		}
		return 0, fmt.Errorf("answer_index is %s, not one of 0 to 3", rows.Quote([]byte(index.Raw)))
	}
	return 0, bench.NoField("answer_key", there)
}

// optionsOf are the options of a list or a map from letters, without the fifth; nil = the row has none.
func optionsOf(v gjson.Result) (out []string) {
	_, offered := offeredOf(v)
	if !offered.Exists() {
		return nil
	}
	out = []string{}
	for i := range letters {
		letter := letters[i : i+1]
		one := offered.Get(letter)
		if offered.IsArray() {
			one = offered.Get(strconv.Itoa(i))
		}
		if one.Exists() {
			out = append(out, withoutLetter(rows.ID(one), letter))
		}
	}
	return out
}

// offeredOf is the field with the options, under either of its names.
func offeredOf(v gjson.Result) (name string, offered gjson.Result) {
	for _, name := range []string{"options", "choices"} {
		if o := v.Get(name); o.Exists() && o.Type != gjson.Null {
			return name, o
		}
	}
	return "", gjson.Result{}
}

func withoutLetter(text, letter string) string {
	if rest, ok := strings.CutPrefix(text, letter+":"); ok {
		return strings.TrimSpace(rest)
	}
	return text
}

// buildOptions puts the answer among the distractors, where the key is.
func buildOptions(v gjson.Result, key int) []string {
	var out []string
	for _, d := range v.Get("distractors").Array() {
		out = append(out, rows.ID(d))
	}
	return slices.Insert(out, key, rows.ID(v.Get("answer")))
}

// findDistractors finds the place of each distractor among the options: that of its text, else the
// next one that is left.
func (b *blank) findDistractors(v gjson.Result) {
	var left []int
	for i := range b.options {
		if i != b.key {
			left = append(left, i)
		}
	}
	texts := v.Get("distractors").Array()
	var unknown []int
	for i, text := range texts {
		at := slices.IndexFunc(left, func(place int) bool { return b.options[place] == rows.ID(text) })
		if at < 0 {
			unknown = append(unknown, i)
			continue
		}
		b.distractors[i] = left[at]
		left = slices.Delete(left, at, at+1)
	}
	for k, i := range unknown {
		b.distractors[i] = left[k]
	}
}

// keysAgree reports whether answer, index and key of a blank name the same option.
func keysAgree(v gjson.Result, b *blank) bool {
	index := v.Get("answer_index")
	return b.options[b.key] == rows.ID(v.Get("answer")) && (!index.Exists() || index.Int() == int64(b.key))
}

// quotas are the least blanks of each sense (Omni-Captioner, how the benchmark is made).
var quotas = map[string]int{"visual": 8, "audio": 8, "audio-visual": 4}

// short reports whether the row has too few blanks of a sense.
func (r *row) short() bool {
	n := make(map[string]int)
	for _, b := range r.blanks {
		n[b.sense]++
	}
	for sense, least := range quotas {
		if n[sense] < least {
			return true
		}
	}
	return false
}
