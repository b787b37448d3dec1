package omnicloze

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/valyala/fastjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/pyrepr"
	"omniscope/internal/rows"
)

// An item is one row of the benchmark, read.
type item struct {
	uuid        string
	clip        string // what units of one clip share: the video's path
	category    string
	subcategory string
	blanks      []blank
	built       bool            // some options were not in the row and were built
	row, cloze  *fastjson.Value // as in the file, while the row is being read
}

// A blank is one gap.
type blank struct {
	number   int
	key      string // as in the row, "" if absent; the released scorer compares it as it is
	modality omniscope.Modality
	choices  int             // concrete options there are
	built    bool            // the options were not in the row and have to be built
	row      *fastjson.Value // as in the file, while the row is being read
}

// letters are the choices a key may be; notGiven is the fifth.
const (
	letters  = "ABCD"
	notGiven = "E"
)

// scorable reports whether strict can score the blank: four choices at most,
// and a key that is one of them.
func (b *blank) scorable() error {
	switch {
	case b.choices == 0:
		return errors.New("the blank has no options")
	case len(b.key) != 1 || !strings.Contains(letters, b.key):
		return fmt.Errorf("the key %q is not one of A to D", b.key)
	case int(b.key[0]-'A') >= b.choices:
		return fmt.Errorf("the key %s names no option", b.key)
	}
	return nil
}

// readItem reads a row. The cloze and the metadata may be objects or strings
// that hold them. The item's cloze is valid until p parses something else.
func readItem(p *parser, text []byte) (*item, error) {
	row, err := p.outer.ParseBytes(text)
	if err != nil {
		return nil, fmt.Errorf("cannot read the line: %s", rows.Quote([]byte(err.Error())))
	}
	if row.Type() != fastjson.TypeObject {
		return nil, errors.New("the line is not a JSON object")
	}
	it := &item{uuid: scalar(row.Get("uuid")), clip: scalar(row.Get("video_path"))}
	if it.uuid == "" {
		return nil, errors.New("the row has no uuid")
	}
	if len(it.uuid) > bench.LongestID {
		return nil, fmt.Errorf("the uuid has %d bytes, more than %d", len(it.uuid), bench.LongestID)
	}
	if it.clip == "" {
		it.clip = it.uuid
	}
	if m := unwrap(&p.metadata, row.Get("metadata")); m != nil {
		it.category, it.subcategory = scalar(m.Get("category")), scalar(m.Get("subcategory"))
	}
	it.cloze = unwrap(&p.cloze, row.Get("cloze"))
	it.row = row
	return it, it.readCloze()
}

