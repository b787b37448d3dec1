// Package pyliteral reads Python literals, as judges write them that were asked for a
// dictionary: what ast.literal_eval reads, but for complex numbers and bytes.
package pyliteral

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Errors, as Python names them.
var (
	// errSyntax is of text that is no Python expression, such as one in a fence.
	errSyntax = errors.New("SyntaxError")
	// errValue is of an expression that is no literal, such as one with a name.
	errValue = errors.New("ValueError")
)

// A Dict is a dictionary in its order; a key that is there twice has its last value.
type Dict struct {
	Keys   []any
	Values []any
}

// Get is the value of a key that is a text.
func (d Dict) Get(key string) (value any, ok bool) {
	for i, k := range d.Keys {
		if k == key {
			value, ok = d.Values[i], true
		}
	}
	return value, ok
}

// mostDeep bounds the nesting, so that a reply cannot use up the stack. Python's own limit is
// near.
const mostDeep = 90

// Parse reads a literal. It is nil (None), bool, *big.Int, float64, string, []any (a list, a
// tuple or a set) or Dict. Blanks before it are allowed, as literal_eval allows them, and
// anything behind it is an error.
func Parse(text string) (any, error) {
	p := &parser{text: strings.TrimLeft(text, " \t")}
	if bare := strings.TrimLeft(p.text, "\n"); bare != p.text {
		if p.text = bare; strings.HasPrefix(bare, " ") || strings.HasPrefix(bare, "\t") {
			return nil, p.bad("the first line is indented")
		}
	}
	v, err := p.expression(0, false)
	if err == nil {
		p.blanks(true)
		if p.at < len(p.text) {
			err = p.bad("more text behind it")
		}
	}
	if err == nil && p.name != "" {
		err = fmt.Errorf("%w: %s is no literal", errValue, p.name)
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

type parser struct {
	text string
	at   int
	name string // the first that is no literal
}

func (p *parser) bad(why string) error {
	return fmt.Errorf("%w at character %d: %s", errSyntax, utf8.RuneCountInString(p.text[:p.at])+1, why)
}

// blanks skips what may stand between words; line breaks and comments in brackets only.
func (p *parser) blanks(lines bool) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || c == '\f' || lines && (c == '\n' || c == '\r'):
			p.at++
		case c == '#' && lines:
			end := strings.IndexByte(p.text[p.at:], '\n')
			if end < 0 {
				end = len(p.text) - p.at
			}
			p.at += end
		case c == '\\' && strings.HasPrefix(p.text[p.at:], "\\\n"):
			p.at += 2
		default:
			return
		}
	}
}

func (p *parser) next() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// expression reads a literal, and a tuple without brackets where nothing is around it.
func (p *parser) expression(deep int, inside bool) (any, error) {
	first, err := p.value(deep, inside)
	if err != nil || inside {
		return first, err
	}
	if p.blanks(false); p.next() != ',' {
		return first, nil
	}
	list := []any{first}
	for p.next() == ',' {
		p.at++
		if p.blanks(false); p.at == len(p.text) || p.next() == '\n' {
			break
		}
		v, err := p.value(deep, false)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		p.blanks(false)
	}
	return list, nil
}

func (p *parser) value(deep int, inside bool) (any, error) {
	if deep > mostDeep {
		return nil, p.bad("nested too deeply")
	}
	p.blanks(inside)
	switch c := p.next(); {
	case c == '{':
		return p.braces(deep)
	case c == '[':
		return p.list(deep, ']')
	case c == '(':
		return p.brackets(deep)
	case c == '"' || c == '\'' || p.prefixed():
		return p.strings(inside)
	case c == '-' || c == '+':
		p.at++
		v, err := p.value(deep+1, inside)
		if err != nil {
			return nil, err
		}
		return p.signed(v, c == '-')
	case c >= '0' && c <= '9' || c == '.':
		return p.number()
	}
	return p.word()
}

// prefixed reports whether a text with a prefix such as r or u comes.
func (p *parser) prefixed() bool {
	rest := p.text[p.at:]
	for n := 1; n <= 2 && n < len(rest); n++ {
		if rest[n] == '"' || rest[n] == '\'' {
			switch strings.ToLower(rest[:n]) {
			case "r", "u":
				return true
			}
		}
	}
	return false
}

func (p *parser) signed(v any, minus bool) (any, error) {
	switch v := v.(type) {
	case *big.Int:
		if minus {
			v = new(big.Int).Neg(v)
		}
		return v, nil
	case float64:
		if minus {
			v = -v
		}
		return v, nil
	}
	if p.name == "" {
		p.name = "a sign before what is no number"
	}
	return v, nil
}

func (p *parser) list(deep int, end byte) ([]any, error) {
	p.at++
	list := []any{}
	for {
		p.blanks(true)
		if p.next() == end {
			p.at++
			return list, nil
		}
		v, err := p.expression(deep+1, true)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		p.blanks(true)
		switch p.next() {
		case ',':
			p.at++
		case end:
		default:
			return nil, p.bad("no comma, and no end of the list")
		}
	}
}

// brackets reads a tuple, or one value in brackets.
func (p *parser) brackets(deep int) (any, error) {
	start := p.at
	list, err := p.list(deep, ')')
	if err != nil || len(list) != 1 {
		return list, err
	}
	if strings.HasSuffix(strings.TrimRightFunc(p.text[start:p.at-1], unicode.IsSpace), ",") {
		return list, nil
	}
	return list[0], nil
}

