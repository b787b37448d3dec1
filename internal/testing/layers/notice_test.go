package layers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestNoticeListsEveryDirectDependency(t *testing.T) {
	notice, err := os.ReadFile(filepath.Join(moduleRoot, "NOTICE"))
	fixture.OK(t, err)
	modules := required(t)
	seen := make(map[string]bool)
	for _, f := range sources(t) {
		for _, i := range f.imports {
			if isStandard(i.path) || strings.HasPrefix(i.path+"/", modulePath+"/") {
				continue
			}
			module, ok := moduleOf(modules, i.path)
			switch {
			case !ok:
				t.Errorf("%s:%d: no line of go.mod provides %q", f.path, i.line, i.path)
			case seen[module]:
			case modules[module]:
				t.Errorf("%s:%d imports %q: take `// indirect` off %s in go.mod", f.path, i.line, i.path, module)
			case !strings.Contains(string(notice), "\n"+module+"\n"):
				t.Errorf("%s:%d imports %q: list %s in NOTICE with its licence and copyright lines", f.path, i.line, i.path, module)
			}
			seen[module] = true
		}
	}
}

// required returns the modules of go.mod and whether each is marked indirect.
func required(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot, "go.mod"))
	fixture.OK(t, err)
	modules := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(fields) >= 2 && strings.Contains(fields[0], ".") && strings.HasPrefix(fields[1], "v") {
			modules[fields[0]] = strings.Contains(line, "// indirect")
		}
	}
	return modules
}

// moduleOf returns the longest module path that is a prefix of an import.
func moduleOf(modules map[string]bool, importPath string) (module string, ok bool) {
	for m := range modules {
		if strings.HasPrefix(importPath+"/", m+"/") && len(m) > len(module) {
			module, ok = m, true
		}
	}
	return module, ok
}
