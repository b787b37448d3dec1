package deadnames

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

const root = "../../.."

// kept are functions that the program does not reach, by package and name, with the reason.
var kept = map[string]string{
	"internal/settings Settings.UnmarshalYAML": "the YAML library calls it by reflection",
	"internal/settings Settings.add":           "UnmarshalYAML calls it",
	"internal/settings valuesOf":               "UnmarshalYAML calls it",
	"session At":                               "an Example of session/eval gives it to Machine.Address",
	"metric/neural/models Describe":            "internal/tools/neuralgen describes the models that it makes",
	"metric/neural/models describe":            "Describe calls it",
}

// TestDeadFunctions runs deadcode, which follows all calls from the program's main.
func TestLongDeadFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the program")
	}
	examples := examples(t) // reads all folders, so that the go command runs this test again when a file changes
	cmd := exec.Command("go", "tool", "-modfile=internal/tools/lint/go.mod", "deadcode", "-json", "./cmd/omniscope")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			t.Fatalf("deadcode: %v: %s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var packages []struct {
		Path  string
		Funcs []struct {
			Name     string
			Position struct {
				File string
				Line int
			}
		}
	}
	if err := json.Unmarshal(out, &packages); err != nil {
		t.Fatalf("deadcode: %v", err)
	}
	dead := make(map[string]bool)
	for _, p := range packages {
		for _, f := range p.Funcs {
			pkg := filepath.ToSlash(filepath.Dir(f.Position.File))
			name := pkg + " " + f.Name
			dead[name] = true
			if _, ok := kept[name]; !ok && !examples[name] {
				t.Errorf("%s:%d: no command calls %s: delete it, show it in an Example, or list it with a reason in internal/testing/deadnames", f.Position.File, f.Position.Line, f.Name)
			}
		}
	}
	for name := range kept {
		if !dead[name] {
			t.Errorf("%s is reached or gone: take it off the list", name)
		}
	}
}

// examples returns the functions and methods that Examples call, as "folder Name" and,
// since the type is not known, as "folder Type.Name" for each Type that the Example is of.
func examples(t *testing.T) map[string]bool {
	t.Helper()
	shown := make(map[string]bool)
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if of, ok := d.(*ast.FuncDecl); ok && of.Recv == nil && strings.HasPrefix(of.Name.Name, "Example") {
				show(shown, filepath.ToSlash(pkg), f.Name.Name, of)
			}
		}
		return nil
	})
	fixture.OK(t, err)
	if files < 50 {
		t.Fatalf("only %d test files: is %s the module's root?", files, root)
	}
	return shown
}

// show adds what an Example calls of its package. Within the package it needs no import.
func show(shown map[string]bool, pkg, clause string, example *ast.FuncDecl) {
	name, external := strings.CutSuffix(clause, "_test")
	of, _, _ := strings.Cut(strings.TrimPrefix(example.Name.Name, "Example"), "_")
	ast.Inspect(example.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == name {
				shown[pkg+" "+n.Sel.Name] = true
			} else {
				shown[pkg+" "+of+"."+n.Sel.Name] = true
			}
		case *ast.Ident:
			if !external {
				shown[pkg+" "+n.Name] = true
			}
		}
		return true
	})
}