// braces reads a dictionary or a set.
func (p *parser) braces(deep int) (any, error) {
	p.at++
	d, set := Dict{}, []any{}
	for {
		p.blanks(true)
		if p.next() == '}' {
			p.at++
			if len(set) > 0 {
				return set, nil
			}
			return d, nil
		}
		key, err := p.expression(deep+1, true)
		if err != nil {
			return nil, err
		}
		p.blanks(true)
		if p.next() == ':' && len(set) == 0 {
			p.at++
			value, err := p.expression(deep+1, true)
			if err != nil {
				return nil, err
			}
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, value)
			p.blanks(true)
		} else if len(d.Keys) == 0 {
			set = append(set, key)
		} else {
			return nil, p.bad("a key without a value")
		}
		switch p.next() {
		case ',':
			p.at++
		case '}':
		default:
			return nil, p.bad("no comma, and no end of the dictionary")
		}
	}
}

// strings reads texts; those that follow each other are one.
func (p *parser) strings(inside bool) (any, error) {
	var out strings.Builder
	for {
		if err := p.one(&out); err != nil {
			return nil, err
		}
		if p.blanks(inside); p.next() != '"' && p.next() != '\'' && !p.prefixed() {
			return out.String(), nil
		}
	}
}

func (p *parser) one(out *strings.Builder) error {
	raw := false
	for p.next() != '"' && p.next() != '\'' {
		raw = raw || p.next()|0x20 == 'r'
		p.at++
	}
	quote := p.text[p.at : p.at+1]
	long := strings.HasPrefix(p.text[p.at:], strings.Repeat(quote, 3))
	if long {
		quote = strings.Repeat(quote, 3)
	}
	p.at += len(quote)
	for p.at < len(p.text) {
		switch {
		case strings.HasPrefix(p.text[p.at:], quote):
			p.at += len(quote)
			return nil
		case p.text[p.at] == '\n' && !long:
			return p.bad("a text without an end")
		case p.text[p.at] == '\\' && p.at+1 < len(p.text):
			if raw {
				out.WriteString(p.text[p.at : p.at+2])
				p.at += 2
			} else if err := p.escape(out); err != nil {
				return err
			}
		default:
			out.WriteByte(p.text[p.at])
			p.at++
		}
	}
	return p.bad("a text without an end")
}

var escapes = map[byte]string{'\n': "", '\\': "\\", '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v"}

// escape reads a backslash and what it stands for. One that stands for nothing is kept.
func (p *parser) escape(out *strings.Builder) error {
	c := p.text[p.at+1]
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	switch text, simple := escapes[c]; {
	case simple:
		out.WriteString(text)
		p.at += 2
	case digits > 0:
		end := p.at + 2 + digits
		if end > len(p.text) {
			return p.bad("an escape without its digits")
		}
		n, err := strconv.ParseUint(p.text[p.at+2:end], 16, 32)
		if err != nil || n > unicode.MaxRune {
			return p.bad("an escape without its digits")
		}
		out.WriteRune(rune(n))
		p.at = end
	case c >= '0' && c <= '7':
		n, end := rune(0), p.at+1
		for ; end < len(p.text) && end < p.at+4 && p.text[end] >= '0' && p.text[end] <= '7'; end++ {
			n = n*8 + rune(p.text[end]-'0')
		}
		out.WriteRune(n)
		p.at = end
	default:
		out.WriteByte('\\')
		p.at++
	}
	return nil
}

func (p *parser) number() (any, error) {
	text := p.numberText()
	if n, ok := new(big.Int).SetString(text, 0); ok && !isOldOctal(text) {
		return n, nil
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	if (err == nil || errors.Is(err, strconv.ErrRange)) && strings.ContainsAny(text, ".eE") && !strings.ContainsAny(text, "xXpP") {
		return f, nil
	}
	return nil, p.bad("no number: " + text)
}

// numberText takes the characters that a number may have.
func (p *parser) numberText() string {
	start := p.at
	hex := strings.HasPrefix(p.text[start:], "0x") || strings.HasPrefix(p.text[start:], "0X")
	for p.at < len(p.text) {
		c := p.text[p.at]
		sign := (c == '+' || c == '-') && strings.ContainsAny(p.text[p.at-1:p.at], "eE") && !hex
		if c != '.' && c != '_' && !sign && !isWordByte(c) {
			break
		}
		p.at++
	}
	return p.text[start:p.at]
}

// isOldOctal reports whether a number other than zero begins with a zero, which Python refuses.
func isOldOctal(text string) bool {
	return len(text) > 1 && text[0] == '0' && isDigit(text[1]) && strings.Trim(text, "0_") != ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }

// word reads a constant. Another name is no literal, which is told when all is read.
func (p *parser) word() (any, error) {
	end := p.at
	for end < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[end:])
		if r != '_' && !unicode.IsLetter(r) && (end == p.at || !unicode.IsDigit(r)) {
			break
		}
		end += size
	}
	name := p.text[p.at:end]
	if name == "" {
		return nil, p.bad("no literal")
	}
	p.at = end
	switch name {
	case "None":
		return nil, nil
	case "True":
		return true, nil
	case "False":
		return false, nil
	}
	if p.name == "" {
		p.name = name
	}
	return nil, nil
}
