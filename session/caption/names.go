package caption

import (
	"path/filepath"
	"strings"

	"omniscope/internal/filename"
)

// ClipNames are the files' names without their endings, numbered where two are
// the same, in capitals or not.
func ClipNames(files []string) []string {
	bases := make([]string, len(files))
	for i, path := range files {
		bases[i] = ClipBase(path)
	}
	return distinct(bases)
}

// distinct numbers those of the names that are there before, in capitals or not.
func distinct(bases []string) []string {
	names, taken := make([]string, len(bases)), make(map[string]bool, len(bases))
	for i, base := range bases {
		names[i] = base
		for n := 2; taken[strings.ToLower(names[i])]; n++ {
			names[i] = filename.Numbered(base, n)
		}
		taken[strings.ToLower(names[i])] = true
	}
	return names
}

// ClipBase is a file's name without its ending, fit to name a folder.
func ClipBase(path string) string {
	base := filepath.Base(path)
	return folderName(strings.TrimSuffix(base, filepath.Ext(base)))
}

// folderName is the name of a clip, fit to name a folder.
func folderName(clip string) string {
	if strings.Trim(clip, ".") == "" {
		return "clip"
	}
	return filename.Safe(clip)
}
