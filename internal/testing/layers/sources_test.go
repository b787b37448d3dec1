package layers

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/modfile"

	"omniscope/internal/testing/fixture"
)

const moduleRoot = "../../.."

// modulePath is the module's path, as go.mod has it.
var modulePath = func() string {
	text, err := os.ReadFile(filepath.Join(moduleRoot, "go.mod"))
	if err != nil {
		panic(err)
	}
	return modfile.ModulePath(text)
}()

// A file is what the tests want to know of a source file.
type file struct {
	path    string // from the module's root
	pkg     string // its folder, "." for the root
	name    string // of the package clause
	test    bool
	lines   int
	init    int // line of func init, 0 = none
	imports []imported
	types   []string // exported types, by name
}

type imported struct {
	path string
	line int
}

var readSources = sync.OnceValues(walk)

// sources returns all Go files of the module, parsed once.
func sources(t *testing.T) []file {
	t.Helper()
	files, err := readSources()
	fixture.OK(t, err)
	if len(files) < 50 {
		t.Fatalf("only %d Go files found: is %s the module's root?", len(files), moduleRoot)
	}
	return files
}

func walk() ([]file, error) {
	var files []file
	err := filepath.WalkDir(moduleRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			hidden := path != moduleRoot && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"))
			if hidden || name == "testdata" || path == filepath.Join(moduleRoot, "bin") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		f, err := read(path)
		files = append(files, f)
		return err
	})
	return files, err
}

func read(path string) (file, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return file{}, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return file{}, err
	}
	rel, err := filepath.Rel(moduleRoot, path)
	if err != nil {
		return file{}, err
	}
	f := file{path: filepath.ToSlash(rel), pkg: filepath.ToSlash(filepath.Dir(rel)), name: tree.Name.Name,
		test: strings.HasSuffix(path, "_test.go"), lines: bytes.Count(text, []byte{'\n'})}
	for _, spec := range tree.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return file{}, err
		}
		f.imports = append(f.imports, imported{target, set.Position(spec.Pos()).Line})
	}
	for _, decl := range tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Name.Name == "init" && decl.Recv == nil {
				f.init = set.Position(decl.Pos()).Line
			}
		case *ast.GenDecl:
			f.types = append(f.types, exportedTypes(decl)...)
		}
	}
	return f, nil
}

func exportedTypes(decl *ast.GenDecl) (names []string) {
	for _, spec := range decl.Specs {
		if t, ok := spec.(*ast.TypeSpec); ok && t.Name.IsExported() {
			names = append(names, t.Name.Name)
		}
	}
	return names
}
