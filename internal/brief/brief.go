// Package brief makes texts of others short enough to be shown.
package brief

import (
	"strings"
	"unicode/utf8"
)

// OneLine puts the words of a text behind each other, with single spaces.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Cut returns at most so many bytes of a text, whole characters, with "…" behind them where something is missing.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
