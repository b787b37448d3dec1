// Package filename makes names of files from names of systems, models and clips.
package filename

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Names of results are at most so long, so that what is put around them fits
// into the 255 bytes that a file's name may have.
const (
	mostCharacters = 80
	mostBytes      = 200
)

// Safe makes a name of a system or clip safe as part of a file's name, in
// its own script. ASCII that is not a letter, a digit, a point, a dash or an
// underscore becomes an underscore. Where anything else is changed or cut, a
// digest of the name is added, so that different names stay different.
func Safe(s string) string {
	whole := norm.NFC.String(s)
	name := strings.Map(safeRune, whole)
	changed := strings.ContainsRune(name, '\uFFFD') || !isASCII(s) && name != whole
	name = strings.ReplaceAll(name, "\uFFFD", "_")
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") {
		name, changed = "_"+name[1:], true
	}
	if strings.HasSuffix(name, ".") {
		name, changed = name[:len(name)-1]+"_", true
	}
	if isReserved(name) {
		name, changed = "_"+name, true
	}
	if short := cutName(name); short != name {
		name, changed = short, true
	}
	if changed {
		name += fmt.Sprintf("-%x", sha256.Sum256([]byte(s)))[:9]
	}
	return name
}

// safeRune keeps what every file system bears and a terminal shows. U+FFFD
// stands for what is not kept, and for bytes that are not UTF-8.
func safeRune(r rune) rune {
	switch {
	case r == '-' || r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z':
		return r
	case r < utf8.RuneSelf:
		return '_'
	case !unicode.IsPrint(r): // controls, spaces of other widths, marks of direction
		return '\uFFFD'
	}
	return r
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// isReserved reports whether Windows takes a name for a device, whatever its
// ending.
func isReserved(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	if slices.Contains([]string{"con", "prn", "aux", "nul"}, base) {
		return true
	}
	return len(base) == 4 && (strings.HasPrefix(base, "com") || strings.HasPrefix(base, "lpt")) && base[3] >= '0' && base[3] <= '9'
}

// cutName cuts a name that is too long between two characters, marks and all.
func cutName(name string) string {
	end, count := len(name), 0
	for i, r := range name {
		if i+utf8.RuneLen(r) > mostBytes || count == mostCharacters {
			end = i
			break
		}
		count++
	}
	for end > 0 && end < len(name) {
		if r, _ := utf8.DecodeRuneInString(name[end:]); !unicode.IsMark(r) {
			break
		}
		_, size := utf8.DecodeLastRuneInString(name[:end])
		end -= size
	}
	return name[:end]
}

// Numbered is the n-th name, from 1, of several that would be the same.
func Numbered(base string, n int) string {
	if n == 1 {
		return base
	}
	return fmt.Sprintf("%s-%d", base, n)
}
