package spelling

import (
	"os"
	"path/filepath"
	"slices"
)

// mostNames bounds how many names of a folder are looked at.
const mostNames = 10000

// NearFile offers the path that is meant by one that is not there. The first
// part of it that is missing is what was misspelt; the rest must be there.
func NearFile(path string) string {
	missing := filepath.Clean(path)
	rest := ""
	for {
		parent := filepath.Dir(missing)
		if _, err := os.Stat(parent); err == nil || parent == missing {
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
		if meant := filepath.Join(filepath.Dir(missing), name, rest); exists(meant) {
			found = append(found, meant)
		}
	}
	return Offer(found)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
