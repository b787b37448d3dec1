// Package pgtext makes any string fit for a column of text of PostgreSQL.
package pgtext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Names come from users' files and browsers and may hold any bytes. A column of text takes
// neither a NUL nor what is no UTF-8, so these are kept as an escape and two digits. A name that
// begins another still does.
const escape = '\x01'

// Encode makes any string fit for a column of text.
func Encode(s string) string {
	if utf8.ValidString(s) && !strings.ContainsAny(s, "\x00\x01") {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == 0 || r == escape || r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "%c%02x", escape, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// Decode undoes Encode.
func Decode(s string) string {
	if strings.IndexByte(s, escape) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == escape && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
