package bench

import (
	"path/filepath"
	"strings"

	"omniscope/internal/input"
)

// SystemName makes a system's name from the name of its predictions file, or folder and what
// is chosen of it.
func SystemName(path string) string {
	if folder, choice, ok := input.CutFolder(path); ok {
		if whole, err := filepath.Abs(folder); err == nil {
			folder = whole
		}
		return strings.TrimSuffix(filepath.Base(folder)+"-"+strings.ReplaceAll(choice, "/", "-"), "-")
	}
	base := filepath.Base(input.WithoutPacking(input.Name(path)))
	if filepath.Dir(path) == "/dev/fd" {
		return "fd" + base
	}
	return base[:len(base)-len(filepath.Ext(base))]
}
