package omnicloze

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

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
	cloze       gjson.Result // as it stands in the row, for the prompt
	built       bool         // some options were not in the row and were built
}

// A blank is one gap.
type blank struct {
	number   int
	key      string // as in the row, "" if absent; the released scorer compares it as it is
	options  []string
	modality omniscope.Modality
	given    bool // the options stand in the row
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

// readItem reads a row that is known to be a JSON object. The cloze and the
// metadata may be objects or strings that hold them.
func readItem(row gjson.Result) (*item, error) {
	it := &item{}
	row.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "uuid":
			it.uuid = v.String()
		case "video_path":
			it.clip = v.Str
		case "metadata":
			it.readMetadata(unwrap(v))
		case "cloze":
			it.cloze = unwrap(v)
		}
		return true
	})
	if it.uuid == "" {
		return nil, errors.New("the row has no uuid")
	}
	if it.clip == "" {
		it.clip = it.uuid
	}
	return it, it.readCloze()
}

// unwrap reads a value that may be JSON inside a string.
func unwrap(v gjson.Result) gjson.Result {
	if v.Type == gjson.String && gjson.Valid(v.Str) {
		return gjson.Parse(v.Str)
	}
	return v
}

func (it *item) readMetadata(v gjson.Result) {
	it.category, it.subcategory = v.Get("category").String(), v.Get("subcategory").String()
}

func (it *item) readCloze() error {
	if !it.cloze.IsObject() {
		return fmt.Errorf("uuid %s: cloze is not an object", it.uuid)
	}
	it.passage = it.cloze.Get("passage").Str
	blanks := it.cloze.Get("blanks")
	if it.passage == "" || !blanks.IsArray() {
		return fmt.Errorf("uuid %s: cloze needs a passage and a list of blanks", it.uuid)
	}
	var err error
	blanks.ForEach(func(_, v gjson.Result) bool {
		if !v.IsObject() {
			err = fmt.Errorf("uuid %s: blank %d is not an object", it.uuid, len(it.blanks)+1)
			return false
		}
		b := readBlank(v, len(it.blanks)+1)
		it.built = it.built || !b.given && len(b.options) > 0
		it.blanks = append(it.blanks, b)
		return true
	})
	if err == nil && len(it.blanks) == 0 {
		err = fmt.Errorf("uuid %s: cloze has no blanks", it.uuid)
	}
	return err
}

func readBlank(v gjson.Result, position int) blank {
	b := blank{number: position}
	var answer string
	var distractors []string
	index := -1
	v.ForEach(func(key, field gjson.Result) bool {
		switch key.Str {
		case "number":
			if field.Type == gjson.Number && field.Int() > 0 {
				b.number = int(field.Int())
			}
		case "answer":
			answer = field.String()
		case "distractors":
			for _, d := range field.Array() {
				distractors = append(distractors, d.String())
			}
		case "answer_index":
			if field.Type == gjson.Number {
				index = int(field.Int())
			}
		case "answer_key":
			b.key = field.String()
		case "required_modality":
			b.modality = omniscope.Modality(field.String())
		case "options", "choices":
			b.options, b.given = readOptions(field), true
		}
		return true
	})
	if len(b.options) == 0 {
		b.given = false
		b.options = buildOptions(answer, distractors, index)
	}
	return b
}

// readOptions reads a list ("A: text" or plain) or a map from letters, and
// leaves out the fifth choice.
func readOptions(v gjson.Result) []string {
	var options []string
	v.ForEach(func(key, o gjson.Result) bool {
		text := o.String()
		if key.Str == "" {
			text = withoutLetter(text, len(options))
		}
		if key.Str == notGiven || len(options) == len(letters) {
			return true
		}
		options = append(options, text)
		return true
	})
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
func buildOptions(answer string, distractors []string, index int) []string {
	if answer == "" || index < 0 || index > len(distractors) || len(distractors) >= len(letters) {
		return nil
	}
	options := append([]string{}, distractors[:index]...)
	return append(append(options, answer), distractors[index:]...)
}

// hiddenFromJudge are the members of a blank that give the answer away. The
// released scorer takes out the same.
func hiddenFromJudge(depth int, key string) bool {
	if depth != 2 {
		return false
	}
	switch key {
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
		return string(pyrepr.Append(make([]byte, 0, len(it.cloze.Raw)), it.cloze, hiddenFromJudge))
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
