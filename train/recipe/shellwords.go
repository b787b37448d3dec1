package recipe

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"omniscope/internal/commandline"
)

// words makes words of a command. Variables are put in where they were set before; others stay as they are written.
func (s *script) words(list []*syntax.Word) (all []word, err error) {
	for _, w := range list {
		words, err := s.expand(w)
		if err != nil {
			return nil, err
		}
		all = append(all, words...)
		if len(all) > mostWords {
			return nil, s.tooMuch(w)
		}
	}
	return all, nil
}

// Variables of variables double with each line.
const mostText, mostWords = 64 << 10, 10_000

func (s *script) tooMuch(n syntax.Node) error {
	return s.unreadable(int(n.Pos().Line()), s.written(n), "its variables make more text than settings have")
}

func (s *script) written(n syntax.Node) string {
	return firstLine(s.text[n.Pos().Offset():n.End().Offset()])
}

// An expansion is a word that is put together: the words of arrays, and then its text.
type expansion struct {
	script *script
	words  []word
	now    strings.Builder
	text   bool // the word has text of its own, if only an empty one in quotes
}

// expand returns the words that one word becomes: an array may give any number.
func (s *script) expand(w *syntax.Word) ([]word, error) {
	x := &expansion{script: s}
	if err := x.parts(w.Parts, false); err != nil {
		return nil, err
	}
	if !x.text {
		return x.words, nil
	}
	quoted := false
	switch w.Parts[0].(type) {
	case *syntax.SglQuoted, *syntax.DblQuoted:
		quoted = true
	}
	return append(x.words, word{text: x.now.String(), line: int(w.Pos().Line()), quoted: quoted}), nil
}

func (x *expansion) parts(parts []syntax.WordPart, inQuotes bool) error {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			x.add(commandline.Unescape(part.Value, inQuotes))
		case *syntax.SglQuoted:
			if part.Dollar {
				return x.computed(part)
			}
			x.add(part.Value)
		case *syntax.DblQuoted:
			if len(part.Parts) == 0 {
				x.add("")
			}
			if err := x.parts(part.Parts, true); err != nil {
				return err
			}
		case *syntax.ParamExp:
			if err := x.variable(part, inQuotes); err != nil {
				return err
			}
		case *syntax.ExtGlob:
			x.add(x.script.written(part))
		default:
			return x.computed(part)
		}
	}
	return nil
}

func (x *expansion) add(text string) {
	x.text = true
	x.now.WriteString(text)
}

func (x *expansion) computed(n syntax.Node) error {
	return x.script.unreadable(int(n.Pos().Line()), x.script.written(n), "write the value itself in the place of a command")
}

// variable puts in what a variable holds. One that is not set in the script stays as it is written, as does one that is changed.
func (x *expansion) variable(p *syntax.ParamExp, inQuotes bool) error {
	written := x.script.written(p)
	if p.Param != nil && (p.Param.Value == "@" || p.Param.Value == "*") {
		return x.script.unreadable(int(p.Pos().Line()), written, "it is put in from outside: write the arguments themselves")
	}
	if p.Param == nil || written != "$"+p.Param.Value && written != "${"+p.Param.Value+"}" && written != "${"+p.Param.Value+"[@]}" {
		x.add(written)
		return nil
	}
	value, ok := x.script.variables[p.Param.Value]
	switch {
	case !ok:
		x.add(written)
	case p.Index != nil || !inQuotes && len(value) > 1:
		x.words = append(x.words, value...)
	case len(value) > 0:
		x.add(value[0].text)
	}
	if x.now.Len() > mostText || len(x.words) > mostWords {
		return x.script.tooMuch(p)
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return fmt.Sprintf("%.80s", line)
}
