package layers

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEachPackageHasARow wants each package named once in the first column of the table of packages. A cell may name several,
// where those without a folder lie beside the one before: `bench/captions/vdc`, `salmonn`.
func TestEachPackageHasARow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(moduleRoot, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]int)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		folder := ""
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
			if strings.Contains(name[1], "/") || folder == "" {
				folder = path.Dir(name[1])
			}
			rows[path.Join(folder, path.Base(name[1]))]++
		}
	}
	for pkg, n := range rows {
		if n > 1 {
			t.Errorf("docs/architecture.md has %d rows for %s: make them one", n, pkg)
		}
	}
	for _, f := range sources(t) {
		if pkg := f.pkg; pkg != "." && rows[pkg] == 0 && !isTool(pkg) {
			t.Errorf("docs/architecture.md has no row for the package %s: say there what it is and what it imports", pkg)
			rows[pkg]++
		}
	}
}
