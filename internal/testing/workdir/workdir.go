// Package workdir gives tests a working folder of small files, written as txtar text.
package workdir

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Enter writes the files of the archive to a new folder and makes it the working folder of
// the test, so that messages name the files as the archive does.
func Enter(t *testing.T, archive string) {
	t.Helper()
	dir := t.TempDir()
	if err := txtar.Write(txtar.Parse([]byte(archive)), dir); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Write writes a file.
func Write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Pack returns a text as gzip packs it.
func Pack(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
