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
	"omniscope/internal/pyrepr"
)

// An item is one row of the benchmark, read.
type item struct {
	uuid        string
	clip        string // what units of one clip share: the video's path
	category    string
	subcategory string
	passage     string
	blanks      []blank
	built       bool            // some options were not in the row and were built
	row, cloze  *fastjson.Value // as they stand in the file, while the row is being read
}

// A blank is one gap.
type blank struct {
	number   int
	key      string // as in the row, "" if absent; the released scorer compares it as it is
	options  []string
	modality omniscope.Modality
	built    bool // the options were not in the row and were built
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
	case len(b.options) == 0:
		return errors.New("the blank has no options")
	case len(b.key) != 1 || !strings.Contains(letters, b.key):
		return fmt.Errorf("the key %q is not one of A to D", b.key)
	case int(b.key[0]-'A') >= len(b.options):
		return fmt.Errorf("the key %s names no option", b.key)
	}
	return nil
}

// readItem reads a row. The cloze and the metadata may be objects or strings
// that hold them. The item's cloze is valid until p parses something else.
func readItem(p *parser, text []byte) (*item, error) {
	row, err := p.outer.ParseBytes(text)
	if err != nil || row.Type() != fastjson.TypeObject {
		return nil, errors.New("the line is not a JSON object")
	}
	it := &item{uuid: scalar(row.Get("uuid")), clip: scalar(row.Get("video_path"))}
	if it.uuid == "" {
		return nil, errors.New("the row has no uuid")
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
	it.passage = scalar(it.cloze.Get("passage"))
	list := it.cloze.Get("blanks")
	if it.passage == "" || list == nil || list.Type() != fastjson.TypeArray {
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
	b := blank{number: position, key: scalar(v.Get("answer_key")), modality: modalityOf(v.Get("required_modality"))}
	if n := v.GetInt("number"); n > 0 {
		b.number = n
	}
	if options := v.Get("options"); options != nil {
		b.options = readOptions(options)
	} else if options = v.Get("choices"); options != nil {
		b.options = readOptions(options)
	}
	if len(b.options) == 0 {
		b.options = buildOptions(v)
		b.built = len(b.options) > 0
	}
	return b
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

// readOptions reads a list ("A: text" or plain) or a map from letters, and
// leaves out the fifth choice.
func readOptions(v *fastjson.Value) []string {
	var options []string
	if o, err := v.Object(); err == nil {
		for i := range letters {
			if option := o.Get(letters[i : i+1]); option != nil {
				options = append(options, scalar(option))
			}
		}
		return options
	}
	for i, option := range v.GetArray() {
		if i < len(letters) {
			options = append(options, withoutLetter(scalar(option), i))
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

// hiddenFromJudge are the members of a blank that give the answer away. The
// released scorer takes out the same.
func hiddenFromJudge(depth int, key []byte) bool {
	if depth != 2 {
		return false
	}
	switch string(key) {
	case "answer", "distractors", "answer_index", "answer_key", "required_modality":
		return true
	}
	return false
}

// text returns the cloze as the judge sees it: the row's own, printed as Python
// prints it, without what gives the answers away. Options that were built are
// added.
func (it *item) text() string {
	if !it.built {
		return string(pyrepr.Append(nil, it.cloze, hiddenFromJudge))
	}
	out := pyrepr.AppendString([]byte("{'passage': "), it.passage)
	out = append(out, ", 'blanks': ["...)
	for i, b := range it.blanks {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(out, "{'number': "...)
		out = strconv.AppendInt(out, int64(b.number), 10)
		out = append(out, ", 'options': ["...)
		for k, o := range b.options {
			out = pyrepr.AppendString(out, string(letters[k])+": "+o)
			out = append(out, ", "...)
		}
		out = append(out, "'E: not given']}"...)
	}
	return string(append(out, "]}"...))
}
