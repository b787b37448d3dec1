package main

import (
	"go/ast"
	"go/types"
	"path"
	"strconv"
	"strings"
	"sync"
)

// resolve marks the names that are used. A use outside of the package is `pkg.Name`; the
// type checker finds out which pkg is an import, and not a variable that hides it. It
// gets empty packages for the imports, since their contents do not matter.
func (m *module) resolve() {
	var wait sync.WaitGroup
	var mu sync.Mutex
	for _, u := range m.units {
		wait.Go(func() {
			used := m.usesOf(u)
			mu.Lock()
			defer mu.Unlock()
			for _, mark := range used {
				mark()
			}
		})
	}
	wait.Wait()
}

// usesOf returns what marks the names that a unit uses.
func (m *module) usesOf(u *unit) (marks []func()) {
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	files := make([]*ast.File, len(u.files))
	for i, s := range u.files {
		files[i] = s.File
	}
	config := types.Config{Importer: m, Error: func(error) {}, FakeImportC: true, DisableUnusedImportCheck: true}
	pkg, _ := config.Check(u.path, m.fset, files, info) // errors are of the empty packages
	for _, s := range u.files {
		imports := m.importsOf(s)
		for _, d := range s.Decls {
			f, ok := d.(*ast.FuncDecl)
			example := ok && s.test() && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example")
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if name := m.names[[2]string{imported(n, info, imports), n.Sel.Name}]; name != nil {
						marks = append(marks, func() { m.mark(name, u, s, example) })
					}
				case *ast.Ident:
					// An Example within its package needs no import.
					if o := info.Uses[n]; example && o != nil && pkg != nil && o.Parent() == pkg.Scope() {
						if name := m.names[[2]string{u.path, n.Name}]; name != nil {
							marks = append(marks, func() { name.program = true })
						}
					}
				}
				return true
			})
		}
	}
	return marks
}

// imported returns the import path of pkg in `pkg.Name`, "" if it is not a package.
// Where the type checker gave up, the name of an import is taken for the import.
func imported(n *ast.SelectorExpr, info *types.Info, imports map[string]string) string {
	x, ok := n.X.(*ast.Ident)
	if !ok {
		return ""
	}
	switch o := info.Uses[x].(type) {
	case *types.PkgName:
		return o.Imported().Path()
	case nil:
		return imports[x.Name]
	}
	return ""
}

func (m *module) mark(n *name, u *unit, s *source, example bool) {
	switch {
	case example:
		n.program = true
	case u.path == n.pkg:
		n.ownTest = true
	case s.test() || m.development(u.path):
		n.tests = true
	default:
		n.program = true
	}
}

// importsOf returns the import paths of the module's packages in a file, by name.
func (m *module) importsOf(s *source) map[string]string {
	imports := make(map[string]string)
	for _, i := range s.Imports {
		from, err := strconv.Unquote(i.Path.Value)
		as, ours := m.called[from]
		if err != nil || !ours {
			continue
		}
		if i.Name != nil {
			as = i.Name.Name
		}
		imports[as] = from
	}
	return imports
}

// Import implements types.Importer.
func (m *module) Import(from string) (*types.Package, error) {
	if from == "unsafe" {
		return types.Unsafe, nil
	}
	as, ours := m.called[from]
	if !ours {
		as = path.Base(from)
	}
	p := types.NewPackage(from, as)
	p.MarkComplete()
	return p, nil
}
