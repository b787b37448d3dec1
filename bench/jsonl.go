package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/jsonfast"
	"omniscope/internal/parallel"
)

// Lines are the rows of a file, JSON Lines, a JSON list or a table, that are read
// one at a time, by number, so that a file of any size costs a few bytes of memory
// a row. It is safe for concurrent use.
type Lines struct {
	Path   string
	Digest string // SHA-256 of the file as it is stored, hex
	file   io.ReaderAt
	close  []io.Closer
	rows   []lineRow
	broken atomic.Int64
}

type lineRow struct {
	at   int64
	size int32
	line int32 // from 1
}

// OpenLines opens the file at path and notes where its rows are. What is not
// JSON Lines in UTF-8 already is made so in a temporary file.
func OpenLines(ctx context.Context, path string) (*Lines, error) {
	f, err := input.Open(ctx, path, input.Rows)
	if err != nil {
		return nil, err
	}
	l := &Lines{Path: f.Path, close: []io.Closer{f}}
	form, err := f.RowForm()
	switch {
	case err != nil:
	case f.Plain() && form == input.ByLine:
		l.file = f
		err = l.index(f)
	default:
		err = l.rewrite(f, form)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	l.Digest = f.Digest()
	return l, nil
}

// rewrite makes JSON Lines of other forms.
func (l *Lines) rewrite(f *input.File, form input.RowForm) error {
	to, err := input.Temporary()
	if err != nil {
		return err
	}
	l.file, l.close = to, append(l.close, to)
	out := bufio.NewWriterSize(to, 1<<20)
	var at int64
	err = f.EachRow(form, func(line int, text []byte) error {
		l.rows = append(l.rows, lineRow{at: at, size: int32(len(text)), line: int32(line)})
		at += int64(len(text))
		_, err := out.Write(text)
		return err
	})
	return errors.Join(err, out.Flush())
}

// NotUTF8 counts the lines that Check found to hold bytes that are not UTF-8.
// They are read as U+FFFD.
func (l *Lines) NotUTF8() int { return int(l.broken.Load()) }

// Check calls check for every line, several at a time, and returns the error
// of the earliest line that has one.
func (l *Lines) Check(ctx context.Context, check func(i int, text []byte) error) error {
	const threads = 4
	var texts [threads][]byte
	return parallel.Each(ctx, threads, len(l.rows), func(worker, i int) error {
		text, err := l.AppendTo(texts[worker][:0], i)
		if err != nil {
			return err
		}
		texts[worker] = text
		if !utf8.Valid(text) {
			l.broken.Add(1)
		}
		return check(i, text)
	})
}

// index notes where the rows of a file are that is JSON Lines already.
func (l *Lines) index(f *input.File) error {
	r := bufio.NewReaderSize(f.Stored(), 1<<20)
	limits := f.Limits()
	var at int64
	for line := int32(1); ; line++ {
		m, err := measureLine(r, at == 0, limits)
		switch {
		case m.size > int64(limits.Row):
			return limits.TooLongRow(l.Path, int(line))
		case m.values > limits.Values():
			return limits.TooManyValues(l.Path, int(line))
		}
		if m.size > m.mark && !m.blank {
			l.rows = append(l.rows, lineRow{at: at + m.mark, size: int32(m.size - m.mark), line: line})
		}
		if len(l.rows) > limits.Rows {
			return limits.TooManyRows(l.Path, "rows")
		}
		at += m.size
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// byteOrderMark stands at the start of files that some editors write.
const byteOrderMark = "\ufeff"

// A measured line is what is to be known of a line without keeping it.
type measured struct {
	size   int64
	mark   int64 // bytes of a byte order mark
	values int   // commas and brackets
	blank  bool
}

// measureLine reads one line, and stops in one that is too long.
func measureLine(r *bufio.Reader, first bool, limits input.Limits) (m measured, err error) {
	m.blank = true
	for {
		part, err := r.ReadSlice('\n')
		m.size += int64(len(part))
		if first && m.size == int64(len(part)) && bytes.HasPrefix(part, []byte(byteOrderMark)) {
			m.mark = int64(len(byteOrderMark))
			part = part[m.mark:]
		}
		if m.size > int64(limits.Values()) { // a shorter line cannot have as many
			m.values += input.Values(part)
		}
		if m.blank && len(bytes.TrimSpace(part)) > 0 {
			m.blank = false
		}
		if !errors.Is(err, bufio.ErrBufferFull) || m.size > int64(limits.Row) {
			return m, err
		}
	}
}

// Len returns the number of lines that are not blank.
func (l *Lines) Len() int { return len(l.rows) }

// At returns the i-th line that is not blank, from 0.
func (l *Lines) At(i int) ([]byte, error) { return l.AppendTo(nil, i) }

// AppendTo appends the i-th line that is not blank, from 0, to buf, so that a
// caller may use the same memory for many lines.
func (l *Lines) AppendTo(buf []byte, i int) ([]byte, error) {
	row, start := l.rows[i], len(buf)
	buf = slices.Grow(buf, int(row.size))[:start+int(row.size)]
	if _, err := l.file.ReadAt(buf[start:], row.at); err != nil && !errors.Is(err, io.EOF) {
		return buf[:start], fmt.Errorf("read %s: %w", l.Path, err)
	}
	return buf, nil
}

// Number returns the line number of the i-th line, as an editor shows it.
func (l *Lines) Number(i int) int { return int(l.rows[i].line) }

// Bad makes the error for line i: file, line, what is wrong, and the start of
// the offending text.
func (l *Lines) Bad(i int, text []byte, why error) error {
	err := fmt.Errorf("%s:%d: %w", l.Path, l.Number(i), why)
	if len(text) > 0 {
		err = fmt.Errorf("%w: %s", err, Quote(text))
	}
	return &omniscope.Error{Kind: omniscope.Invalid, Err: err}
}

// Quote shortens offending text to what fits a terminal line.
func Quote(text []byte) string {
	const most = 120
	text = bytes.TrimSpace(text)
	if len(text) > most {
		return string(bytes.ToValidUTF8(text[:most], nil)) + "…"
	}
	return string(text)
}

// Close closes the file.
func (l *Lines) Close() error {
	var err error
	for _, c := range l.close {
		err = errors.Join(err, c.Close())
	}
	return err
}

// SystemName makes a system's name from the name of its predictions file.
func SystemName(path string) string {
	base := filepath.Base(input.WithoutPacking(input.Name(path)))
	if filepath.Dir(path) == "/dev/fd" {
		return "fd" + base
	}
	return base[:len(base)-len(filepath.Ext(base))]
}

// CheckJSON returns nil if text is JSON, else what is wrong and at which
// character.
func CheckJSON(text []byte) error {
	if jsonfast.Valid(string(text)) {
		return nil
	}
	var v any
	err := json.Unmarshal(text, &v)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at character %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("not JSON: %v", err)
}
