package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Lines reads a text line by line.
type Lines struct {
	name   string // for errors
	limits Limits
	from   *bufio.Reader
	long   []byte // a line that does not fit the reader's memory
	line   int    // number of the last line, from 1
}

// NewLines reads lines from a text that errors call name. size is how much is
// read at a time.
func NewLines(text io.Reader, size int, name string, limits Limits) *Lines {
	return &Lines{name: name, limits: limits, from: bufio.NewReaderSize(text, size)}
}

// Next returns a line without its end, which is valid until the next call. A last
// line may have no end; it comes with io.EOF, as does the end of all lines, which
// is nil. A line that is longer than allowed is an error.
func (l *Lines) Next() ([]byte, error) {
	l.line++
	text, err := l.from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		l.long = l.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) && len(l.long) <= int(l.limits.Row) {
			l.long = append(l.long, text...)
			text, err = l.from.ReadSlice('\n')
		}
		l.long = append(l.long, text...)
		text = l.long
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull):
		return nil, err
	case len(text) > int(l.limits.Row):
		return nil, l.limits.TooLongRow(l.name, l.line)
	case len(text) == 0:
		return nil, io.EOF
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r")), err
}

// Ready reports whether a whole line is there already, so that Next need not wait
// for it.
func (l *Lines) Ready() bool {
	waiting, _ := l.from.Peek(l.from.Buffered())
	return bytes.IndexByte(waiting, '\n') >= 0
}
