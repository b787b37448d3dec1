package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
)

// A Record is a row that is a JSON object. A filter reads some fields of it and writes
// others. Every byte of the other fields stays as it came.
type Record struct {
	line    string
	members []member
}

type member struct {
	key   string
	start int // of the key in the line
	value gjson.Result
}

func (m member) end() int { return m.value.Index + len(m.value.Raw) }

// A Field is a part of a result.
type Field struct {
	Name string
	JSON string
}

// ParseRecord reads a line that has no blanks around it.
func ParseRecord(line string) (*Record, error) {
	if err := CheckUTF8(line); err != nil {
		return nil, err
	}
	if !jsonfast.Valid(line) {
		if err := CheckJSON([]byte(line)); err != nil {
			return nil, Quoting(err, line)
		}
	}
	object := gjson.Parse(line)
	if !object.IsObject() {
		return nil, Quoting(errors.New("the line is not a JSON object"), line)
	}
	r := &Record{line: line}
	object.ForEach(func(key, value gjson.Result) bool {
		r.members = append(r.members, member{key: key.Str, start: key.Index, value: value})
		return true
	})
	return r, nil
}

// CheckUTF8 refuses a line that is not UTF-8, with the first byte that is not.
func CheckUTF8(line string) error {
	if utf8.ValidString(line) {
		return nil
	}
	at := 0
	for at < len(line) {
		r, size := utf8.DecodeRuneInString(line[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	shown := strings.ToValidUTF8(line[:min(len(line), 1000)], "\ufffd")
	return Quoting(fmt.Errorf("byte %d of the line, 0x%02x, is not UTF-8", at+1, line[at]), shown)
}

// Quoting adds the start of the offending text to an error.
func Quoting(err error, text string) error {
	return fmt.Errorf("%w: %s", err, Quote([]byte(text[:min(len(text), 1000)])))
}

// Names are those of the fields, in order.
func (r *Record) Names() []string {
	names := make([]string, len(r.members))
	for i, m := range r.members {
		names[i] = m.key
	}
	return names
}

// ID returns a field that must be a string, or a number, which stays as it is
// written.
func (r *Record) ID(name string) (string, error) {
	if value, ok, err := r.Find(name); ok && err == nil && value.Type == gjson.Number {
		return value.Raw, nil
	}
	return r.Text(name)
}

// Find returns the field of that name. A name that is there twice could mean
// either value, and is refused.
func (r *Record) Find(name string) (value gjson.Result, ok bool, err error) {
	for _, m := range r.members {
		if m.key != name {
			continue
		}
		if ok {
			return value, ok, Quoting(fmt.Errorf("the line has the field %q twice", name), r.line)
		}
		value, ok = m.value, true
	}
	return value, ok, nil
}

// Need returns a field that must be there.
func (r *Record) Need(name string) (gjson.Result, error) {
	value, ok, err := r.Find(name)
	if err == nil && !ok {
		err = Quoting(fmt.Errorf("the line has no field %q", name), r.line)
	}
	return value, err
}

// Text returns a field that must be a string.
func (r *Record) Text(name string) (string, error) {
	value, err := r.Need(name)
	if err != nil {
		return "", err
	}
	return TextOf(strconv.Quote(name), value)
}

// Texts returns a field that must be a list of strings.
func (r *Record) Texts(name string) ([]string, error) {
	value, err := r.Need(name)
	if err != nil {
		return nil, err
	}
	return textsOf(strconv.Quote(name), value)
}

func textsOf(what string, value gjson.Result) (texts []string, err error) {
	if !value.IsArray() {
		return nil, WrongType(what, value, "a list of strings")
	}
	value.ForEach(func(_, item gjson.Result) bool {
		var text string
		text, err = TextOf(fmt.Sprintf("item %d of %s", len(texts)+1, what), item)
		texts = append(texts, text)
		return err == nil
	})
	return texts, err
}

// Numbers returns a field that must be a list of numbers.
func (r *Record) Numbers(name string) (list []float64, err error) {
	value, err := r.Need(name)
	if err != nil {
		return nil, err
	}
	if !value.IsArray() {
		return nil, WrongType(strconv.Quote(name), value, "a list of numbers")
	}
	value.ForEach(func(_, item gjson.Result) bool {
		if item.Type != gjson.Number {
			err = WrongType(fmt.Sprintf("item %d of %q", len(list)+1, name), item, "a number")
		}
		list = append(list, item.Num)
		return err == nil
	})
	return list, err
}

// TextOf returns a value that must be a string. what names it in messages.
func TextOf(what string, value gjson.Result) (string, error) {
	if value.Type != gjson.String {
		return "", WrongType(what, value, "a string")
	}
	if half := halfSurrogate(value.Raw); half != "" {
		return "", Quoting(fmt.Errorf("%s holds half of a surrogate pair, %s, which is no character", what, half), value.Raw)
	}
	return value.Str, nil
}

// WrongType says that a value is not what it should be.
func WrongType(what string, value gjson.Result, want string) error {
	is := "null"
	switch {
	case value.IsObject():
		is = "an object"
	case value.IsArray():
		is = "a list"
	case value.IsBool():
		is = "true or false"
	case value.Type == gjson.Number:
		is = "a number"
	case value.Type == gjson.String:
		is = "a string"
	}
	return Quoting(fmt.Errorf("%s is %s, not %s", what, is, want), value.Raw)
}

// halfSurrogate returns the first escape of a JSON string that is half of a
// surrogate pair without the other half, "" if there is none. Python reads such
// a string, but can neither write it to a file nor hand it to a program; Go
// would put U+FFFD in its place.
func halfSurrogate(raw string) string {
	for i := strings.IndexByte(raw, '\\'); i >= 0 && i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		unit := escapedUnit(raw[i:])
		switch {
		case !utf16.IsSurrogate(unit):
			i++
		case utf16.DecodeRune(unit, escapedUnit(raw[i+6:])) == utf8.RuneError:
			return raw[i : i+6]
		default:
			i += 11
		}
	}
	return ""
}

// escapedUnit returns the UTF-16 unit of the escape that text starts with, 0 if
// it starts with none.
func escapedUnit(text string) rune {
	if !strings.HasPrefix(text, `\u`) || len(text) < 6 {
		return 0
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}

// AppendWith appends the line with a result: its fields take the place of those
// of the same name, or come last. Other fields out of own, the names that a
// command writes, are left out: they would contradict the result.
func (r *Record) AppendWith(dst []byte, result []Field, own []string) ([]byte, error) {
	for _, name := range own {
		if _, _, err := r.Find(name); err != nil {
			return dst, err
		}
	}
	head, at := r.line[:1], 1
	if len(r.members) > 0 {
		at = r.members[0].start
		head = r.line[:at]
	}
	dst = append(dst, head...)
	left, written := slices.Clone(result), false
	for _, m := range r.members {
		separator := r.line[at:m.start]
		at = m.end()
		i := slices.IndexFunc(left, func(f Field) bool { return f.Name == m.key })
		if i < 0 && slices.Contains(own, m.key) {
			continue
		}
		if written {
			dst = append(dst, separator...)
		}
		written = true
		if i < 0 {
			dst = append(dst, r.line[m.start:at]...)
			continue
		}
		dst = append(append(dst, r.line[m.start:m.value.Index]...), left[i].JSON...)
		left = slices.Delete(left, i, i+1)
	}
	for _, f := range left {
		if written {
			dst = append(dst, ", "...)
		}
		written = true
		dst = append(append(jsonfast.AppendRaw(dst, f.Name), ": "...), f.JSON...)
	}
	return append(dst, r.line[at:]...), nil
}

// Set returns a JSON object without blanks, in which fields replace the object's fields of the same names. New fields
// come last.
func Set(object string, fields ...Field) (string, error) {
	r, err := ParseRecord(strings.TrimSpace(object))
	if err != nil {
		return "", err
	}
	text, err := r.AppendWith(nil, fields, nil)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = json.Compact(&out, text)
	return out.String(), err
}

// String is a field with a text.
func String(name, text string) Field {
	return Field{name, string(jsonfast.AppendRaw(nil, text))}
}

// List is a field with texts.
func List(name string, texts []string) Field {
	list := []byte{'['}
	for i, text := range texts {
		if i > 0 {
			list = append(list, ", "...)
		}
		list = jsonfast.AppendRaw(list, text)
	}
	return Field{name, string(append(list, ']'))}
}

// Array is a field with items that are JSON.
func Array(name string, items []string) Field {
	return Field{name, "[" + strings.Join(items, ",") + "]"}
}

// Count is a field with a whole number.
func Count(name string, n int) Field { return Field{name, strconv.Itoa(n)} }

// Float is a field with the shortest number that is read as v again.
func Float(name string, v float64) Field { return Field{name, Shortest(v)} }

// Shortest is the shortest number that is read as v again.
func Shortest(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
