// Package langcode reads the codes of languages that users write, such as de,
// en-GB or zho.
package langcode

import (
	"strings"

	"golang.org/x/text/language"
)

// Base is a code without country and script, in lower case: en of en-GB.
func Base(code string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(code), "_", "-"), "-")
	return base
}

// Check reports whether a code is the usual one of its language, which has two
// letters wherever there is such a code. Of other codes of a language that is
// known, usual is the code to write.
func Check(code string) (usual string, ok bool) {
	base := Base(code)
	tag, err := language.All.Parse(base)
	if err != nil || tag == language.Und {
		return "", false
	}
	known, _ := tag.Base()
	switch usual = known.String(); {
	case len(base) == 2 || usual == base:
		return base, true // some languages have a code of three letters only
	case len(usual) == 2:
		return usual, false
	}
	return "", false
}
