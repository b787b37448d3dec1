package recipe

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"omniscope"
)

// A found is a setting as a file has it.
type found struct {
	name, value string
	line        int
}

// A script is what a shell script sets and starts.
type script struct {
	file        string
	text        string
	environment []found // exported, or in front of the command
	args        []found // of `swift sft`, names with their dashes
	variables   map[string][]word
	started     int
}

// A word is one of a command's words, without quotes.
type word struct {
	text   string
	line   int
	quoted bool // begins with a quote: no assignment
}

// readScript reads a script as recipes have it and as people edit it: comments, quotes, line continuations, variables, arrays,
// export, assignments in front of a command, redirections and pipes. Anything else is an error that quotes it.
func readScript(file string, text []byte) (*script, error) {
	s := &script{file: file, text: string(text), variables: make(map[string][]word)}
	if before, _, ok := strings.Cut(s.text, "\\\r\n"); ok {
		return nil, s.unreadable(strings.Count(before, "\n")+1, `\`, "the file has line ends of Windows, which bash does not take for line ends: convert it")
	}
	tree, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(s.text), file)
	var bad syntax.ParseError
	var other syntax.LangError
	switch {
	case errors.As(err, &bad):
		return nil, s.unreadable(int(bad.Pos.Line()), s.line(bad.Pos), bad.Text)
	case errors.As(err, &other):
		return nil, s.unreadable(int(other.Pos.Line()), s.line(other.Pos), "it is not for bash")
	case err != nil:
		return nil, omniscope.Invalidf("%s cannot be read: %v", file, err)
	}
	if err := s.statements(tree.Stmts...); err != nil {
		return nil, err
	}
	if s.started != 1 {
		return nil, omniscope.Invalidf("%s starts `swift sft` %d times; it must once", file, s.started)
	}
	return s, nil
}

// unreadable is the error for a place in the script.
func (s *script) unreadable(line int, text, why string) error {
	return omniscope.Invalidf("%s:%d: %q cannot be read: %s", s.file, line, text, why)
}

// line is the line of a place.
func (s *script) line(p syntax.Pos) string {
	at := min(int(p.Offset()), len(s.text))
	return firstLine(s.text[strings.LastIndexByte(s.text[:at], '\n')+1:])
}

// lineAt is the rest of the line at a place.
func (s *script) lineAt(p syntax.Pos) string {
	return firstLine(s.text[min(int(p.Offset()), len(s.text)):])
}

func (s *script) statements(list ...*syntax.Stmt) error {
	for _, stmt := range list {
		for _, r := range stmt.Redirs {
			if r.Hdoc != nil || r.Op == syntax.WordHdoc {
				return s.unreadable(int(r.Pos().Line()), s.lineAt(r.Pos()), "write the settings as plain lines")
			}
			if _, err := s.expand(r.Word); err != nil {
				return err
			}
		}
		if err := s.command(stmt.Cmd); err != nil {
			return err
		}
	}
	return nil
}

func (s *script) command(c syntax.Command) error {
	switch c := c.(type) {
	case nil: // redirections alone
		return nil
	case *syntax.CallExpr:
		return s.call(c)
	case *syntax.DeclClause:
		return s.declare(c)
	case *syntax.BinaryCmd:
		return s.statements(c.X, c.Y)
	case *syntax.TimeClause:
		if c.Stmt == nil {
			return nil
		}
		return s.statements(c.Stmt)
	case *syntax.Subshell:
		return s.unreadable(int(c.Pos().Line()), "(", "write the commands without a subshell")
	}
	text, _, _ := strings.Cut(s.lineAt(c.Pos()), " ")
	return s.unreadable(int(c.Pos().Line()), text, "write the settings as plain lines, without conditions, loops and other files")
}

var assignment = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\+?=`)

var notRead = []string{"source", ".", "eval", "unset", "trap", "alias"}

// call takes in what a command sets; the training also has arguments.
func (s *script) call(c *syntax.CallExpr) error {
	local, err := s.assign(c.Assigns)
	if err != nil {
		return err
	}
	words, err := s.words(c.Args)
	if err != nil {
		return err
	}
	for ; len(words) > 0; words = words[1:] {
		w := words[0]
		if m := assignment.FindStringSubmatch(w.text); m != nil && !w.quoted { // of env
			local = append(local, found{m[1], w.text[len(m[0]):], w.line})
			continue
		}
		switch {
		case slices.Contains([]string{"exec", "nohup", "env", "time", "command"}, w.text):
			continue
		case slices.Contains(notRead, w.text) && !w.quoted:
			return s.unreadable(w.line, w.text, "write the settings as plain lines, without conditions, loops and other files")
		case w.text == "swift" && len(words) > 1 && words[1].text == "sft":
			s.environment = append(s.environment, local...)
			s.started++
			return s.arguments(words[2:])
		case w.text == "swift" || strings.HasSuffix(w.text, "torchrun") || w.text == "megatron":
			return s.unreadable(w.line, joined(words[:min(6, len(words))]), "only `swift sft` is read")
		}
		return nil // a command that sets nothing, such as set, cd or echo
	}
	return nil
}

// assign keeps variables, and returns the variables of one value.
func (s *script) assign(list []*syntax.Assign) (single []found, err error) {
	for _, a := range list {
		if a.Index != nil {
			return nil, s.unreadable(int(a.Pos().Line()), s.lineAt(a.Pos()), "write arrays as NAME=(...)")
		}
		name, line, before := a.Name.Value, int(a.Pos().Line()), []word(nil)
		if a.Append {
			before = s.variables[name]
		}
		if a.Array != nil {
			for _, e := range a.Array.Elems {
				if e.Index != nil {
					return nil, s.unreadable(line, s.lineAt(a.Pos()), "write arrays as NAME=(...)")
				}
				values, err := s.expand(e.Value)
				if err != nil {
					return nil, err
				}
				before = append(slices.Clip(before), values...)
			}
			s.variables[name] = before
			continue
		}
		var values []word
		if a.Value != nil {
			if values, err = s.expand(a.Value); err != nil {
				return nil, err
			}
		}
		value := joined(values)
		if len(before) == 1 {
			value = before[0].text + value
		}
		s.variables[name] = []word{{text: value, line: line}}
		single = append(single, found{name, value, line})
	}
	return single, nil
}

// declare reads export, declare and readonly.
func (s *script) declare(c *syntax.DeclClause) error {
	for _, a := range c.Args {
		switch {
		case a.Array != nil:
			return s.unreadable(int(a.Pos().Line()), s.lineAt(a.Pos()), "only NAME=VALUE can be exported")
		case a.Name == nil: // an option
		case a.Naked:
			if value := s.variables[a.Name.Value]; len(value) == 1 {
				s.environment = append(s.environment, found{a.Name.Value, value[0].text, int(a.Pos().Line())})
			}
		default:
			single, err := s.assign([]*syntax.Assign{a})
			if err != nil {
				return err
			}
			s.environment = append(s.environment, single...)
		}
	}
	return nil
}

// arguments reads the arguments of the training.
func (s *script) arguments(words []word) error {
	for i := 0; i < len(words); i++ {
		w := words[i]
		name, value, together := strings.Cut(w.text, "=")
		if !strings.HasPrefix(name, "--") {
			return s.unreadable(w.line, w.text, "it belongs to no argument")
		}
		first := i + 1
		for !together && i+1 < len(words) && !strings.HasPrefix(words[i+1].text, "--") {
			i++
		}
		switch values := words[first : i+1]; {
		case together:
		case len(values) == 0:
			value = "true" // as ms-swift takes an argument without a value
		default:
			value = joined(values)
		}
		s.args = append(s.args, found{name, value, w.line})
	}
	return nil
}

func joined(words []word) string {
	text := make([]string, len(words))
	for i, w := range words {
		text[i] = w.text
	}
	return strings.Join(text, " ")
}
