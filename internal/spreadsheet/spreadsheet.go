// Package spreadsheet writes texts into cells of CSV files that spreadsheets
// open: a text that a spreadsheet would take for a formula gets an apostrophe
// before it, which makes it text there. Reading it back takes it off again.
package spreadsheet

import (
	"regexp"
	"strings"
	"unicode"
)

// Cell returns a text as a cell.
func Cell(s string) string {
	if risky(s) {
		return "'" + s
	}
	return s
}

// Cells returns a row as cells.
func Cells(row []string) []string {
	out := make([]string, len(row))
	for i, s := range row {
		out[i] = Cell(s)
	}
	return out
}

// Text returns what Cell made a cell of.
func Text(cell string) string {
	if s, ok := strings.CutPrefix(cell, "'"); ok && risky(s) {
		return s
	}
	return cell
}

// number is what stays a number whatever it starts with.
var number = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// risky reports whether a spreadsheet may take s for a formula: it starts with
// one of the signs, or their wide forms, also after blanks, or with a tab or a
// carriage return. Apostrophes before that count as well, so that each text has
// a cell of its own.
func risky(s string) bool {
	s = strings.TrimLeft(s, "'")
	if s == "" || number.MatchString(s) {
		return false
	}
	if s[0] == '\t' || s[0] == '\r' {
		return true
	}
	s = strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) })
	for _, r := range s {
		return strings.ContainsRune("=+-@＝＋－＠", r)
	}
	return false
}
