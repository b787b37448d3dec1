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
	"sort"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/jsonfast"
	"omniscope/internal/parallel"
)

// Lines are the rows of a file, JSON Lines, a JSON list, a table or Parquet, or of the
// files of a folder that is laid out as the hub's data sets are, that are read
// one at a time, by number, so that a file of any size costs a few bytes of memory
// a row. It is safe for concurrent use.
type Lines struct {
	Path   string
	Digest string // SHA-256 of the file as it is stored, hex; of a folder see input.Parts
	file   io.ReaderAt
	close  []io.Closer
	parts  []linePart
	rows   []lineRow
	broken atomic.Int64
}

// A linePart is one of the files that the rows are from.
type linePart struct {
	path    string
	first   int // its first row, from 0
	columns bool
}

type lineRow struct {
	at   int64
	size int32
	line int32 // from 1
}

// OpenLines opens the file at path, or the files of a folder, and notes where its
// rows are. What is not JSON Lines in UTF-8 already is made so in a temporary file.
func OpenLines(ctx context.Context, path string) (*Lines, error) {
	parts, err := input.PartsOf(path)
	if err != nil {
		return nil, err
	}
	l := &Lines{Path: input.Name(path)}
	if parts.Folder() {
		err = l.openFolder(ctx, parts)
	} else {
		err = l.open(ctx, path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func (l *Lines) open(ctx context.Context, path string) error {
	f, err := input.Open(ctx, path, input.Rows)
	if err != nil {
		return err
	}
	l.close = append(l.close, f)
	form, err := f.RowForm()
	if err != nil {
		return err
	}
	l.begin(f, form)
	if f.Plain() && form == input.ByLine {
		l.file = f
		err = l.index(f)
	} else {
		err = l.rewrite(func(w *rewriter) error { return w.add(f, form) })
	}
	l.Digest = f.Digest()
	return err
}

func (l *Lines) openFolder(ctx context.Context, parts *input.Parts) error {
	err := l.rewrite(func(w *rewriter) error {
		return parts.Each(ctx, func(_ int, f *input.File) error {
			form, err := f.RowForm()
			if err != nil {
				return err
			}
			l.begin(f, form)
			return w.add(f, form)
		})
	})
	if err == nil {
		l.Digest = parts.Digest()
	}
	return err
}

// begin notes that the rows of a file follow.
func (l *Lines) begin(f *input.File, form input.RowForm) {
	l.parts = append(l.parts, linePart{path: f.Path, first: len(l.rows), columns: form == input.Columns})
}

// A rewriter makes JSON Lines of other forms.
type rewriter struct {
	l   *Lines
	out *bufio.Writer
	at  int64
}

func (l *Lines) rewrite(do func(*rewriter) error) error {
	to, err := input.Temporary()
	if err != nil {
		return err
	}
	l.file, l.close = to, append(l.close, to)
	w := &rewriter{l: l, out: bufio.NewWriterSize(to, 1<<20)}
	return errors.Join(do(w), w.out.Flush())
}

func (w *rewriter) add(f *input.File, form input.RowForm) error {
	limits := f.Limits()
	return f.EachRow(form, func(line int, text []byte) error {
		w.l.rows = append(w.l.rows, lineRow{at: w.at, size: int32(len(text)), line: int32(line)})
		w.at += int64(len(text))
		switch { // of all files together
		case len(w.l.rows) > limits.Rows:
			return limits.TooManyRows(w.l.Path, "rows")
		case len(w.l.parts) > 1 && w.at > int64(limits.Size):
			return limits.TooLarge(w.l.Path)
		}
		_, err := w.out.Write(text)
		return err
	})
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

// Number returns the line number of the i-th line in its file, as an editor shows it.
// Of Parquet it is the row's.
func (l *Lines) Number(i int) int { return int(l.rows[i].line) }

func (l *Lines) partOf(i int) *linePart {
	n := sort.Search(len(l.parts), func(p int) bool { return l.parts[p].first > i })
	return &l.parts[n-1]
}

// Place is where the i-th line stands, for messages: its file, and the line or row.
func (l *Lines) Place(i int) string {
	p := l.partOf(i)
	if p.columns {
		return fmt.Sprintf("%s, row %d", p.path, l.Number(i))
	}
	return fmt.Sprintf("%s:%d", p.path, l.Number(i))
}

// LineName is what messages about other lines call the i-th, such as "line 3".
func (l *Lines) LineName(i int) string {
	p, name := l.partOf(i), "line"
	if p.columns {
		name = "row"
	}
	if name = fmt.Sprintf("%s %d", name, l.Number(i)); len(l.parts) > 1 {
		name += " of " + p.path
	}
	return name
}

// Bad makes the error for line i: file, line, what is wrong, and the start of
// the offending text.
func (l *Lines) Bad(i int, text []byte, why error) error {
	err := fmt.Errorf("%s: %w", l.Place(i), why)
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

// SystemName makes a system's name from the name of its predictions file, or folder
// and what is chosen of it.
func SystemName(path string) string {
	if folder, choice, ok := input.CutFolder(path); ok {
		if whole, err := filepath.Abs(folder); err == nil {
			folder = whole
		}
		return strings.TrimSuffix(filepath.Base(folder)+"-"+strings.ReplaceAll(choice, "/", "-"), "-")
	}
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
