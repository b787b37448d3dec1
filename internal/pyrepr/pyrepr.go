// Package pyrepr writes JSON the way Python prints the value that it stands
// for: repr(json.loads(text)). Published prompts were filled with str(dict),
// and a prompt that should equal the published one has to be, too.
package pyrepr

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/valyala/fastjson"
)

// Append appends the Python form of v to dst. drop, if not nil, is asked for
// each member of each object, with its depth (1 for the outermost object), and
// leaves it out on true. Numbers are copied as written.
func Append(dst []byte, v *fastjson.Value, drop func(depth int, key []byte) bool) []byte {
	return appendValue(dst, v, drop, 0)
}

func appendValue(dst []byte, v *fastjson.Value, drop func(int, []byte) bool, depth int) []byte {
	switch v.Type() {
	case fastjson.TypeNull:
		return append(dst, "None"...)
	case fastjson.TypeTrue:
		return append(dst, "True"...)
	case fastjson.TypeFalse:
		return append(dst, "False"...)
	case fastjson.TypeString:
		return AppendString(dst, v.GetStringBytes())
	case fastjson.TypeArray:
		dst = append(dst, '[')
		for i, item := range v.GetArray() {
			dst = appendComma(dst, i > 0)
			dst = appendValue(dst, item, drop, depth)
		}
		return append(dst, ']')
	case fastjson.TypeObject:
		return appendObject(dst, v.GetObject(), drop, depth+1)
	}
	return v.MarshalTo(dst) // a number
}

func appendObject(dst []byte, o *fastjson.Object, drop func(int, []byte) bool, depth int) []byte {
	dst = append(dst, '{')
	written := false
	o.Visit(func(key []byte, item *fastjson.Value) {
		if drop != nil && drop(depth, key) {
			return
		}
		dst = appendComma(dst, written)
		written = true
		dst = AppendString(dst, key)
		dst = append(dst, ": "...)
		dst = appendValue(dst, item, drop, depth)
	})
	return append(dst, '}')
}

func appendComma(dst []byte, wanted bool) []byte {
	if wanted {
		return append(dst, ", "...)
	}
	return dst
}

// AppendString appends the Python repr of a string: single quotes, unless the
// string holds those and no double ones, and escapes for what does not print.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	quote, single, double := byte('\''), false, false
	for i := range len(s) {
		single = single || s[i] == '\''
		double = double || s[i] == '"'
	}
	if single && !double {
		quote = '"'
	}
	dst = append(dst, quote)
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7f && c != quote && c != '\\' {
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		dst = appendRune(dst, r, quote)
		i += size
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

// List is a list of texts as Python prints it.
func List(texts []string) string {
	out := []byte{'['}
	for i, t := range texts {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = AppendString(out, t)
	}
	return string(append(out, ']'))
}
