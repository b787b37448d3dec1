package push

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// mostEscaped is how often a text may be written within a text of JSON for what is in it to be found.
const mostEscaped = 3

// unescape writes the characters of JSON's escapes, and blanks for those of control characters, so that lines stay lines.
// Without an escape it returns the text itself.
func unescape(text []byte) []byte {
	i := bytes.IndexByte(text, '\\')
	if i < 0 {
		return text
	}
	plain := append(make([]byte, 0, len(text)), text[:i]...)
	for i < len(text) {
		if text[i] != '\\' || i+1 == len(text) {
			plain = append(plain, text[i])
			i++
			continue
		}
		switch c := text[i+1]; {
		case bytes.IndexByte([]byte("nrtbf"), c) >= 0:
			plain = append(plain, ' ')
		case bytes.IndexByte([]byte(`"\/`), c) >= 0:
			plain = append(plain, c)
		default:
			if r, ok := codePoint(text[i+1:]); ok {
				plain = utf8.AppendRune(plain, r)
				i += 6
				continue
			}
			plain = append(plain, '\\', c)
		}
		i += 2
	}
	return plain
}

// codePoint reads uXXXX. Control characters are blanks.
func codePoint(text []byte) (rune, bool) {
	if len(text) < 5 || text[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[1:5]), 16, 16)
	return max(rune(n), ' '), err == nil
}
