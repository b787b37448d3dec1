package pyrepr

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Float writes v as Python's repr does: the shortest digits that read back as
// v, with an exponent below 1e-4 and from 1e16 on.
func Float(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return map[bool]string{true: "inf", false: "-inf"}[v > 0]
	}
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// JSONFloat writes v as json.dumps does.
func JSONFloat(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	return Float(v)
}

// JSONString writes s as json.dumps does: in ASCII, the rest as \u escapes of
// UTF-16.
func JSONString(s string) string {
	const hex = "0123456789abcdef"
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}
	out := []byte{'"'}
	unit := func(u rune) {
		out = append(out, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	for _, r := range s {
		if e, ok := short[r]; ok {
			out = append(out, e...)
		} else if r >= 0x20 && r < 0x7f {
			out = append(out, byte(r))
		} else if high, low := utf16.EncodeRune(r); r > 0xffff {
			unit(high)
			unit(low)
		} else {
			unit(r)
		}
	}
	return string(append(out, '"'))
}
