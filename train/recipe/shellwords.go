package recipe

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var reference = regexp.MustCompile(`^\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(\[@\])?\})`)

// split makes words of a script's text. Variables are put in where they were set before; others stay as they are written.
func (s *script) split(text string) ([]word, error) {
	p := &splitter{script: s, text: text, line: 1}
	return p.all()
}

// A splitter reads a script from its start to its end.
type splitter struct {
	script *script
	text   string // what is left
	line   int
	words  []word
	now    strings.Builder
	open   bool // a word has begun
	quoted bool
	spread bool // "${array[@]}": the words stand in words already
}

func (p *splitter) all() ([]word, error) {
	for p.text != "" {
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	p.end()
	return append(p.words, word{text: "\n", line: p.line, operator: true}), nil
}

// next reads a character, a quoted text, an operator or a comment.
func (p *splitter) next() error {
	switch c := p.text[0]; {
	case strings.HasPrefix(p.text, "\\\n"):
		p.take(2)
	case strings.HasPrefix(p.text, "\\\r\n"):
		return p.script.unreadable(p.line, `\`, "the file has line ends of Windows, which bash does not take for line ends: convert it")
	case c == '\\' && len(p.text) > 1:
		p.begin(false)
		p.now.WriteByte(p.text[1])
		p.take(2)
	case c == ' ' || c == '\t' || c == '\r':
		p.end()
		p.take(1)
	case c == '#' && !p.open:
		end := strings.IndexByte(p.text+"\n", '\n')
		p.text = p.text[end:]
	case c == '\'':
		return p.single()
	case c == '"':
		return p.double()
	case c == '$':
		p.begin(false)
		return p.variable(false)
	case c == '`':
		return p.script.unreadable(p.line, firstLine(p.text), "write the value itself in the place of a command")
	case strings.HasPrefix(p.text, "<<"):
		return p.script.unreadable(p.line, firstLine(p.text), "write the settings as plain lines")
	case strings.IndexByte("\n;&|()<>", c) >= 0:
		p.operator()
	default:
		p.begin(false)
		p.now.WriteByte(c)
		p.take(1)
	}
	return nil
}

func (p *splitter) take(n int) {
	p.line += strings.Count(p.text[:n], "\n")
	p.text = p.text[n:]
}

func (p *splitter) begin(quoted bool) {
	if !p.open {
		p.open, p.quoted = true, quoted
	}
}

func (p *splitter) end() {
	if p.open && !(p.spread && p.now.Len() == 0) {
		p.words = append(p.words, word{text: p.now.String(), line: p.line, quoted: p.quoted})
	}
	p.now.Reset()
	p.open, p.spread = false, false
}

// operator reads the end of a command, a parenthesis or a redirection. 2>&1 is one.
func (p *splitter) operator() {
	if p.open && strings.Trim(p.now.String(), "0123456789") == "" && (p.text[0] == '>' || p.text[0] == '<') {
		p.now.Reset() // the number of a stream
		p.open = false
	}
	p.end()
	for _, o := range []string{"&>>", "&>", ">>", ">&", "&&", "||", "|&", ">", "<", "\n", ";", "&", "|", "(", ")"} {
		if strings.HasPrefix(p.text, o) {
			text := o
			if strings.ContainsAny(o, "<>") {
				text = ">"
			}
			p.words = append(p.words, word{text: text, line: p.line, operator: true})
			p.take(len(o))
			return
		}
	}
}

func (p *splitter) single() error {
	end := strings.IndexByte(p.text[1:], '\'')
	if end < 0 {
		return p.script.unreadable(p.line, firstLine(p.text), "its quote does not end")
	}
	p.begin(true)
	p.now.WriteString(p.text[1 : end+1])
	p.take(end + 2)
	return nil
}

func (p *splitter) double() error {
	begun, line := firstLine(p.text), p.line
	p.begin(true)
	for p.take(1); p.text != ""; {
		switch c := p.text[0]; {
		case c == '"':
			p.take(1)
			return nil
		case strings.HasPrefix(p.text, "\\\n"):
			p.take(2)
		case c == '\\' && len(p.text) > 1 && strings.IndexByte("$`\"\\", p.text[1]) >= 0:
			p.now.WriteByte(p.text[1])
			p.take(2)
		case c == '`':
			return p.script.unreadable(p.line, firstLine(p.text), "write the value itself in the place of a command")
		case c == '$':
			if err := p.variable(true); err != nil {
				return err
			}
		default:
			p.now.WriteByte(c)
			p.take(1)
		}
	}
	return p.script.unreadable(line, begun, "its quote does not end")
}

// variable puts in what a variable holds. One that is not set in the script stays as it is written.
func (p *splitter) variable(inQuotes bool) error {
	if strings.HasPrefix(p.text, "$@") || strings.HasPrefix(p.text, "$*") {
		return p.script.unreadable(p.line, firstLine(p.text), "it is put in from outside: write the arguments themselves")
	}
	if strings.HasPrefix(p.text, "$(") || strings.HasPrefix(p.text, "$'") && !inQuotes {
		return p.script.unreadable(p.line, firstLine(p.text), "write the value itself in the place of a command")
	}
	m := reference.FindStringSubmatch(p.text)
	if m == nil {
		end := 1
		if strings.HasPrefix(p.text, "${") {
			if end = strings.IndexByte(p.text, '}') + 1; end == 0 {
				return p.script.unreadable(p.line, firstLine(p.text), "its } is missing")
			}
		}
		p.now.WriteString(p.text[:end])
		p.take(end)
		return nil
	}
	value, ok := p.valueOf(m[1] + m[2])
	const mostText, mostWords = 64 << 10, 10_000 // variables of variables double with each line
	switch {
	case p.now.Len() > mostText || len(p.words) > mostWords:
		return p.script.unreadable(p.line, m[0], "its variables make more text than settings have")
	case !ok:
		p.now.WriteString(m[0])
	case m[3] != "" || !inQuotes && len(value) > 1:
		p.words = append(p.words, value...)
		p.spread = true
	case len(value) > 0:
		p.now.WriteString(value[0].text)
	}
	p.take(len(m[0]))
	return nil
}

// valueOf looks a variable up among the assignments read so far.
func (p *splitter) valueOf(name string) ([]word, bool) {
	s := &script{file: p.script.file, variables: make(map[string][]word)}
	for words := slices.Clone(p.words); len(words) > 0; {
		var command []word
		command, words = s.command(words)
		_, _ = s.run(command) // what cannot be read is told when the whole is read
	}
	value, ok := s.variables[name]
	return value, ok
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return fmt.Sprintf("%.80s", line)
}
