package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// clean makes text from data fit for one line of a terminal or a page: line
// breaks become spaces, and what could steer a terminal or turn the reading
// direction is shown as its code.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.IndexFunc(s, steers) < 0 {
		return s
	}
	var out strings.Builder
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			out.WriteByte(' ')
		case steers(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// steers reports whether r acts rather than being shown. The joiners of
// scripts and emoji, also of category Cf, are let through.
func steers(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029':
		return true
	case r == '\u200c', r == '\u200d', r == '\u00ad':
		return false
	}
	return unicode.Is(unicode.Cf, r)
}

var markdownSpecial = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "<", `\<`, ">", `\>`, "#", `\#`, "&", `\&`,
	"](", `]\(`) // no links: a name must not fetch anything

// escape makes text from data plain text in a line or a table cell of Markdown.
func escape(s string) string { return markdownSpecial.Replace(clean(s)) }

var shellPlain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shell writes a command as one would type it.
func shell(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = a
		if !shellPlain.MatchString(a) {
			quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
