package report

import (
	"regexp"
	"strings"

	"omniscope/internal/visible"
)

// clean makes text from data fit for one line of a terminal or a page.
func clean(s string) string { return visible.Line(s) }

var markdownSpecial = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "<", `\<`, ">", `\>`, "#", `\#`, "&", `\&`,
	"](", `]\(`) // no links: a name must not fetch anything

// escape makes text from data plain text in a line or a table cell of Markdown.
func escape(s string) string { return markdownSpecial.Replace(clean(s)) }

// MarkdownText makes a text of others plain text in a line or a table cell of Markdown.
func MarkdownText(s string) string { return escape(s) }

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
