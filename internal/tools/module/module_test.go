package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

const moduleRoot = "../../.."

// tree is a small module; "OLD" is its path.
var tree = map[string]string{
	"go.mod":  "// A comment stays.\nmodule OLD\n\ngo 1.26.0\n\nrequire github.com/google/uuid v1.6.0 // indirect\n",
	"root.go": "// Package scope has OLD in its comment.\npackage scope\n\nconst Name = \"OLD\"\n",
	"cmd/scope/main.go": `//go:build linux

package main

import (
	"fmt"

	"OLD"
	words "OLD/internal/words" // of the program
	"github.com/google/uuid"
)

const schema, cache = "OLD/words/1", "OLD/internal.txt"

func main() { fmt.Println(scope.Name, words.First, uuid.New()) }
`,
	"internal/words/words.go":   "package words\n\nconst First = \"OLD\"\n",
	"dist/build.go":             "package main\n\nimport \"OLD/internal/words\"\n\nconst flags = \"-X OLD/internal/words.First=1 /opt/OLD/internal\" + words.First\n",
	"Makefile":                  "build:\n\tgo build -ldflags '-X OLD/internal/words.First=$(V)' -o bin/OLD ./cmd/scope\n",
	"docs/library.md":           "# Use OLD\n\n```go\npackage main\n\nimport (\n\t\"fmt\"\n\t\"OLD\"\n)\n```\n\n```\ngo mod edit -replace OLD=../OLD\nreplace OLD => ../OLD\nrequire OLD v0.0.0\nmodule example\n```\n\n```go\nwords.First\n```\n",
	"deploy/install.sh":         "go build -X OLD/internal/words.First=\"$v\" $TMP/OLD/internal/words OLD/internal.txt OLD/cache\n",
	"internal/testdata/bad.go":  "package",
	"internal/testdata/old.txt": "OLD/words\n",
}

func writeTree(t *testing.T, module string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range tree {
		file := filepath.Join(root, name)
		fixture.OK(t, os.MkdirAll(filepath.Dir(file), 0o755))
		fixture.OK(t, os.WriteFile(file, []byte(strings.ReplaceAll(text, "OLD", module)), 0o644))
	}
	return root
}

func readTree(t *testing.T, root string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	for name := range tree {
		text, err := os.ReadFile(filepath.Join(root, name))
		fixture.OK(t, err)
		texts[name] = string(text)
	}
	return texts
}

func renamed(t *testing.T, root, to string) (printed string) {
	t.Helper()
	var out bytes.Buffer
	fixture.OK(t, rename(&out, root, to))
	return out.String()
}

func TestRename(t *testing.T) {
	root := writeTree(t, "scope")
	printed := renamed(t, root, "example.org/a/scope")
	want := map[string]string{
		"go.mod":  "// A comment stays.\nmodule example.org/a/scope\n\ngo 1.26.0\n\nrequire github.com/google/uuid v1.6.0 // indirect\n",
		"root.go": "// Package scope has scope in its comment.\npackage scope\n\nconst Name = \"scope\"\n",
		"cmd/scope/main.go": `//go:build linux

package main

import (
	"fmt"

	"example.org/a/scope"
	words "example.org/a/scope/internal/words" // of the program
	"github.com/google/uuid"
)

const schema, cache = "scope/words/1", "scope/internal.txt"

func main() { fmt.Println(scope.Name, words.First, uuid.New()) }
`,
		"internal/words/words.go":   "package words\n\nconst First = \"scope\"\n",
		"dist/build.go":             "package main\n\nimport \"example.org/a/scope/internal/words\"\n\nconst flags = \"-X example.org/a/scope/internal/words.First=1 /opt/scope/internal\" + words.First\n",
		"Makefile":                  "build:\n\tgo build -ldflags '-X example.org/a/scope/internal/words.First=$(V)' -o bin/scope ./cmd/scope\n",
		"docs/library.md":           "# Use scope\n\n```go\npackage main\n\nimport (\n\t\"example.org/a/scope\"\n\t\"fmt\"\n)\n```\n\n```\ngo mod edit -replace example.org/a/scope=../scope\nreplace example.org/a/scope => ../scope\nrequire example.org/a/scope v0.0.0\nmodule example\n```\n\n```go\nwords.First\n```\n",
		"deploy/install.sh":         "go build -X example.org/a/scope/internal/words.First=\"$v\" $TMP/scope/internal/words scope/internal.txt scope/cache\n",
		"internal/testdata/bad.go":  "package",
		"internal/testdata/old.txt": "scope/words\n",
	}
	got := readTree(t, root)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is\n%s\nwant\n%s", name, got[name], want[name])
		}
	}
	if strings.Contains(printed, "not changed") {
		t.Errorf("no file but the listed ones names a package, and it prints\n%s", printed)
	}
	for _, line := range []string{"go.mod: module scope is now example.org/a/scope", "Go files: 3 imports in 2 files",
		"pages: 1 imports in 1 files", "Makefile: paths of packages", "dist/build.go: paths of packages"} {
		if !strings.Contains(printed, line+"\n") {
			t.Errorf("%q is not printed:\n%s", line, printed)
		}
	}
}

