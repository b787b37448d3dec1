package push

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"omniscope/internal/parquetfile"
)

// tableLimits bound what is unpacked of a table: what goes beyond is refused, since it was not looked at.
var tableLimits = parquetfile.Limits{
	Row: 64 << 20, Values: 1 << 21, Held: 1 << 30, Size: 1 << 40,
	Long:  func(row int) error { return fmt.Errorf("row %d has more than 64 MiB", row) },
	Many:  func(row int) error { return fmt.Errorf("row %d has more than %d values", row, 1<<21) },
	Pages: errors.New("its pages take more than 1 GiB of memory"),
	Large: errors.New("it has more than 1 TiB"),
}

// checkParquet looks at the values of a table: they are packed in the file.
func (c *checker) checkParquet(ctx context.Context, shown string, f *found) error {
	file, err := os.Open(shown)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	leftOut, err := parquetfile.Rows(ctx, shown, file, info.Size(), tableLimits, func(number int, row []byte) error {
		one := found{}
		s := &scan{checker: c, out: &one, text: true, sum: sha256.New()}
		if err := s.all(ctx, bytes.NewReader(row)); err != nil {
			return err
		}
		for _, r := range one.refused {
			if len(f.refused) < mostRefusals {
				f.refused = append(f.refused, refusal{Line: number, Why: r.Why + " (row of the table)"})
			}
		}
		if one.home > 0 && f.home == 0 {
			f.home = number
		}
		if hasNUL(row) && len(f.refused) < mostRefusals {
			f.refused = append(f.refused, refusal{Line: number, Why: "it holds bytes that are no text, such as media within a table (row of the table)"})
		}
		return nil
	})
	if err := c.checkFooter(file, info.Size(), f); err != nil {
		return err
	}
	if len(leftOut) > 0 {
		f.refused = append(f.refused, refusal{Why: "it has columns of bytes, such as media within a table: " + strings.Join(leftOut, ", ")})
	}
	if err != nil && ctx.Err() == nil {
		f.refused = append(f.refused, refusal{Why: "it cannot be read as the Parquet table that it says it is: " + err.Error()})
		return nil
	}
	return err
}

// mostFooter bounds the footer of a table that is looked at, in bytes: package parquetfile reads no longer one.
const mostFooter = 64 << 20

// checkFooter looks at the footer of a table, where writers put names of columns and texts of their own.
func (c *checker) checkFooter(file io.ReaderAt, size int64, f *found) error {
	end := make([]byte, 8) // length of the footer, and PAR1
	if size < int64(len(end)) {
		return nil // no table: Rows says so
	}
	if _, err := file.ReadAt(end, size-int64(len(end))); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(end))
	if length > min(mostFooter, size-int64(len(end))) {
		return nil
	}
	footer := make([]byte, length)
	if _, err := file.ReadAt(footer, size-int64(len(end))-length); err != nil {
		return err
	}
	one := found{}
	s := &scan{checker: c, out: &one}
	s.search(footer, true)
	for _, r := range one.refused {
		// The footer also has the smallest and the largest value of a column: of rows that are named already.
		named := slices.ContainsFunc(f.refused, func(before refusal) bool { return strings.HasPrefix(before.Why, r.Why) })
		if len(f.refused) < mostRefusals && !named {
			f.refused = append(f.refused, refusal{Why: r.Why + " (footer of the table)"})
		}
	}
	return nil
}

// hasNUL reports whether a text of a JSON document has a zero byte.
func hasNUL(row []byte) bool {
	for {
		i := bytes.Index(row, []byte(`\u0000`))
		if i < 0 {
			return false
		}
		slashes := 0
		for i-slashes > 0 && row[i-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 { // else the backslash is one of the text
			return true
		}
		row = row[i+1:]
	}
}
