package recipe

import (
	"regexp"
	"slices"
	"strings"

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
	environment []found // exported, or in front of the command
	args        []found // of `swift sft`, names with their dashes
	variables   map[string][]word
}

// A word is one of a command's words, without quotes.
type word struct {
	text     string
	line     int
	operator bool // ends a command, or is a parenthesis or redirection
	quoted   bool // begins with a quote: no assignment, comment or parenthesis
}

// readScript reads a script as recipes have it and as people edit it: comments, quotes, line continuations, variables, arrays,
// export, assignments in front of a command, redirections and pipes. Anything else is an error that quotes it.
func readScript(file string, text []byte) (*script, error) {
	s := &script{file: file, variables: make(map[string][]word)}
	words, err := s.split(string(text))
	if err != nil {
		return nil, err
	}
	started := 0
	for len(words) > 0 {
		var command []word
		command, words = s.command(words)
		ran, err := s.run(command)
		if err != nil {
			return nil, err
		}
		if ran {
			started++
		}
	}
	if started != 1 {
		return nil, omniscope.Invalidf("%s starts `swift sft` %d times; it must once", file, started)
	}
	return s, nil
}

// unreadable is the error for a place in the script.
func (s *script) unreadable(line int, text, why string) error {
	return omniscope.Invalidf("%s:%d: %q cannot be read: %s", s.file, line, text, why)
}

// command takes the words up to the end of a command, an array's parentheses included.
func (s *script) command(words []word) (command, rest []word) {
	depth := 0
	for i, w := range words {
		switch {
		case w.operator && w.text == "(":
			depth++
		case w.operator && w.text == ")":
			depth--
		case w.operator && depth == 0 && w.text != ">" && w.text != "<":
			return command, words[i+1:]
		}
		if !w.operator || w.text != "\n" {
			command = append(command, w)
		}
	}
	return command, nil
}

var assignment = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)(\+?)=`)

// run takes in what a command sets, and reports whether it is the training.
func (s *script) run(command []word) (bool, error) {
	var local []found
	for len(command) > 0 {
		w := command[0]
		m := assignment.FindStringSubmatch(w.text)
		switch {
		case w.operator && w.text == "(":
			return false, s.unreadable(w.line, "(", "write the commands without a subshell")
		case m != nil && !w.quoted:
			n, err := s.assign(command, m[1], m[2] == "+")
			if err != nil {
				return false, err
			}
			if value := s.variables[m[1]]; len(value) == 1 && m[1] != "" {
				local = append(local, found{m[1], value[0].text, w.line})
			}
			command = command[n:]
			continue
		case slices.Contains([]string{"exec", "nohup", "env", "time", "command"}, w.text):
			command = command[1:]
			continue
		case w.text == "export" || w.text == "declare" || w.text == "readonly":
			return false, s.export(command[1:])
		case slices.Contains(notRead, w.text) && !w.quoted:
			return false, s.unreadable(w.line, w.text, "write the settings as plain lines, without conditions, loops and other files")
		case w.text == "swift" && len(command) > 1 && command[1].text == "sft":
			s.environment = append(s.environment, local...)
			return true, s.arguments(command[2:])
		case w.text == "swift" || strings.HasSuffix(w.text, "torchrun") || w.text == "megatron":
			return false, s.unreadable(w.line, joined(command), "the settings are those of `swift sft`")
		}
		return false, nil // a command that sets nothing, such as set, cd or echo
	}
	return false, nil
}

var notRead = []string{"source", ".", "if", "then", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "function", "eval", "unset", "{", "}", "[[", "trap", "alias"}

// assign keeps a variable and returns how many words that took.
func (s *script) assign(command []word, name string, more bool) (int, error) {
	w := command[0]
	value := w.text[strings.Index(w.text, "=")+1:]
	if value != "" || len(command) == 1 || !command[1].operator || command[1].text != "(" || command[1].line != w.line {
		if more && len(s.variables[name]) == 1 {
			value = s.variables[name][0].text + value
		}
		s.variables[name] = []word{{text: value, line: w.line}}
		return 1, nil
	}
	end := slices.IndexFunc(command, func(w word) bool { return w.operator && w.text == ")" })
	if end < 0 {
		return 0, s.unreadable(w.line, w.text+"(", "its ) is missing")
	}
	if !more {
		s.variables[name] = nil
	}
	s.variables[name] = append(s.variables[name], command[2:end]...)
	return end + 1, nil
}

func (s *script) export(words []word) error {
	for _, w := range words {
		m := assignment.FindStringSubmatch(w.text)
		switch {
		case w.operator:
			return s.unreadable(w.line, w.text, "only NAME=VALUE can be exported")
		case m != nil:
			value := w.text[len(m[0]):]
			s.variables[m[1]] = []word{{text: value, line: w.line}}
			s.environment = append(s.environment, found{m[1], value, w.line})
		case len(s.variables[w.text]) == 1:
			s.environment = append(s.environment, found{w.text, s.variables[w.text][0].text, w.line})
		}
	}
	return nil
}

// arguments takes the arguments of the training apart.
func (s *script) arguments(words []word) error {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w.operator {
			i++ // a redirection, and where it leads
			continue
		}
		name, value, joined := strings.Cut(w.text, "=")
		if !strings.HasPrefix(name, "--") {
			return s.unreadable(w.line, w.text, "it belongs to no argument")
		}
		a := found{name, value, w.line}
		var values []string
		for ; !joined && i+1 < len(words) && !words[i+1].operator && !strings.HasPrefix(words[i+1].text, "--"); i++ {
			values = append(values, words[i+1].text)
		}
		if !joined {
			a.value = strings.Join(values, " ")
		}
		if !joined && values == nil {
			a.value = "true" // as ms-swift takes an argument without a value
		}
		s.args = append(s.args, a)
	}
	return nil
}

func joined(words []word) string {
	var text []string
	for _, w := range words[:min(6, len(words))] {
		text = append(text, w.text)
	}
	return strings.Join(text, " ")
}