func TestRenameAgain(t *testing.T) {
	root := writeTree(t, "scope")
	renamed(t, root, "example.org/a/scope")
	once := readTree(t, root)
	if printed := renamed(t, root, "example.org/a/scope"); printed != "the module is already called example.org/a/scope\n" || !maps.Equal(readTree(t, root), once) {
		t.Errorf("the second rename to the same path changes files and prints %s", printed)
	}
	renamed(t, root, "example.net/zoom")
	renamed(t, root, "example.org/a/scope")
	if !maps.Equal(readTree(t, root), once) {
		t.Error("a rename to another path and back changes the files")
	}
}

// TestInterruptedRename writes all files but go.mod, which a rename writes last.
func TestInterruptedRename(t *testing.T) {
	complete, interrupted := writeTree(t, "scope"), writeTree(t, "scope")
	renamed(t, complete, "example.org/a/scope")
	renamed(t, interrupted, "example.org/a/scope")
	mod := strings.ReplaceAll(tree["go.mod"], "OLD", "scope")
	fixture.OK(t, os.WriteFile(filepath.Join(interrupted, "go.mod"), []byte(mod), 0o644))
	renamed(t, interrupted, "example.org/a/scope")
	if !maps.Equal(readTree(t, complete), readTree(t, interrupted)) {
		t.Error("the repeated rename leaves other files than one without an interruption")
	}
}

func TestRefusedPaths(t *testing.T) {
	root := writeTree(t, "scope")
	before := readTree(t, root)
	for path, want := range map[string]string{
		"other":                  "missing dot in first path element",
		"example.org/a b":        "invalid char",
		"https://example.org":    "double slash",
		"example.org/a/":         "trailing slash",
		"example.org//a":         "double slash",
		"-example.org/a":         "leading dash",
		"example.org/a/v1":       "invalid",
		"Example.org/a":          "invalid char",
		"github.com/google/uuid": "is taken by the dependency github.com/google/uuid",
		"github.com/google":      "is taken by the dependency github.com/google/uuid",
	} {
		var out bytes.Buffer
		if err := rename(&out, root, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
	}
	if !maps.Equal(readTree(t, root), before) {
		t.Error("a refused rename changes files")
	}
}

func TestInvalidFiles(t *testing.T) {
	for name, text := range map[string]string{"cmd/scope/main.go": "package main\n\nimport \"scope\n", "docs/library.md": "\n```go\npackage main\n", "go.mod": "go 1.26.0\n"} {
		root := writeTree(t, "scope")
		fixture.OK(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
		before := readTree(t, root)
		if err := rename(&bytes.Buffer{}, root, "example.org/a/scope"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
		if !maps.Equal(readTree(t, root), before) {
			t.Errorf("%s is invalid, and other files are changed", name)
		}
	}
}

func TestUnlistedMentions(t *testing.T) {
	root := writeTree(t, "scope")
	fixture.OK(t, os.WriteFile(filepath.Join(root, "notes.txt"), []byte("first\nsee scope/internal/words\n"), 0o644))
	if printed := renamed(t, root, "example.org/a/scope"); !strings.Contains(printed, "notes.txt:2: not changed") {
		t.Errorf("notes.txt is not named:\n%s", printed)
	}
}

// TestMentionsInUse wants every entry of mentions to fit a file of this module that names a package.
func TestMentionsInUse(t *testing.T) {
	files, err := walked(moduleRoot)
	fixture.OK(t, err)
	from := modulePath(t, moduleRoot)
	r := newRenamer(from, "example.org/other", files)
	for _, end := range mentions {
		fits := slices.ContainsFunc(files, func(name string) bool {
			if !strings.HasSuffix("/"+name, "/"+end) {
				return false
			}
			text, err := os.ReadFile(filepath.Join(moduleRoot, name))
			return err == nil && !bytes.Equal(r.mention(text), text)
		})
		if !fits {
			t.Errorf("mentions lists %s, and no such file names a package of %s: remove the entry", end, from)
		}
	}
}
