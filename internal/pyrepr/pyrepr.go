// Package pyrepr writes texts and lists of texts as Python prints them. Published
// prompts were filled with str(list) and str(dict), and a prompt that should
// equal the published one has to be, too.
package pyrepr

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

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
