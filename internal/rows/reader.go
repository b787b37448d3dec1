package rows

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"omniscope/internal/input"
)

// A reader reads a text line by line.
type reader struct {
	name   string // for errors
	limits input.Limits
	from   *bufio.Reader
	long   []byte // a line that does not fit the memory of from
	line   int    // the number of the last line, from 1
	at     int64  // where the last line begins
	size   int64  // of the last line with its end
	ended  bool   // the last line has an end
}

// NewReader reads lines from a text that errors call name. size is how much is read at a time.
// The zero Limits set no limits.
func NewReader(text io.Reader, size int, name string, limits input.Limits) *reader {
	return &reader{name: name, limits: limits, from: bufio.NewReaderSize(text, size)}
}

func newReader(f *input.File, text io.Reader) *reader {
	return NewReader(text, 256<<10, f.Path, f.Limits())
}

// Next returns a line without its end, which is valid until the next call. A last line may
// have no end; it comes with io.EOF, as does the end of all lines, which is nil. A line that
// is longer than allowed is an error.
func (r *reader) Next() ([]byte, error) {
	r.line++
	r.at, r.size = r.at+r.size, 0
	text, err := r.from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = r.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) && !r.tooLong(r.long) {
			r.long = append(r.long, text...)
			text, err = r.from.ReadSlice('\n')
		}
		r.long = append(r.long, text...)
		text = r.long
	}
	r.size, r.ended = int64(len(text)), bytes.HasSuffix(text, []byte("\n"))
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull):
		return nil, err
	case r.tooLong(text):
		return nil, r.limits.TooLongRow(r.name, r.line)
	case len(text) == 0:
		return nil, io.EOF
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r")), err
}

func (r *reader) tooLong(text []byte) bool {
	return r.limits.Row > 0 && len(text) > int(r.limits.Row)
}

// Each calls do for each line that is left, with its number. The text is valid until do
// returns.
func (r *reader) Each(do func(line int, text []byte) error) error {
	for {
		text, end := r.Next()
		if end != nil && !errors.Is(end, io.EOF) {
			return end
		}
		if text != nil {
			if err := do(r.line, text); err != nil {
				return err
			}
		}
		if end != nil {
			return nil
		}
	}
}

// Stored returns where the last line begins in the text, and its size with its end.
func (r *reader) Stored() (at, size int64) { return r.at, r.size }

// Ended reports whether the last line has an end. A line without one may have been cut off.
func (r *reader) Ended() bool { return r.ended }

// Ready reports whether a complete line is there already, so that Next need not wait for it.
func (r *reader) Ready() bool {
	waiting, _ := r.from.Peek(r.from.Buffered())
	return bytes.IndexByte(waiting, '\n') >= 0
}
