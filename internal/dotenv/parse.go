package dotenv

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// parse reads lines of NAME=value as shells and godotenv do: "export " before
// the name, blanks around the sign, which may be a colon, comments from # on,
// values in quotes, which may have several lines, and in all but single quotes
// $NAME or ${NAME}, in
// capitals, for a value that an earlier line of the file has set. A line
// that cannot be read takes no other with it.
func parse(text string) (settings []setting, problems []problem) {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return nil, []problem{{What: "it is in UTF-16: save it as UTF-8"}}
	}
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	known := &earlier{values: make(map[string]string)}
	for i := 0; i < len(lines); {
		name, value, used, what := statement(lines[i:], known)
		switch {
		case what != "":
			problems = append(problems, problem{Line: i + 1, What: what})
		case name != "":
			settings = append(settings, setting{Name: name, Value: value, Line: i + 1})
			known.values[name] = value
		}
		i += used
	}
	return settings, problems
}

var assignment = regexp.MustCompile(`^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.]*)[ \t]*[=:][ \t]*`)

// statement reads what starts in the first line: nothing, a setting, or what is
// wrong with it; used says how many lines it takes.
func statement(lines []string, known *earlier) (name, value string, used int, what string) {
	line := strings.TrimRight(lines[0], " \t\r")
	start := strings.TrimLeft(line, " \t")
	if start == "" || strings.HasPrefix(start, "#") {
		return "", "", 1, ""
	}
	found := assignment.FindStringSubmatch(line)
	if found == nil {
		return "", "", 1, "the line is not of the form NAME=value"
	}
	name, rest := found[1], line[len(found[0]):]
	used = 1
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		value, used, what = quoted(rest, lines[1:], known)
	} else {
		value, what = known.expand(uncommented(rest))
	}
	switch {
	case what != "":
	case !utf8.ValidString(value):
		what = "the value is not UTF-8"
	case strings.Contains(value, "\x00"):
		what = "the value has a zero byte"
	}
	return name, value, used, what
}

// uncommented is a value without quotes up to a comment.
func uncommented(rest string) string {
	for i := range len(rest) {
		if rest[i] == '#' && (i == 0 || rest[i-1] == ' ' || rest[i-1] == '\t') {
			rest = rest[:i]
			break
		}
	}
	return strings.TrimRight(rest, " \t")
}

// quoted reads a value that starts with a quotation mark and may go on in
// further lines. If the mark is never closed, only the first line is lost.
func quoted(rest string, further []string, known *earlier) (value string, used int, what string) {
	mark, line := rest[0], rest[1:]
	var inside strings.Builder
	for used = 1; ; used++ {
		if end := closing(line, mark); end >= 0 {
			inside.WriteString(line[:end])
			if after := strings.TrimLeft(line[end+1:], " \t\r"); after != "" && after[0] != '#' {
				return "", used, "something stands after the closing quotation mark"
			}
			break
		}
		if used > len(further) {
			return "", 1, "the quotation mark is not closed"
		}
		inside.WriteString(line + "\n")
		line = strings.TrimSuffix(further[used-1], "\r")
	}
	if mark == '\'' {
		return inside.String(), used, ""
	}
	value, what = known.expand(unescape(inside.String()))
	return value, used, what
}

// closing finds the first mark that is not escaped; -1 = none.
func closing(text string, mark byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case mark:
			return i
		}
	}
	return -1
}

// unescape reads the escapes of a value in double quotes. \$ is left for expand.
func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			out.WriteByte('\n')
		case 'r':
			out.WriteByte('\r')
		case '$':
			out.WriteString(`\$`)
		default:
			out.WriteByte(s[i])
		}
	}
	return out.String()
}

var variable = regexp.MustCompile(`\\?\$(?:\{[A-Z0-9_]+\}|[A-Z0-9_]+)`)

// mostExpanded bounds, in bytes, what lines that name each other can grow to.
const mostExpanded = 1 << 20

// earlier are the values that the lines before have set.
type earlier struct {
	values   map[string]string
	expanded int // bytes put into other values so far
}

// expand replaces $NAME and ${NAME}. The environment is not looked at: a file
// must not be able to put its values into others, such as an address.
func (e *earlier) expand(s string) (value, what string) {
	value = variable.ReplaceAllStringFunc(s, func(found string) string {
		if found[0] == '\\' {
			return found[1:]
		}
		put := e.values[strings.Trim(found[1:], "{}")]
		if e.expanded += len(put); e.expanded > mostExpanded {
			what = "the values that lines take from each other are longer than 1 MiB"
			return ""
		}
		return put
	})
	return value, what
}
