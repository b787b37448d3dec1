package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"omniscope"
)

// A lister takes a JSON list apart without looking at what its elements are, so
// that a list of any size is read one element at a time.
type lister struct {
	f    *File
	from *bufio.Reader
	line int // of the next byte, from 1
	text []byte
	many int // commas and brackets in text
}

func (f *File) eachInList(from io.Reader, do func(line int, text []byte) error) error {
	l := &lister{f: f, from: bufio.NewReaderSize(from, 256<<10), line: 1}
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
		if len(bytes.TrimSpace(l.text)) == 0 {
			return omniscope.Invalidf("%s:%d: an element of the list is missing before %q", f.Path, line, string(last))
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
		if errors.Is(err, io.EOF) {
			return 0, omniscope.Invalidf("%s:%d: the element of the list that begins here has no end", l.f.Path, line)
		}
		if err != nil {
			return 0, err
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
		case b == '[' || b == '{':
			depth++
			l.many++
		case b == ']' || b == '}':
			depth--
		case b == ',':
			l.many++
		}
		if b == '\n' {
			l.line++
			if b = ' '; quoted {
				b = '\v' // which JSON allows in a string no more than a line's end
			}
		}
		if l.text = append(l.text, b); len(l.text) > int(l.f.limits.Row) {
			return 0, l.f.limits.TooLongRow(l.f.Path, line)
		}
		if l.many > l.f.limits.Values() {
			return 0, l.f.limits.TooManyValues(l.f.Path, line)
		}
	}
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
	return omniscope.Invalidf("%s:%d: %q follows the end of the list", l.f.Path, l.line, string(b))
}

func (l *lister) cut(err error) error {
	if errors.Is(err, io.EOF) {
		return omniscope.Invalidf("%s:%d: the list breaks off: get the file again", l.f.Path, l.line)
	}
	return err
}
