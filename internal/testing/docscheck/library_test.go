package docscheck

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"omniscope/internal/testing/fixture"
)

// A shown example is a file that docs/library.md links to. It is a program, too.
type shown struct {
	path    string // of the file
	program string // the file with the example as its main
	output  string // that the example promises
	lines   int    // of the example's body
}

// shownExamples reads the examples of docs/library.md.
func shownExamples(t *testing.T) (all []shown) {
	t.Helper()
	for _, m := range regexp.MustCompile(`\]\(\.\./([a-z_/]+_test\.go)\)`).FindAllStringSubmatch(page(t, "docs/library.md"), -1) {
		all = append(all, readShown(t, m[1]))
	}
	if len(all) != 6 {
		t.Fatalf("docs/library.md links to %d examples, want 6", len(all))
	}
	return all
}

func readShown(t *testing.T, path string) shown {
	t.Helper()
	text, set := page(t, path), token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.ParseComments)
	fixture.OK(t, err)
	examples := doc.Examples(file)
	if len(examples) != 1 {
		t.Fatalf("%s has %d examples, want one that is a program", path, len(examples))
	}
	example := "Example" + examples[0].Name
	s := shown{path: path, output: examples[0].Output}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == example {
			s.lines = set.Position(f.Body.Rbrace).Line - set.Position(f.Body.Lbrace).Line - 2 - strings.Count(s.output, "\n")
		}
	}
	text = strings.Replace(text, "package "+file.Name.Name, "package main", 1)
	s.program = strings.Replace(text, "func "+example+"()", "func main()", 1)
	return s
}

func TestLibraryExamplesAreShort(t *testing.T) {
	const most = 25
	for _, s := range shownExamples(t) {
		if s.lines > most || s.lines < 5 || s.output == "" {
			t.Errorf("%s: the example has %d lines, want at most %d, and prints %q", s.path, s.lines, most, s.output)
		}
	}
}

// databases are modules that a program links only if it keeps a journal.
var databases = []string{"modernc.org/sqlite", "github.com/jackc/pgx", "github.com/riverqueue/river"}

// TestScoringLinksNoDatabase: a program links databases by package session/journals alone.
func TestScoringLinksNoDatabase(t *testing.T) {
	for _, c := range []struct {
		pkg  string
		want bool
	}{{"session", false}, {"session/eval", false}, {"session/predict", false}, {"perceive/all", false}, {"bench/omnicloze", false}, {"session/journals", true}} {
		cmd := exec.Command("go", "list", "-deps", "./"+c.pkg)
		cmd.Dir = moduleRoot
		out, err := cmd.Output()
		fixture.OK(t, err)
		var linked []string
		for _, name := range databases {
			if bytes.Contains(out, []byte("\n"+name)) {
				linked = append(linked, name)
			}
		}
		if len(linked) > 0 != c.want {
			t.Errorf("%s links databases %q, want some: %v", c.pkg, linked, c.want)
		}
	}
	for _, s := range shownExamples(t) {
		if strings.HasSuffix(s.path, "/example_score_test.go") && strings.Contains(s.program, "session/journals") {
			t.Errorf("%s needs no journal, and imports them", s.path)
		}
	}
}

// TestLongLibraryPrograms builds the examples as programs in a module of their own, which has a replace line, and runs them.
func TestLongLibraryPrograms(t *testing.T) {
	root, err := filepath.Abs(moduleRoot)
	fixture.OK(t, err)
	dir, all := userModule(t, root), shownExamples(t)
	for i, s := range all {
		name := filepath.Join(dir, fmt.Sprintf("program%d", i))
		fixture.OK(t, os.Mkdir(name, 0o755))
		fixture.OK(t, os.WriteFile(filepath.Join(name, "main.go"), []byte(s.program), 0o644))
	}
	userCommand(t, dir, "go", "build", "-o", filepath.Join(dir, "bin")+"/", "./...")
	_, lacksFFmpeg := exec.LookPath("ffmpeg")
	for i, s := range all {
		if _, err := os.Stat(filepath.Join(root, filepath.Dir(s.path), "main_test.go")); err == nil && lacksFFmpeg != nil {
			t.Logf("%s is built and does not run: %v", s.path, lacksFFmpeg)
			continue
		}
		printed := userCommand(t, filepath.Join(root, filepath.Dir(s.path)), filepath.Join(dir, "bin", fmt.Sprintf("program%d", i)))
		if strings.TrimSpace(printed) != strings.TrimSpace(s.output) {
			t.Errorf("%s as a program prints %q, want %q", s.path, printed, s.output)
		}
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
