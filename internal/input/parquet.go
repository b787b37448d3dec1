package input

import (
	"fmt"
	"io"
	"os"
	"strings"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/parquetfile"
)

// heldRows is how many rows of the largest size the pages of a Parquet file may take
// that are in memory at a time: one of each column, and what they have in common.
const heldRows = 16

// columns reports whether the file is Parquet, whose rows are wanted.
func (f *File) columns() bool { return f.wantsRows() && isParquet(f.head) }

func (f *File) wantsRows() bool { return f.want == Rows || f.want == HeldRows }

// eachInParquet reads a Parquet file. Columns of bytes are left out of the rows, with
// a warning.
func (f *File) eachInParquet(do func(line int, text []byte) error) error {
	if _, err := io.Copy(io.Discard, f.Stored()); err != nil { // for the digest
		return err
	}
	info, err := f.stored.Stat()
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Path, err)
	}
	limits := f.limits
	leftOut, err := parquetfile.Rows(f.ctx, f.Path, f.stored, info.Size(), parquetfile.Limits{
		Row: int(limits.Row), Values: limits.Values(), Held: heldRows * int64(limits.Row), Size: int64(limits.Size),
		Long:  func(row int) error { return limits.TooLongRow(f.Path, row) },
		Many:  func(row int) error { return limits.TooManyValues(f.Path, row) },
		Pages: omniscope.Invalidf("%s has pages that take more than %s, %d times the longest row: if that is right, raise %s", f.Path, heldRows*limits.Row, heldRows, RowFlag),
		Large: limits.tooLarge(f.Path),
	}, do)
	if len(leftOut) > 0 && err == nil {
		f.warn(fmt.Sprintf("%s: columns of bytes, such as media, are left out of its rows: %s", f.Path, listed(leftOut)))
	}
	return err
}

// IsParquet reports whether a path names a regular file that begins as Parquet does.
func IsParquet(path string) bool {
	if !ondisk.IsFile(path) {
		return false // opening it says what is wrong
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := headOf(f)
	return err == nil && isParquet(head)
}

// listed names the first of many.
func listed(names []string) string {
	const most = 10
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func (f *File) warn(text string) { from(f.ctx).warn(text) }
