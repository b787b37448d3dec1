// Package parquetfile reads tables in Parquet as rows of JSON, as the Hugging Face hub gives data sets.
//
// It decodes pages by itself, where other packages write Parquet with a library (parquet-go 0.25.1): that, and 0.32.0 as well, unpacks
// a page without a limit of its size (its compress/compress.go and compress/lz4/lz4.go), and holds all levels and values of a
// page and a complete row; a few bytes can set their numbers to thousands of millions (docs/design/parquet.md has the measurement).
// Here a value is decoded when its row comes, and memory is bounded: a page of each column, and its dictionary. The format is that of parquet-format 2.11
// (README.md, Encodings.md, LogicalTypes.md, parquet.thrift).
package parquetfile

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"omniscope"
)

// Limits bound what is read. Their errors are the caller's, which knows the flags that raise them.
type Limits struct {
	Row    int                 // bytes of a row as JSON
	Values int                 // values of a row, with those that are missing
	Held   int64               // bytes of pages that are in memory at a time, unpacked
	Size   int64               // bytes of all pages that are read, unpacked, and of all rows as JSON
	Long   func(row int) error // the error for a row with more than Row bytes
	Many   func(row int) error // with more than Values
	Pages  error               // for pages that take more than Held
	Large  error               // for a file that has more than Size
}

var (
	errLong = errors.New("a row is too long")
	errMany = errors.New("a row has too many values")
)

// A reader reads the rows of one file.
type reader struct {
	file   io.ReaderAt
	size   int64
	limits Limits
	left   int64 // of Limits.Held

	unpacked  int64  // bytes of pages so far
	written   int64  // bytes of rows so far
	packed    []byte // the last page as it is stored
	zstandard *zstd.Decoder

	row    []byte
	values int // of the row
	number int // of the row, from 1
}

// Rows calls do for each row, from 1, as a JSON object of the columns in their order, which is valid until do returns. Columns of
// bytes, such as media, have no form in JSON: they are not read, and their names are returned. name is the file's, for errors,
// which are of kind Invalid and name row group, column and page.
func Rows(ctx context.Context, name string, file io.ReaderAt, size int64, limits Limits, do func(number int, row []byte) error) (leftOut []string, err error) {
	r := &reader{file: file, size: size, limits: limits, left: limits.Held}
	defer func() {
		if r.zstandard != nil {
			r.zstandard.Close()
		}
	}()
	f, err := readFooter(file, size)
	if err != nil {
		return nil, invalid(name, err)
	}
	b := &builder{r: r, elements: f.elements}
	root, err := b.schema()
	if err == nil && len(b.columns) == 0 {
		err = fmt.Errorf("all its columns hold bytes, and no text or numbers: %s", shown(b.leftOut))
	}
	if err != nil {
		return nil, invalid(name, err)
	}
	for i, stored := range f.groups {
		rows, chunks, err := readGroup(stored)
		if err == nil {
			err = r.begin(b, rows, chunks)
		}
		if err == nil {
			err = r.group(ctx, root, rows, do)
		}
		if err != nil {
			return nil, r.explain(name, i+1, err)
		}
	}
	if f.rows != 0 && int64(r.number) != f.rows { // some writers leave the total at 0
		return nil, invalid(name, fmt.Errorf("it has %d rows and says it has %d: it is damaged; get the file again", r.number, f.rows))
	}
	return b.leftOut, nil
}

// begin starts reading a row group.
func (r *reader) begin(b *builder, rows int64, chunks []chunk) error {
	if rows < 0 || len(chunks) != b.leaves {
		return errWrong
	}
	for _, c := range b.columns {
		if err := c.begin(chunks[c.index]); err != nil {
			return fmt.Errorf("column %s: %w", c.name, err)
		}
	}
	return nil
}

// group reads the rows of a row group.
func (r *reader) group(ctx context.Context, root *field, rows int64, do func(number int, row []byte) error) error {
	for range rows {
		if err := ctx.Err(); err != nil {
			return stop{err}
		}
		r.number++
		r.row, r.values = r.row[:0], 0
		if err := r.appendRow(root); err != nil {
			return err
		}
		if r.written += int64(len(r.row)); r.written > r.limits.Size {
			return errSize
		}
		if err := do(r.number, r.row); err != nil {
			return stop{err}
		}
	}
	for _, c := range root.columns {
		if _, more, err := c.peek(); err != nil || more {
			return errors.Join(err, fmt.Errorf("column %s has more values than the row group has rows", c.name))
		}
	}
	return nil
}

// stop is an error that is the caller's own.
type stop struct{ error }

func (s stop) Unwrap() error { return s.error }

// explain says where an error is.
func (r *reader) explain(name string, group int, err error) error {
	var own stop
	switch {
	case errors.As(err, &own):
		return own.error
	case errors.Is(err, errLong):
		return r.limits.Long(r.number)
	case errors.Is(err, errMany):
		return r.limits.Many(r.number)
	case errors.Is(err, errHeld):
		return r.limits.Pages
	case errors.Is(err, errSize):
		return r.limits.Large
	}
	return invalid(name, fmt.Errorf("row group %d, row %d: %w: it is damaged, or of a form that is not read; get the file again, or write it as JSON Lines", group, max(1, r.number), err))
}

func shown(names []string) string {
	const most = 10
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", join(names[:most]), len(names)-most)
	}
	return join(names)
}

func invalid(name string, err error) error {
	return omniscope.Invalidf("%s: %w", name, err)
}
