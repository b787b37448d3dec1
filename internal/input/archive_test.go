package input

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"omniscope/internal/testing/fixture"
)

// archiveFile writes a ZIP file whose members are packed by a method.
func archiveFile(t *testing.T, method uint16, members ...string) string {
	t.Helper()
	var text bytes.Buffer
	w := zip.NewWriter(&text)
	w.RegisterCompressor(zstandard, zstd.ZipCompressor())
	for i := 0; i < len(members); i += 2 {
		m, err := w.CreateHeader(&zip.FileHeader{Name: members[i], Method: method})
		fixture.OK(t, err)
		if _, err := m.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	fixture.OK(t, w.Close())
	path := filepath.Join(t.TempDir(), "a.zip")
	fixture.OK(t, os.WriteFile(path, text.Bytes(), 0o600))
	return path
}

// TestArchiveMethods reads members that are stored, deflated and packed by Zstandard. Of two
// with one name the later counts, as in Python's zipfile.
func TestArchiveMethods(t *testing.T) {
	for _, method := range []uint16{zip.Store, zip.Deflate, zstandard} {
		a, err := OpenArchive(t.Context(), archiveFile(t, method, "a.json", "old", "b.json", "b", "a.json", "new"))
		fixture.OK(t, err)
		defer a.Close()
		text, err := a.Read("a.json")
		if err != nil || string(text) != "new" || strings.Join(a.Names(), " ") != "a.json b.json" {
			t.Errorf("method %d: %q, %v of %v", method, text, err, a.Names())
		}
		if digest, err := a.Digest(); err != nil || len(digest) != 64 {
			t.Errorf("method %d: digest %q, %v", method, digest, err)
		}
	}
}

func TestBadArchives(t *testing.T) {
	bomb := archiveFile(t, zip.Deflate, "a", strings.Repeat("a", 1<<20))
	cut := archiveFile(t, zip.Deflate, "a", "text")
	text, err := os.ReadFile(cut)
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(cut, text[:len(text)-5], 0o600))
	plain := filepath.Join(t.TempDir(), "plain")
	fixture.OK(t, os.WriteFile(plain, []byte("no archive"), 0o600))
	for name, c := range map[string]struct {
		path   string
		limits Limits
		want   string
	}{
		"a long member":            {bomb, Limits{Row: 1 << 10}, "--max-row-size"},
		"too much in all":          {bomb, Limits{Size: 1 << 10}, "--max-input-size"},
		"a cut archive":            {cut, Limits{}, "cut off or damaged"},
		"no archive":               {plain, Limits{}, "is no ZIP file"},
		"more members than rows":   {archiveFile(t, zip.Store, "a", "", "b", ""), Limits{Rows: 1}, "--max-input-rows"},
		"a member that is missing": {archiveFile(t, zip.Store, "b", ""), Limits{}, `has no member "a"`},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := OpenArchive(With(t.Context(), &Files{Limits: c.limits}), c.path)
			if err == nil {
				defer a.Close()
				_, err = a.Read("a")
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}
