package ondisk

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestPaths(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	fixture.OK(t, os.WriteFile(at("file"), nil, 0o600))
	for name, target := range map[string]string{"to a file": "file", "to a folder": ".", "to nothing": "missing"} {
		if err := os.Symlink(target, at(name)); err != nil {
			t.Skip("links cannot be made here:", err)
		}
	}
	for _, c := range []struct {
		path                           string
		exists, isTaken, isFile, isDir bool
	}{
		{dir, true, true, false, true},
		{at("file"), true, true, true, false},
		{at("to a file"), true, true, true, false},
		{at("to a folder"), true, true, false, true},
		{at("to nothing"), false, true, false, false},
		{at("missing"), false, false, false, false},
	} {
		if Exists(c.path) != c.exists || IsTaken(c.path) != c.isTaken || IsFile(c.path) != c.isFile || IsFolder(c.path) != c.isDir {
			t.Errorf("%s: exists %t, taken %t, file %t, folder %t", c.path, Exists(c.path), IsTaken(c.path), IsFile(c.path), IsFolder(c.path))
		}
	}
}
