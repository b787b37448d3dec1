package rows

import (
	"fmt"
	"io"
	"strings"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/parquetfile"
)

// heldRows is how many rows of the largest size the pages of a Parquet file may take
// that are in memory at a time: one of each column, and what they have in common.
const heldRows = 16

// eachInParquet reads a Parquet file. Columns of bytes are left out of the rows, with
// a warning.
func eachInParquet(f *input.File, do func(line int, text []byte) error) error {
	if _, err := io.Copy(io.Discard, f.Stored()); err != nil { // for the digest
		return err
	}
	size, err := f.Size()
	if err != nil {
		return err
	}
	limits := f.Limits()
	leftOut, err := parquetfile.Rows(f.Context(), f.Path, f, size, parquetfile.Limits{
		Row: int(limits.Row), Values: limits.Values(), Held: heldRows * int64(limits.Row), Size: int64(limits.Size),
		Long:  func(row int) error { return limits.TooLongRow(f.Path, row) },
		Many:  func(row int) error { return limits.TooManyValues(f.Path, row) },
		Pages: omniscope.Invalidf("%s has pages that take more than %s, %d times the longest row: if that is right, raise %s", f.Path, heldRows*limits.Row, heldRows, input.RowFlag),
		Large: limits.TooLarge(f.Path),
	}, do)
	if len(leftOut) > 0 && err == nil {
		f.Warn(fmt.Sprintf("%s: columns of bytes, such as media, are left out of its rows: %s", f.Path, listed(leftOut)))
	}
	return err
}

// listed names the first of many.
func listed(names []string) string {
	const most = 10
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
