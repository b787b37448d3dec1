// Package commandline splits commands that users give as one string, such as
// exec:'python3 birds.py'. It runs nothing, and no shell does: variables,
// patterns and "~" stay as they are written.
package commandline

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Split returns the words of a command: by the rules of a POSIX shell, and on
// Windows by CommandLineToArgvW's, in which a backslash separates folders.
func Split(line string) ([]string, error) { return split(line, runtime.GOOS) }

func split(line, system string) ([]string, error) {
	if system == "windows" {
		return windowsWords(line), nil
	}
	var words []string
	for w, err := range syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).WordsSeq(strings.NewReader(line)) {
		var bad syntax.ParseError
		switch {
		case errors.As(err, &bad) && strings.Contains(bad.Text, "not a valid word"):
			return nil, fmt.Errorf("column %d: %s: no shell reads the command: put the character in quotes, or name a shell, as in sh -c '...'", bad.Pos.Col(), bad.Text)
		case errors.As(err, &bad):
			return nil, fmt.Errorf("column %d: %s", bad.Pos.Col(), bad.Text)
		case err != nil:
			return nil, err
		}
		text, err := wordText(line, w.Parts, false)
		if err != nil {
			return nil, err
		}
		words = append(words, text)
	}
	return words, nil
}

// wordText returns a word without its quotes.
func wordText(line string, parts []syntax.WordPart, quoted bool) (string, error) {
	var b strings.Builder
	for _, part := range parts {
		written := line[part.Pos().Offset():part.End().Offset()]
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(Unescape(part.Value, quoted))
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			text, err := wordText(line, part.Parts, true)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		case *syntax.ParamExp:
			b.WriteString(written)
		default:
			return "", fmt.Errorf("no shell runs %s: put it in single quotes, or name a shell, as in sh -c '...'", written)
		}
	}
	return b.String(), nil
}

// Unescape takes the backslashes out of a part of a word of a POSIX shell,
// given whether it is in double quotes, where most of them are kept (POSIX.1
// Shell Command Language, 2.2).
func Unescape(literal string, quoted bool) string {
	var b strings.Builder
	for i := 0; i < len(literal); i++ {
		if literal[i] == '\\' && i+1 < len(literal) && (!quoted || strings.IndexByte("$`\"\\\n", literal[i+1]) >= 0) {
			if i++; literal[i] == '\n' {
				continue
			}
		}
		b.WriteByte(literal[i])
	}
	return b.String()
}
