package docscheck

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"omniscope/bench/demo/clips"
	"omniscope/internal/testing/fixture"
)

// A shown program is in docs/library.md, below a link to the example that has the same statements.
type shown struct {
	example, program string
}

func shownPrograms(t *testing.T) (all []shown) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)\n## [^`]*?\\]\\(\\.\\./([a-z_/]+_test\\.go)\\).*?\n```go\n(.*?)```\n").FindAllStringSubmatch(page(t, "docs/library.md"), -1) {
		all = append(all, shown{m[1], m[2]})
	}
	if len(all) != 2 {
		t.Fatalf("docs/library.md has %d programs below a link to their example, want 2", len(all))
	}
	return all
}

// TestLibraryExamples wants in each example the statements of the page's program, except for the first one, which names the files.
func TestLibraryExamples(t *testing.T) {
	for _, s := range shownPrograms(t) {
		example := page(t, s.example)
		statements := body(t, s.program, "main")
		_, rest, _ := strings.Cut(statements, "\n")
		if !strings.Contains(body(t, example, "Example"), rest) {
			t.Errorf("docs/library.md has other statements than the example in %s: copy them from there", s.example)
		}
	}
}

// body returns the text of the first function with a name that begins so.
func body(t *testing.T, text, name string) string {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	fixture.OK(t, err)
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, name) {
			statements := f.Body.List
			return text[set.Position(statements[0].Pos()).Offset:set.Position(statements[len(statements)-1].End()).Offset]
		}
	}
	t.Fatalf("no function %s...", name)
	return ""
}

// TestLongLibraryPrograms builds the page's programs in a module of their own, which has a replace line, and runs them.
func TestLongLibraryPrograms(t *testing.T) {
	root, err := filepath.Abs(moduleRoot)
	fixture.OK(t, err)
	dir := userModule(t, root)
	var programs []string
	for _, s := range shownPrograms(t) {
		name := filepath.Base(filepath.Dir(s.example))
		fixture.OK(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name, "main.go"), []byte(s.program), 0o644))
		programs = append(programs, filepath.Join(dir, "bin", name))
	}
	userCommand(t, dir, "go", "build", "-o", filepath.Join(dir, "bin")+"/", "./...")
	demo := filepath.Join(root, "bench/demo")
	printed := userCommand(t, dir, programs[0], filepath.Join(demo, "cloze/clips.jsonl"), filepath.Join(demo, "captions/careful.jsonl"))
	if line := strings.TrimSuffix(printed, "\n"); !strings.Contains(page(t, "docs/library.md"), "prints `"+line+"`") {
		t.Errorf("docs/library.md shows another line than the program prints: %s", line)
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("the second program is built and does not run: ", err)
	}
	fixture.OK(t, clips.Make(t.Context(), dir))
	if printed := userCommand(t, dir, programs[1], filepath.Join(dir, clips.All[0].File())); !strings.Contains(printed, "There are 2 shots in 12.00 s") {
		t.Errorf("the clip has 2 shots in 12 s, and the caption is\n%s", printed)
	}
}

// userModule makes a module that requires this one and its dependencies. `go mod tidy` would find them, too, but may need the network.
func userModule(t *testing.T, root string) (dir string) {
	t.Helper()
	ours, err := modfile.Parse("go.mod", []byte(page(t, "go.mod")), nil)
	fixture.OK(t, err)
	path := ours.Module.Mod.Path
	fixture.OK(t, errors.Join(ours.AddModuleStmt("example.org/library"), ours.AddRequire(path, "v0.0.0"), ours.AddReplace(path, "", root, "")))
	text, err := ours.Format()
	fixture.OK(t, err)
	dir = t.TempDir()
	for name, text := range map[string]string{"go.mod": string(text), "go.sum": page(t, "go.sum")} {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

func userCommand(t *testing.T, dir, name string, args ...string) (printed string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, errs.String())
	}
	return string(out)
}
