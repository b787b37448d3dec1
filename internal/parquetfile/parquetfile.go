// Package parquetfile reads tables in Parquet as rows of JSON, as the Hugging Face hub gives
// the questions of benchmarks.
package parquetfile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"omniscope"
)

// mostRows and mostBytes bound a file: questions are text, and few.
const (
	mostRows  = 1_000_000
	mostBytes = 1 << 30
)

// Is reports whether a file is called a Parquet file.
func Is(path string) bool { return strings.EqualFold(filepath.Ext(path), ".parquet") }

// Rows calls do for each row, from 1, as a JSON object. digest is the file's SHA-256.
func Rows(ctx context.Context, path string, do func(number int, row []byte) error) (digest string, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", &omniscope.Error{Kind: omniscope.NotFound, Err: err}
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > mostBytes {
		return "", invalid(path, fmt.Errorf("it is no regular file of at most %d bytes", mostBytes))
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), eachRow(ctx, path, f, info.Size(), do)
}

func eachRow(ctx context.Context, path string, f io.ReaderAt, size int64, do func(number int, row []byte) error) (err error) {
	defer func() { // the library panics at files that are damaged inside
		if broken := recover(); broken != nil {
			err = invalid(path, fmt.Errorf("it is damaged: %v", broken))
		}
	}()
	table, err := parquet.OpenFile(f, size)
	if err != nil {
		return invalid(path, fmt.Errorf("it is no Parquet file: %w", err))
	}
	if table.NumRows() > mostRows {
		return invalid(path, fmt.Errorf("it has more than %d rows", mostRows))
	}
	rows := parquet.NewReader(table)
	defer rows.Close()
	for number := 1; ; number++ {
		row := make(map[string]any)
		switch err := rows.Read(&row); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return invalid(path, fmt.Errorf("row %d: %w", number, err))
		}
		text, err := json.Marshal(plain(row))
		if err != nil {
			return invalid(path, fmt.Errorf("row %d: %w", number, err))
		}
		if err := errors.Join(ctx.Err(), do(number, text)); err != nil {
			return err
		}
	}
}

// plain takes the groups away that lists are wrapped in: {"list": [{"element": x}]}.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if list, ok := v["list"].([]any); ok && len(v) == 1 {
			return elements(list)
		}
		for name := range v {
			v[name] = plain(v[name])
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	}
	return v
}

func elements(list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = plain(v)
		if group, ok := v.(map[string]any); ok && len(group) == 1 {
			for _, name := range []string{"element", "item"} {
				if inner, ok := group[name]; ok {
					out[i] = plain(inner)
				}
			}
		}
	}
	return out
}

func invalid(path string, err error) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s: %w", path, err)}
}
