package layers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestEditorsCheckTheSame compares the lists of what errcheck leaves out for `make lint`
// and for golangci-lint, which cannot read the first one.
func TestEditorsCheckTheSame(t *testing.T) {
	read := func(path string) []string {
		text, err := os.ReadFile(filepath.Join(moduleRoot, path))
		fixture.OK(t, err)
		return strings.Split(string(text), "\n")
	}
	listed := make(map[string]bool)
	for _, line := range read("internal/tools/lint/errcheck.txt") {
		if line != "" && !strings.HasPrefix(line, "//") {
			listed[line] = true
		}
	}
	if len(listed) < 20 {
		t.Fatalf("only %d lines in errcheck.txt", len(listed))
	}
	inList := false
	for _, line := range read(".golangci.yml") {
		entry, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		switch {
		case strings.TrimSpace(line) == "exclude-functions:":
			inList = true
		case inList && ok && listed[entry]:
			delete(listed, entry)
		case inList && ok:
			t.Errorf(".golangci.yml leaves out %s, errcheck.txt does not", entry)
		default:
			inList = false
		}
	}
	for entry := range listed {
		t.Errorf("errcheck.txt leaves out %s, .golangci.yml does not", entry)
	}
}
