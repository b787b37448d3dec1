package commandline

import "strings"

// windowsWords splits a command as CommandLineToArgvW does: the program's name
// ends at a blank or its closing quote, with every backslash kept; after it, 2n
// backslashes before a quote are n and the quote is a mark, 2n+1 are n and the
// quote is a character, and two quotes within quotes are one
// (learn.microsoft.com, "Parsing C command-line arguments"). A quote that is not
// closed ends with the command.
func windowsWords(line string) []string {
	line = strings.TrimLeft(line, " \t\r\n")
	if line == "" {
		return nil
	}
	program, rest := windowsProgram(line)
	words := []string{program}
	for {
		if rest = strings.TrimLeft(rest, " \t\r\n"); rest == "" {
			return words
		}
		var word string
		word, rest = windowsWord(rest)
		words = append(words, word)
	}
}

func windowsProgram(line string) (program, rest string) {
	quoted := false
	end := strings.IndexFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && strings.ContainsRune(" \t\r\n", r)
	})
	if end < 0 {
		end = len(line)
	}
	return strings.ReplaceAll(line[:end], `"`, ""), line[end:]
}

func windowsWord(line string) (word, rest string) {
	var b strings.Builder
	quoted, slashes := false, 0
	for i := 0; i < len(line); i++ {
		c := line[i]
		if c == '\\' {
			slashes++
			continue
		}
		if c == '"' {
			b.WriteString(strings.Repeat(`\`, slashes/2))
		} else {
			b.WriteString(strings.Repeat(`\`, slashes))
		}
		odd := slashes%2 == 1
		slashes = 0
		switch {
		case c == '"' && odd:
			b.WriteByte(c)
		case c == '"' && quoted && strings.HasPrefix(line[i+1:], `"`):
			b.WriteByte(c)
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && strings.IndexByte(" \t\r\n", c) >= 0:
			return b.String(), line[i:]
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + strings.Repeat(`\`, slashes), ""
}
