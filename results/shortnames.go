package results

import (
	"path/filepath"
	"strings"
)

// ShortNames returns the last parts of paths, with as many parts before them as distinguish the paths.
// Tables show no complete path of a disk.
func ShortNames(paths ...string) []string {
	different := make(map[string]bool)
	for _, path := range paths {
		different[filepath.Clean(path)] = true
	}
	for last := 1; ; last++ {
		names, seen := make([]string, len(paths)), make(map[string]bool)
		for i, path := range paths {
			parts := strings.Split(filepath.ToSlash(filepath.Clean(path)), "/")
			names[i] = strings.Join(parts[max(0, len(parts)-last):], "/")
			seen[names[i]] = true
		}
		if len(seen) == len(different) {
			return names
		}
	}
}