// A parser is the memory for reading one row.
type parser struct {
	outer, metadata, cloze fastjson.Parser
	line, text             []byte // scratch: a row, and a cloze as the judge sees it
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

// scalar returns a string or number as text, "" for anything else.
func scalar(v *fastjson.Value) string {
	if v == nil {
		return ""
	}
	switch v.Type() {
	case fastjson.TypeString:
		return string(v.GetStringBytes())
	case fastjson.TypeNumber, fastjson.TypeTrue, fastjson.TypeFalse:
		return v.String()
	}
	return ""
}

// unwrap reads a value that may be JSON inside a string.
func unwrap(p *fastjson.Parser, v *fastjson.Value) *fastjson.Value {
	if v == nil || v.Type() != fastjson.TypeString {
		return v
	}
	inner, err := p.ParseBytes(v.GetStringBytes())
	if err != nil {
		return v
	}
	return inner
}

func (it *item) readCloze() error {
	if it.cloze == nil || it.cloze.Type() != fastjson.TypeObject {
		return fmt.Errorf("uuid %s: cloze is not an object", it.uuid)
	}
	list := it.cloze.Get("blanks")
	if len(it.cloze.GetStringBytes("passage")) == 0 || list == nil || list.Type() != fastjson.TypeArray {
		return fmt.Errorf("uuid %s: cloze needs a passage and a list of blanks", it.uuid)
	}
	blanks := list.GetArray()
	if len(blanks) == 0 {
		return fmt.Errorf("uuid %s: cloze has no blanks", it.uuid)
	}
	it.blanks = make([]blank, len(blanks))
	for i, v := range blanks {
		if v.Type() != fastjson.TypeObject {
			return fmt.Errorf("uuid %s: blank %d is not an object", it.uuid, i+1)
		}
		it.blanks[i] = readBlank(v, i+1)
		it.built = it.built || it.blanks[i].built
	}
	return nil
}

func readBlank(v *fastjson.Value, position int) blank {
	b := blank{row: v, number: position, key: scalar(v.Get("answer_key")), modality: modalityOf(v.Get("required_modality"))}
	if n := v.GetInt("number"); n > 0 {
		b.number = n
	}
	if b.choices = countOptions(offered(v)); b.choices == 0 {
		b.choices = len(buildOptions(v))
		b.built = b.choices > 0
	}
	return b
}

// options returns the concrete options, A first.
func (b *blank) options() []string {
	if b.built {
		return buildOptions(b.row)
	}
	return readOptions(offered(b.row))
}

// offered returns the field with a blank's options, under either of its names.
func offered(v *fastjson.Value) *fastjson.Value {
	if o := v.Get("options"); o != nil && o.Type() != fastjson.TypeNull {
		return o
	}
	return v.Get("choices")
}

// modalityOf shares the usual words instead of copying them for each blank.
func modalityOf(v *fastjson.Value) omniscope.Modality {
	for _, m := range []omniscope.Modality{omniscope.Audio, omniscope.Visual, omniscope.AudioVisual} {
		if v != nil && string(v.GetStringBytes()) == string(m) {
			return m
		}
	}
	return omniscope.Modality(scalar(v))
}

// countOptions counts the concrete options of a list or a map from letters.
func countOptions(v *fastjson.Value) int {
	if v == nil {
		return 0
	}
	if v.Type() != fastjson.TypeObject {
		return min(len(v.GetArray()), len(letters))
	}
	n := 0
	for i := range letters {
		if v.Exists(letters[i : i+1]) {
			n++
		}
	}
	return n
}

// readOptions reads a list ("A: text" or plain) or a map from letters, and
// leaves out the fifth choice.
func readOptions(v *fastjson.Value) []string {
	options := make([]string, countOptions(v))
	for i := range options {
		if letter := letters[i : i+1]; v.Type() == fastjson.TypeObject {
			options[i] = scalar(v.Get(letter))
		} else {
			options[i] = withoutLetter(scalar(v.Get(strconv.Itoa(i))), i)
		}
	}
	return options
}

// withoutLetter takes "A: " off the option at position i.
func withoutLetter(text string, i int) string {
	letter := string(rune('A' + i))
	if rest, ok := strings.CutPrefix(text, letter+":"); ok {
		return strings.TrimSpace(rest)
	}
	return text
}

// buildOptions puts the answer among its distractors where answer_index says.
func buildOptions(v *fastjson.Value) []string {
	answer, distractors, index := scalar(v.Get("answer")), v.GetArray("distractors"), v.Get("answer_index")
	if answer == "" || index == nil || len(distractors) >= len(letters) {
		return nil
	}
	at, err := index.Int()
	if err != nil || at < 0 || at > len(distractors) {
		return nil
	}
	options := make([]string, len(distractors))
	for i, d := range distractors {
		options[i] = scalar(d)
	}
	return slices.Insert(options, at, answer)
}

// appendText appends the cloze as the judge sees it: the row's own, printed as
// Python prints it, without what gives the answers away. Options that were
// built are added.
func (it *item) appendText(out []byte) []byte {
	if !it.built {
		return appendPython(out, it.cloze, 0)
	}
	out = pyrepr.AppendString(append(out, "{'passage': "...), it.passage())
	out = append(out, ", 'blanks': ["...)
	for i := range it.blanks {
		b := &it.blanks[i]
		if i > 0 {
			out = append(out, ", "...)
		}
		out = strconv.AppendInt(append(out, "{'number': "...), int64(b.number), 10)
		out = append(out, ", 'options': ["...)
		for k, o := range b.options() {
			out = pyrepr.AppendString(out, letters[k:k+1]+": "+o)
			out = append(out, ", "...)
		}
		out = append(out, "'E: not given']}"...)
	}
	return append(out, "]}"...)
}

func (it *item) passage() string { return scalar(it.cloze.Get("passage")) }
