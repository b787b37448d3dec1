package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
)

// Below makes a relative path start from a folder; "" = the working folder.
func Below(folder, path string) string {
	if path == "" || folder == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// WholePaths are the files' whole paths in order, each once: the same clips are
// the same run, in whatever order and from whatever folder they are named.
func WholePaths(files []string) []string {
	paths := make([]string, len(files))
	for i, path := range files {
		if whole, err := filepath.Abs(path); err == nil {
			path = whole
		}
		paths[i] = path
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// About names the file in an error that does not.
func About(path string, err error) error {
	if strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// NotAFolder is the error for prompts that are not in a folder.
func NotAFolder(path string) error {
	return omniscope.Usagef("--prompts %s is not a folder%s", path, spelling.NearFile(path))
}
