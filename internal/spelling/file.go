package spelling

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope/internal/ondisk"
)

// mostNames bounds how many names of a folder are looked at.
const mostNames = 10000

// FileHint offers, for a file or folder that is not there, the nearest name in its
// folder. An error that offers something already gets nothing more.
func FileHint(err error) string {
	var bad *fs.PathError
	if errors.As(err, &bad) && errors.Is(bad, fs.ErrNotExist) && !strings.Contains(err.Error(), "did you mean") {
		return NearFile(bad.Path)
	}
	return ""
}

// NearFile offers the path that is meant by one that is not there. The first
// part of it that is missing is what was misspelt; the rest must be there.
func NearFile(path string) string {
	missing := filepath.Clean(path)
	rest := ""
	for {
		parent := filepath.Dir(missing)
		if ondisk.Exists(parent) || parent == missing {
			break
		}
		missing, rest = parent, filepath.Join(filepath.Base(missing), rest)
	}
	dir, err := os.Open(filepath.Dir(missing))
	if err != nil {
		return ""
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(mostNames)
	slices.Sort(names)
	var found []string
	for _, name := range Near(filepath.Base(missing), names) {
		if meant := filepath.Join(filepath.Dir(missing), name, rest); ondisk.Exists(meant) {
			found = append(found, meant)
		}
	}
	return Offer(found)
}
