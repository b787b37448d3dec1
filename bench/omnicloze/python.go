package omnicloze

import (
	"github.com/valyala/fastjson"

	"omniscope/internal/pyrepr"
)

// appendPython appends v as Python prints it: repr(json.loads(text)), with numbers
// as they are written. depth is the number of objects around v. Members of blanks
// that give the answer away are left out.
func appendPython(dst []byte, v *fastjson.Value, depth int) []byte {
	switch v.Type() {
	case fastjson.TypeNull:
		return append(dst, "None"...)
	case fastjson.TypeTrue:
		return append(dst, "True"...)
	case fastjson.TypeFalse:
		return append(dst, "False"...)
	case fastjson.TypeString:
		return pyrepr.AppendString(dst, v.GetStringBytes())
	case fastjson.TypeArray:
		dst = append(dst, '[')
		for i, item := range v.GetArray() {
			dst = appendComma(dst, i > 0)
			dst = appendPython(dst, item, depth)
		}
		return append(dst, ']')
	case fastjson.TypeObject:
		return appendObject(dst, v.GetObject(), depth+1)
	}
	return v.MarshalTo(dst) // a number
}

func appendObject(dst []byte, o *fastjson.Object, depth int) []byte {
	dst = append(dst, '{')
	written := false
	o.Visit(func(key []byte, item *fastjson.Value) {
		if hiddenFromJudge(depth, key) {
			return
		}
		dst = appendComma(dst, written)
		written = true
		dst = pyrepr.AppendString(dst, key)
		dst = append(dst, ": "...)
		dst = appendPython(dst, item, depth)
	})
	return append(dst, '}')
}

func appendComma(dst []byte, wanted bool) []byte {
	if wanted {
		return append(dst, ", "...)
	}
	return dst
}

// hiddenFromJudge reports whether a member of a blank gives the answer away. The
// released scorer removes the same members.
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
