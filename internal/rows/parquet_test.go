package rows

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

type parquetRow struct {
	ID  string `parquet:"id"`
	Raw []byte `parquet:"raw"`
}

func parquetFile(t *testing.T, rows ...parquetRow) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[parquetRow](&b)
	_, err := w.Write(rows)
	if err == nil {
		err = w.Close()
	}
	fixture.OK(t, err)
	return b.String()
}

// Parquet is known by its first bytes. What is left out of it is warned about once, however often the file is opened.
func TestRowsOfParquet(t *testing.T) {
	var warnings []string
	ctx := input.With(t.Context(), &input.Files{Warn: func(text string) { warnings = append(warnings, filepath.Base(text)) }})
	stored := parquetFile(t, parquetRow{"a", []byte{1}}, parquetRow{"b", nil})
	path := fixture.File(t, "rows.jsonl", stored)
	for range 2 {
		rows, err := rowsOf(t, ctx, path)
		if want := []string{`1 {"id":"a"}`, `2 {"id":"b"}`}; err != nil || !slices.Equal(rows, want) {
			t.Errorf("got %q, %v", rows, err)
		}
	}
	if want := []string{"rows.jsonl: columns of bytes, such as media, are left out of its rows: raw"}; !slices.Equal(warnings, want) {
		t.Errorf("warned: %q", warnings)
	}
	for _, want := range []input.Want{input.Texts, input.HeldRows} {
		_, _, err := input.ReadFile(ctx, path, want)
		if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "is a Parquet file") {
			t.Errorf("as text: %v", err)
		}
	}
	if _, err := rowsOf(t, ctx, fixture.File(t, "rows.parquet.gz", fixture.Gzip(stored))); err == nil || !strings.Contains(err.Error(), "is a packed Parquet file: unpack it once") {
		t.Errorf("packed: %v", err)
	}
	// A text may begin with the same letters.
	if rows, err := rowsOf(t, ctx, fixture.File(t, "x.csv", "PAR1,b\n1,2\n")); err != nil || !slices.Equal(rows, []string{`2 {"PAR1":"1","b":"2"}`}) {
		t.Errorf("a table: %q, %v", rows, err)
	}
}

// The digest of a folder can be made with sha256sum.
func TestDigestOfAFolder(t *testing.T) {
	dir := t.TempDir()
	text := func(i int) string { return fmt.Sprintf(`{"id":%d}`, i) + "\n" }
	lines := ""
	for i := range 2 {
		name := fmt.Sprintf("test_%d.jsonl", i)
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text(i)), 0o600))
		lines += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text(i))), name)
	}
	parts, err := input.PartsOf(dir + "#test")
	fixture.OK(t, err)
	var read []string
	err = parts.Each(t.Context(), func(part int, f *input.File) error {
		return Each(f, byLine, func(_ int, row []byte) error { read = append(read, fmt.Sprint(part, string(row))); return nil })
	})
	if err != nil || !slices.Equal(read, []string{`0{"id":0}`, `1{"id":1}`}) {
		t.Errorf("read %q, %v", read, err)
	}
	if want := sha256hex.Of(lines); parts.Digest() != want {
		t.Errorf("digest %s, want %s", parts.Digest(), want)
	}
}
