package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
	"omniscope/metric/textnorm"
	"omniscope/model/marks"
)

// FindJSON returns the JSON in a reply as published scorers in Python do: the
// first closed ```json block, else the whole reply, else the text from the first
// bracket of either kind to the last; candidates that are not JSON are skipped.
// NaN and Infinity, which Python accepts as JSON, become strings. Without any
// JSON it returns the best candidate. A reader that must not guess uses Objects.
func FindJSON(reply string) string {
	text := textnorm.Strip(reply)
	if block, ok := jsonBlock(text); ok {
		if found, ok := pythonJSON(block); ok {
			return found
		}
	}
	if found, ok := pythonJSON(text); ok {
		return found
	}
	start, end := strings.IndexAny(text, "{["), strings.LastIndexAny(text, "}]")
	if start < 0 || end < start {
		return text
	}
	found, _ := pythonJSON(text[start : end+1])
	return found
}

// jsonBlock returns the content of the first closed fence marked as json, in any
// case.
func jsonBlock(text string) (string, bool) {
	const fence, mark = "```", "json"
	for {
		at := strings.Index(text, fence)
		if at < 0 || len(text) < at+len(fence)+len(mark) {
			return "", false
		}
		after := text[at+len(fence):]
		if !strings.EqualFold(after[:len(mark)], mark) {
			text = text[at+1:] // of four backticks the last three may be the fence
			continue
		}
		block, _, closed := strings.Cut(after[len(mark):], fence)
		return textnorm.Strip(block), closed
	}
}

// pythonJSON returns text as JSON, and whether Python takes it for that.
func pythonJSON(text string) (string, bool) {
	if Valid(text) {
		return text, true
	}
	// A null stands only where a constant does, while a text could be a key.
	if !strings.Contains(text, "NaN") && !strings.Contains(text, "Infinity") || !Valid(replaceConstants(text, func(string) string { return "null" })) {
		return text, false
	}
	return replaceConstants(text, func(name string) string { return `"` + name + `"` }), true
}

// replaceConstants replaces the names of numbers that JSON does not have, where
// they stand outside of strings.
func replaceConstants(text string, with func(name string) string) string {
	var out strings.Builder
	inString := false
	for i := 0; i < len(text); {
		name := ""
		if !inString {
			name = constantAt(text[i:])
		}
		if name != "" {
			out.WriteString(with(name))
			i += len(name)
			continue
		}
		switch {
		case text[i] == '"':
			inString = !inString
		case text[i] == '\\' && inString && i+1 < len(text):
			out.WriteByte(text[i])
			i++
		}
		out.WriteByte(text[i])
		i++
	}
	return out.String()
}

func constantAt(text string) string {
	for _, name := range []string{"NaN", "Infinity", "-Infinity"} {
		if strings.HasPrefix(text, name) {
			return name
		}
	}
	return ""
}

// Valid reports whether text is JSON. It bounds the nesting, so that a reply
// cannot use up the stack.
func Valid(text string) bool { return jsonfast.Valid(text) }

// A Member is one key of a JSON object and its value.
type Member struct {
	Key   string
	Value gjson.Result
}

// Members reads a JSON object keeping the order of its keys and every repeat
// of a key, which a map would hide.
func Members(text string) ([]Member, error) {
	if !Valid(text) {
		var v any
		return nil, describe(json.Unmarshal([]byte(text), &v))
	}
	object := gjson.Parse(text)
	if !object.IsObject() {
		return nil, errors.New("it is not a JSON object")
	}
	return membersOf(object), nil
}

func membersOf(object gjson.Result) (members []Member) {
	object.ForEach(func(key, value gjson.Result) bool {
		members = append(members, Member{Key: key.Str, Value: value})
		return true
	})
	return members
}

func describe(err error) error {
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "unexpected end of JSON input") {
		return errors.New("the JSON ends too early")
	}
	return fmt.Errorf("it is not JSON: %w", err)
}

// Objects reads the JSON objects of a reply that may have words, a fence, a
// train of thought or special tokens around them, in order. Nested objects are
// not listed separately. Line breaks within texts and comments between values are
// accepted. A reply without objects is an error, and so is an object that is broken
// or cut off, because it could contradict the others.
func Objects(reply string) ([][]Member, error) {
	if reply = strings.TrimSpace(reply); reply == "" {
		return nil, errors.New("it is empty")
	}
	if whole := gjson.Parse(reply); whole.IsObject() && Valid(reply) {
		return [][]Member{membersOf(whole)}, nil
	}
	text, err := afterThought(reply)
	if err != nil {
		return nil, err
	}
	objects, err := objectsIn(text)
	if err != nil {
		if fixed := lenient(text); fixed != text {
			if objects, again := objectsIn(fixed); again == nil {
				return objects, nil
			}
		}
		return nil, err
	}
	if len(objects) > 1 { // a further turn does not belong to the reply
		if first := marks.FirstTurn(text); first != text {
			return objectsIn(first)
		}
	}
	return objects, nil
}

