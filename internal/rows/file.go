package rows

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync/atomic"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/parallel"
)

// A File is a file of rows, or a folder that is laid out as the data sets of the Hugging Face
// hub are. Its rows are read one at a time, by number, so that a file of any size costs a few
// bytes of memory a row. It is safe for concurrent use.
type File struct {
	Path   string
	Digest string // SHA-256 of the file as it is stored, hex; of a folder see input.Parts
	file   io.ReaderAt
	close  []io.Closer
	parts  []part
	rows   []row
	broken atomic.Int64
}

// A part is one of the files that the rows are from.
type part struct {
	path    string
	first   int // its first row, from 0
	columns bool
	table   bool // of commas or tabs
}

type row struct {
	at   int64
	size int32
	line int32 // from 1
}

// Open opens the file at path, or the files of a folder, and notes where its rows are. What is
// not JSON Lines in UTF-8 is written as that to a temporary file.
func Open(ctx context.Context, path string) (*File, error) {
	parts, err := input.PartsOf(path)
	if err != nil {
		return nil, err
	}
	f := &File{Path: input.Name(path)}
	if parts.Folder() {
		err = f.openFolder(ctx, parts)
	} else {
		err = f.open(ctx, path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *File) open(ctx context.Context, path string) error {
	in, err := input.Open(ctx, path, input.Rows)
	if err != nil {
		return err
	}
	f.close = append(f.close, in)
	form, err := FormOf(in)
	if err != nil {
		return err
	}
	f.begin(in, form)
	if in.Plain() && form == byLine {
		f.file = in
		err = f.index(in)
	} else {
		err = f.rewrite(func(w *rewriter) error { return w.add(in, form) })
	}
	f.Digest = in.Digest()
	return err
}

func (f *File) openFolder(ctx context.Context, parts *input.Parts) error {
	err := f.rewrite(func(w *rewriter) error {
		return parts.Each(ctx, func(_ int, in *input.File) error {
			form, err := FormOf(in)
			if err != nil {
				return err
			}
			f.begin(in, form)
			return w.add(in, form)
		})
	})
	if err == nil {
		f.Digest = parts.Digest()
	}
	return err
}

// begin notes that the rows of a file follow.
func (f *File) begin(in *input.File, form rowForm) {
	f.parts = append(f.parts, part{path: in.Path, first: len(f.rows), columns: form == columns, table: form == comma || form == Tab || form == QuotedTab})
}

// index notes where the rows of a file are that is JSON Lines already.
func (f *File) index(in *input.File) error {
	limits := in.Limits()
	r := NewReader(in.Stored(), 1<<20, f.Path, limits)
	return r.Each(func(line int, text []byte) error {
		at, size := r.Stored()
		if unmarked, ok := bytes.CutPrefix(text, []byte(input.ByteOrderMark)); ok && at == 0 {
			text, at, size = unmarked, at+int64(len(input.ByteOrderMark)), size-int64(len(input.ByteOrderMark))
		}
		if tooManyValues(text, limits) {
			return limits.TooManyValues(f.Path, line)
		}
		if !isBlank(text) {
			f.rows = append(f.rows, row{at: at, size: int32(size), line: int32(line)})
		}
		if len(f.rows) > limits.Rows {
			return limits.TooManyRows(f.Path, "rows")
		}
		return nil
	})
}

// A rewriter writes rows of other forms as JSON Lines.
type rewriter struct {
	f   *File
	out *bufio.Writer
	at  int64
}

func (f *File) rewrite(do func(*rewriter) error) error {
	to, err := input.Temporary()
	if err != nil {
		return err
	}
	f.file, f.close = to, append(f.close, to)
	w := &rewriter{f: f, out: bufio.NewWriterSize(to, 1<<20)}
	return errors.Join(do(w), w.out.Flush())
}

func (w *rewriter) add(in *input.File, form rowForm) error {
	limits := in.Limits()
	return Each(in, form, func(line int, text []byte) error {
		w.f.rows = append(w.f.rows, row{at: w.at, size: int32(len(text)), line: int32(line)})
		w.at += int64(len(text))
		switch { // of all files together
		case len(w.f.rows) > limits.Rows:
			return limits.TooManyRows(w.f.Path, "rows")
		case len(w.f.parts) > 1 && w.at > int64(limits.Size):
			return limits.TooLarge(w.f.Path)
		}
		_, err := w.out.Write(text)
		return err
	})
}

// InOrder opens the file at path, calls do for each row in order, and returns the digest of the file. An error of do is returned
// with the place and the start of the row.
func InOrder(ctx context.Context, path string, do func(f *File, i int, text []byte) error) (digest string, err error) {
	f, err := Open(ctx, path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for i := range f.Len() {
		text, err := f.At(i)
		if err != nil {
			return "", err
		}
		if err := do(f, i, text); err != nil {
			return "", f.Bad(i, text, err)
		}
	}
	return f.Digest, nil
}

// NotUTF8 counts the rows that Check found to hold bytes that are not UTF-8. They are read as
// U+FFFD.
func (f *File) NotUTF8() int { return int(f.broken.Load()) }

// Check calls check for every row, several at a time, and returns the error of the earliest
// row that has one.
func (f *File) Check(ctx context.Context, check func(i int, text []byte) error) error {
	const threads = 4
	var texts [threads][]byte
	return parallel.Each(ctx, threads, len(f.rows), func(worker, i int) error {
		text, err := f.AppendTo(texts[worker][:0], i)
		if err != nil {
			return err
		}
		texts[worker] = text
		if !utf8.Valid(text) {
			f.broken.Add(1)
		}
		return check(i, text)
	})
}

// Len returns the number of rows.
func (f *File) Len() int { return len(f.rows) }

// At returns the i-th row, from 0. The text of a line may have its end.
func (f *File) At(i int) ([]byte, error) { return f.AppendTo(nil, i) }

// AppendTo appends the i-th row, from 0, to buf, so that a caller may use the same memory for
// many rows.
func (f *File) AppendTo(buf []byte, i int) ([]byte, error) {
	row, start := f.rows[i], len(buf)
	buf = slices.Grow(buf, int(row.size))[:start+int(row.size)]
	if _, err := f.file.ReadAt(buf[start:], row.at); err != nil && !errors.Is(err, io.EOF) {
		return buf[:start], fmt.Errorf("read %s: %w", f.Path, err)
	}
	return buf, nil
}

// Number returns the line of the i-th row in its file, as an editor shows it. Of Parquet it is
// the number of the row.
func (f *File) Number(i int) int { return int(f.rows[i].line) }

// EmptyCell reports whether a value of row i is an empty cell of a table of commas or tabs. Programs write null and
// a text of no letters alike there, so that nothing says that it was a text.
func (f *File) EmptyCell(i int, v gjson.Result) bool {
	return v.Type == gjson.String && v.Str == "" && f.partOf(i).table
}

func (f *File) partOf(i int) *part {
	n := sort.Search(len(f.parts), func(p int) bool { return f.parts[p].first > i })
	return &f.parts[n-1]
}

// Place returns the file and the line of the i-th row, for messages.
func (f *File) Place(i int) string {
	p := f.partOf(i)
	if p.columns {
		return fmt.Sprintf("%s, row %d", p.path, f.Number(i))
	}
	return fmt.Sprintf("%s:%d", p.path, f.Number(i))
}

// LineName is what messages about other rows call the i-th, such as "line 3".
func (f *File) LineName(i int) string {
	p, name := f.partOf(i), "line"
	if p.columns {
		name = "row"
	}
	if name = fmt.Sprintf("%s %d", name, f.Number(i)); len(f.parts) > 1 {
		name += " of " + p.path
	}
	return name
}

// Bad is the error for the i-th row: file, line, what is wrong, and the start of the offending
// text.
func (f *File) Bad(i int, text []byte, why error) error {
	err := fmt.Errorf("%s: %w", f.Place(i), why)
	if len(text) > 0 {
		err = fmt.Errorf("%w: %s", err, Quote(text))
	}
	return omniscope.Invalidf("%w", err)
}

// Close closes the file.
func (f *File) Close() error {
	var err error
	for _, c := range f.close {
		err = errors.Join(err, c.Close())
	}
	return err
}
