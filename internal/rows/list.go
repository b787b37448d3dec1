package rows

import (
	"bufio"
	"errors"
	"io"

	"omniscope"
	"omniscope/internal/input"
)

// A lister takes a JSON list apart without looking at what its elements are, so
// that a list of any size is read one element at a time.
type lister struct {
	path   string
	limits input.Limits
	from   *bufio.Reader
	line   int // of the next byte, from 1
	text   []byte
	many   int // commas and brackets in text
}

func eachInList(f *input.File, from io.Reader, do func(line int, text []byte) error) error {
	l := &lister{path: f.Path, limits: f.Limits(), from: bufio.NewReaderSize(from, 256<<10), line: 1}
	if _, err := l.skipBlanks(); err != nil {
		return err
	}
	l.from.Discard(1) // the bracket
	for first := true; ; first = false {
		b, err := l.skipBlanks()
		if err != nil {
			return l.cut(err)
		}
		if first && b == ']' {
			l.from.Discard(1)
			return l.end()
		}
		line := l.line
		last, err := l.element()
		if err != nil {
			return err
		}
		if isBlank(l.text) {
			return omniscope.Invalidf("%s:%d: an element of the list is missing before %q", l.path, line, string(last))
		}
		if err := do(line, l.text); err != nil {
			return err
		}
		if last == ']' {
			return l.end()
		}
	}
}

// skipBlanks returns the next byte that is none, without taking it.
func (l *lister) skipBlanks() (byte, error) {
	for {
		b, err := l.from.ReadByte()
		if err != nil {
			return 0, err
		}
		switch b {
		case '\n':
			l.line++
		case ' ', '\t', '\r':
		default:
			return b, l.from.UnreadByte()
		}
	}
}

// element reads into text up to the comma or bracket behind an element, which it
// returns.
func (l *lister) element() (last byte, err error) {
	l.text, l.many = l.text[:0], 0
	line, depth, quoted := l.line, 0, false
	for {
		b, err := l.from.ReadByte()
		if err != nil {
			return 0, l.unended(err, line)
		}
		switch {
		case quoted && b == '\\':
			l.text = append(l.text, b)
			if b, err = l.from.ReadByte(); err != nil {
				return 0, l.cut(err)
			}
		case b == '"':
			quoted = !quoted
		case quoted:
		case depth == 0 && (b == ',' || b == ']'):
			return b, nil
		default:
			depth += int(nesting[b])
			l.many += int(begins[b])
		}
		if b == '\n' {
			b = l.lineEnd(quoted)
		}
		if l.text = append(l.text, b); len(l.text) > int(l.limits.Row) {
			return 0, l.limits.TooLongRow(l.path, line)
		}
		if l.many > l.limits.Values() {
			return 0, l.limits.TooManyValues(l.path, line)
		}
	}
}

// What a byte outside of strings adds to the depth, and to the number of commas and brackets.
var (
	nesting = [256]int8{'[': 1, '{': 1, ']': -1, '}': -1}
	begins  = [256]int8{'[': 1, '{': 1, ',': 1}
)

// lineEnd counts a line, and returns the byte for its end.
func (l *lister) lineEnd(quoted bool) byte {
	l.line++
	if quoted {
		return '\v' // which JSON allows in a string no more than a line's end
	}
	return ' '
}

// unended is the error of an element that begins in a line.
func (l *lister) unended(err error, line int) error {
	if errors.Is(err, io.EOF) {
		return omniscope.Invalidf("%s:%d: the element of the list that begins here has no end", l.path, line)
	}
	return err
}

// end makes sure that nothing follows the list.
func (l *lister) end() error {
	b, err := l.skipBlanks()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	return omniscope.Invalidf("%s:%d: %q follows the end of the list", l.path, l.line, string(b))
}

func (l *lister) cut(err error) error {
	if errors.Is(err, io.EOF) {
		return omniscope.Invalidf("%s:%d: the list breaks off: get the file again", l.path, l.line)
	}
	return err
}