// objectsIn reads the JSON objects of a text.
func objectsIn(text string) (objects [][]Member, err error) {
	for {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			break
		}
		text = text[start:]
		if !opensObject(text) {
			text = text[1:]
			continue
		}
		object, err := leading(text)
		if err != nil {
			return nil, err
		}
		text = text[len(object):]
		objects = append(objects, membersOf(gjson.Parse(object)))
	}
	if len(objects) == 0 {
		return nil, errors.New("it has no JSON object")
	}
	return objects, nil
}

// afterThought cuts off a train of thought (package marks). An unfinished one
// is an error.
func afterThought(text string) (string, error) {
	text, ok := marks.AfterThought(text)
	if !ok {
		return "", errors.New("it ends before its answer")
	}
	return text, nil
}

// lenient returns a text in which the texts of JSON objects have escapes where they
// had line breaks and tabs, and the objects have no comments of JavaScript
// between values. It changes nothing else, so that what was broken otherwise
// stays broken.
func lenient(text string) string {
	var out strings.Builder
	depth := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"' && depth > 0:
			i += escapeBreaks(&out, text[i:]) - 1
			continue
		case c == '{':
			depth++
		case c == '}':
			depth = max(0, depth-1)
		case c == '/' && depth > 0:
			if n := commentLength(text[i:]); n > 0 {
				i += n - 1
				continue
			}
		}
		out.WriteByte(c)
	}
	return out.String()
}

// escapeBreaks writes the string that a text begins with, with escapes instead of line breaks and tabs, and returns its length.
func escapeBreaks(out *strings.Builder, text string) int {
	out.WriteByte('"')
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			out.WriteByte(c)
			return i + 1
		case c == '\\' && i+1 < len(text):
			out.WriteString(text[i : i+2])
			i++
		case c == '\n' || c == '\r' || c == '\t':
			fmt.Fprintf(out, `\u%04x`, c)
		default:
			out.WriteByte(c)
		}
	}
	return len(text)
}

// commentLength is the length of the comment that a text begins with; 0 = there is
// no comment. A line break after it does not belong to it.
func commentLength(text string) int {
	switch {
	case strings.HasPrefix(text, "//"):
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			return n
		}
		return len(text)
	case strings.HasPrefix(text, "/*"):
		if n := strings.Index(text[2:], "*/"); n >= 0 {
			return n + len("/**/")
		}
		return len(text) // the comment has no end, and so the object is incomplete
	}
	return 0
}

// opensObject reports whether the brace that text starts with opens a JSON
// object and is not just a brace among words.
func opensObject(text string) bool {
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	return rest == "" || rest[0] == '"' || rest[0] == '}'
}

// leading returns the JSON value that text starts with.
func leading(text string) (string, error) {
	var value json.RawMessage
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&value); err != nil {
		return "", describe(err)
	}
	return text[:len(value)], nil
}

// Object reads the one JSON object of a reply, as Objects does: its fields by name. Several objects, and a field that is there
// twice, are errors, since it is unclear which is meant.
func Object(reply string) (map[string]gjson.Result, error) {
	objects, err := Objects(reply)
	if err != nil {
		return nil, err
	}
	if len(objects) > 1 {
		return nil, fmt.Errorf("it has %d JSON objects where one is wanted", len(objects))
	}
	fields := make(map[string]gjson.Result)
	for _, m := range objects[0] {
		if _, twice := fields[m.Key]; twice {
			return nil, fmt.Errorf("it gives %q twice", m.Key)
		}
		fields[m.Key] = m.Value
	}
	return fields, nil
}

// Decode reads the one JSON object of a reply into v, as Object finds it.
func Decode(reply string, v any) error {
	fields, err := Object(reply)
	if err != nil {
		return err
	}
	raw := make(map[string]json.RawMessage)
	for name, value := range fields {
		raw[name] = json.RawMessage(value.Raw)
	}
	text, err := json.Marshal(raw)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("its fields do not have the form that was asked for: %w", err)
	}
	return nil
}
