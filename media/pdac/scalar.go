package pdac

import (
	"fmt"
	"regexp"
	"strings"
)

// scalar writes a text as the value of a key: as it is if YAML reads it as the
// same text then, else in single quotes, else in double quotes with escapes.
func (w *flowWriter) scalar(text string) {
	w.indent += 2
	defer func() { w.indent -= 2 }()
	switch {
	case strings.ContainsFunc(text, special) || strings.Contains(text, " \n") || strings.Contains(text, "\n "):
		w.doubleQuoted([]rune(text))
	case isPlain(text):
		w.plain(text)
	default:
		w.singleQuoted(text)
	}
}

// special reports whether a character needs an escape. PyYAML escapes all that is not
// ASCII unless it is told otherwise.
func special(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }

// isPlain reports whether a text can stand without quotes between brackets.
func isPlain(text string) bool {
	switch {
	case text == "" || strings.Contains(text, "\n") || strings.Trim(text, " ") != text:
		return false
	case strings.HasPrefix(text, "---") || strings.HasPrefix(text, "..."):
		return false
	case strings.ContainsAny(text[:1], "#&*!|>'\"%@`") || strings.ContainsAny(text, ",?:[]{}"):
		return false
	case strings.Contains(text, " #") || text == "-" || strings.HasPrefix(text, "- "):
		return false
	}
	return !otherType.MatchString(text)
}

// otherType matches what a reader of YAML 1.1 takes for another type than text,
// by PyYAML's resolver.
var otherType = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF`,
	`[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?`, `\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?`,
	`[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*`, `[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)`,
	`[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+`, `[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+`,
	`<<|=|~|null|Null|NULL`,
	`[0-9]{4}-[0-9]{2}-[0-9]{2}`,
	`[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9][0-9]?(?::[0-9][0-9])?))?`,
}, "|") + `)$`)

// plain writes words and the runs of spaces between them. A single space in a
// line that is already too long becomes a line break.
func (w *flowWriter) plain(text string) {
	w.spaced("")
	for text != "" {
		word, rest := cutRun(text, func(r rune) bool { return r != ' ' })
		w.put(word)
		text = w.blanks(rest, true)
	}
}

// blanks writes the spaces that a text starts with and returns the rest.
func (w *flowWriter) blanks(text string, mayBreak bool) string {
	blanks, rest := cutRun(text, func(r rune) bool { return r == ' ' })
	if blanks == " " && w.column > widest && mayBreak {
		w.breakLine()
	} else {
		w.put(blanks)
	}
	return rest
}

// cutRun cuts off the characters at the start of a text that fit.
func cutRun(text string, fits func(rune) bool) (run, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return !fits(r) })
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

// singleQuoted writes a text in which only quotes are doubled. A line break is
// written as an empty line, for a reader makes a space of a single one.
func (w *flowWriter) singleQuoted(text string) {
	w.spaced("'")
	for at, rest := 0, text; rest != ""; at = len(text) - len(rest) {
		switch rest[0] {
		case ' ':
			after := strings.TrimLeft(rest, " ")
			rest = w.blanks(rest, at > 0 && after != "")
		case '\n':
			var breaks string
			breaks, rest = cutRun(rest, func(r rune) bool { return r == '\n' })
			w.out = append(append(w.out, '\n'), breaks[1:]...)
			w.breakLine()
		default:
			var word string
			word, rest = cutRun(rest, func(r rune) bool { return r != ' ' && r != '\n' })
			w.put(strings.ReplaceAll(word, "'", "''"))
		}
	}
	w.put("'")
}

// escapes of double quotes that have a letter.
var escapes = map[rune]string{
	0: "0", '\a': "a", '\b': "b", '\t': "t", '\n': "n", '\v': "v", '\f': "f", '\r': "r", 0x1b: "e", '"': `"`, '\\': `\`,
	0x85: "N", 0xa0: "_", 0x2028: "L", 0x2029: "P",
}

// doubleQuoted writes a text with escapes. A line that gets too long is broken
// before a space or after an escape, by a backslash at its end.
func (w *flowWriter) doubleQuoted(text []rune) {
	w.spaced(`"`)
	start := 0 // of what is not written yet
	for i, r := range text {
		if special(r) || r == '\n' || r == '"' || r == '\\' {
			w.put(string(text[start:i]) + escape(r))
			start = i + 1
		}
		if 0 < i && i < len(text)-1 && (r == ' ' || start >= i) && w.column+i-start > widest {
			w.put(string(text[min(start, i):i]) + `\`)
			start = max(start, i)
			w.breakLine()
			if text[start] == ' ' {
				w.put(`\`)
			}
		}
	}
	w.put(string(text[start:]) + `"`)
}

func escape(r rune) string {
	if letter, ok := escapes[r]; ok {
		return `\` + letter
	}
	switch {
	case r <= 0xff:
		return fmt.Sprintf(`\x%02X`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04X`, r)
	}
	return fmt.Sprintf(`\U%08X`, r)
}
