package layers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestEachFolderHasARow wants the table of docs/architecture.md to have one row for each
// folder, in the order of the imports.
func TestEachFolderHasARow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(moduleRoot, "docs/architecture.md"))
	fixture.OK(t, err)
	var rows []string
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "`")
			rows = append(rows, strings.TrimSuffix(name, "/omniscope"))
		}
	}
	if !slices.Equal(rows, folders) {
		t.Errorf("docs/architecture.md has rows for\n%q, want one for each folder, in this order:\n%q", rows, folders)
	}
}
