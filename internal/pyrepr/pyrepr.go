// Package pyrepr writes JSON the way Python prints the value that it stands
// for: repr(json.loads(text)). Published prompts were filled with str(dict),
// and a prompt that should equal the published one has to be, too.
package pyrepr

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Append appends the Python form of v to dst. drop, if not nil, is asked for
// each member of each object, with its depth (1 for the outermost object) and
// leaves it out on true. Numbers are copied as written.
func Append(dst []byte, v gjson.Result, drop func(depth int, key string) bool) []byte {
	return appendValue(dst, v, drop, 0)
}

func appendValue(dst []byte, v gjson.Result, drop func(int, string) bool, depth int) []byte {
	switch v.Type {
	case gjson.Null:
		return append(dst, "None"...)
	case gjson.True:
		return append(dst, "True"...)
	case gjson.False:
		return append(dst, "False"...)
	case gjson.Number:
		return append(dst, v.Raw...)
	case gjson.String:
		return AppendString(dst, v.Str)
	}
	if v.IsArray() {
		return appendArray(dst, v, drop, depth)
	}
	return appendObject(dst, v, drop, depth)
}

func appendArray(dst []byte, v gjson.Result, drop func(int, string) bool, depth int) []byte {
	dst = append(dst, '[')
	first := true
	v.ForEach(func(_, item gjson.Result) bool {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = appendValue(dst, item, drop, depth)
		return true
	})
	return append(dst, ']')
}

func appendObject(dst []byte, v gjson.Result, drop func(int, string) bool, depth int) []byte {
	dst = append(dst, '{')
	first := true
	v.ForEach(func(key, item gjson.Result) bool {
		if drop != nil && drop(depth+1, key.Str) {
			return true
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = AppendString(dst, key.Str)
		dst = append(dst, ": "...)
		dst = appendValue(dst, item, drop, depth+1)
		return true
	})
	return append(dst, '}')
}

// AppendString appends the Python repr of a string: single quotes, unless the
// string holds those and no double ones, and escapes for what does not print.
func AppendString(dst []byte, s string) []byte {
	quote := byte('\'')
	single, double := false, false
	for i := range len(s) {
		single = single || s[i] == '\''
		double = double || s[i] == '"'
	}
	if single && !double {
		quote = '"'
	}
	dst = append(dst, quote)
	for _, r := range s {
		dst = appendRune(dst, r, quote)
	}
	return append(dst, quote)
}

func appendRune(dst []byte, r rune, quote byte) []byte {
	switch {
	case r == rune(quote) || r == '\\':
		return append(dst, '\\', byte(r))
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r >= ' ' && r < 0x7f:
		return append(dst, byte(r))
	case unicode.IsPrint(r):
		return utf8.AppendRune(dst, r)
	case r < 0x100:
		return appendHex(append(dst, `\x`...), r, 2)
	case r < 0x10000:
		return appendHex(append(dst, `\u`...), r, 4)
	}
	return appendHex(append(dst, `\U`...), r, 8)
}

func appendHex(dst []byte, r rune, width int) []byte {
	digits := strconv.FormatInt(int64(r), 16)
	for range width - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}
