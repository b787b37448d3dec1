package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A name is an exported constant, function, type or variable of a package.
type name struct {
	pkg, ident string
	place      string // file:line
	line       int
	program    bool // a package of the program uses it, or an Example
	tests      bool // tests of other packages or development code use it
	ownTest    bool // the package's own external test uses it
	shown      bool // the declaration of a name in use shows it
}

// A module is the packages below a folder and the exported names of its program.
type module struct {
	path   string // of the module
	root   string
	fset   *token.FileSet
	units  []*unit
	names  map[[2]string]*name // by import path and identifier
	called map[string]string   // names of packages by import path
}

// A unit is what is type-checked together: a package with its own tests, or an external test.
type unit struct {
	path     string // import path of the package, also of an external test
	external bool
	files    []*source
}

type source struct {
	*ast.File
	path string // from the root
}

func (s *source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

// load parses all Go files of the module, for every system, and finds which names are used.
func load(root string) (*module, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	m := &module{root: root, fset: token.NewFileSet(), names: make(map[[2]string]*name), called: make(map[string]string)}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "module" {
			m.path = fields[1]
		}
	}
	if m.path == "" {
		return nil, fmt.Errorf("%s has no module line", filepath.Join(root, "go.mod"))
	}
	if err := filepath.WalkDir(root, m.visit); err != nil {
		return nil, err
	}
	for _, u := range m.units {
		m.declare(u)
	}
	m.resolve()
	for _, u := range m.units {
		m.show(u)
	}
	return m, nil
}

// visit parses the files of a folder.
func (m *module) visit(dir string, d fs.DirEntry, err error) error {
	if err != nil || !d.IsDir() {
		return err
	}
	if dir != m.root {
		if strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "testdata" {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return fs.SkipDir // another module
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return err
	}
	below, err := filepath.Rel(m.root, dir)
	if err != nil {
		return err
	}
	below = filepath.ToSlash(below)
	own := &unit{path: path.Join(m.path, below)}
	external := &unit{path: own.path, external: true}
	for _, file := range files {
		parsed, err := parser.ParseFile(m.fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		s := &source{parsed, path.Join(below, filepath.Base(file))}
		if s.test() && strings.HasSuffix(parsed.Name.Name, "_test") {
			external.files = append(external.files, s)
		} else {
			own.files = append(own.files, s)
			m.called[own.path] = parsed.Name.Name
		}
	}
	m.units = append(m.units, own, external)
	return nil
}

// development reports whether a package is for tests and tools.
func (m *module) development(pkg string) bool {
	below := strings.TrimPrefix(pkg, m.path+"/")
	return strings.HasPrefix(below, "internal/testing/") || strings.HasPrefix(below, "internal/tools/")
}

// declare collects the exported names of a package of the program.
func (m *module) declare(u *unit) {
	if u.external || m.development(u.path) {
		return
	}
	for _, s := range u.files {
		if s.test() || s.Name.Name == "main" || ast.IsGenerated(s.File) {
			continue
		}
		for _, d := range s.Decls {
			for _, id := range declared(d) {
				if id.IsExported() {
					line := m.fset.Position(id.Pos()).Line
					m.names[[2]string{u.path, id.Name}] = &name{pkg: u.path, ident: id.Name, place: fmt.Sprintf("%s:%d", s.path, line), line: line}
				}
			}
		}
	}
}

// declared returns the package-level names of a declaration.
func declared(d ast.Decl) (ids []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			ids = append(ids, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				ids = append(ids, spec.Name)
			case *ast.ValueSpec:
				ids = append(ids, spec.Names...)
			}
		}
	}
	return ids
}

// unused lists the names that no other package and no Example uses, in order of packages,
// files and lines.
func (m *module) unused() (all []*name) {
	for _, n := range m.names {
		if !n.program && !n.tests {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *name) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.file(), b.file()), cmp.Compare(a.line, b.line), cmp.Compare(a.ident, b.ident))
	})
	return all
}

func (n *name) file() string { return n.place[:strings.LastIndexByte(n.place, ':')] }

// onlyTests counts the names that tests of other packages or development code use, and
// the program does not.
func (m *module) onlyTests() (n int) {
	for _, name := range m.names {
		if !name.program && name.tests {
			n++
		}
	}
	return n
}
