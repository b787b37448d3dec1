package main

import "go/ast"

// show marks the names that declarations of names in use show: types of parameters, results
// and exported fields, of functions, methods, types and variables. What a shown type shows
// is shown, too.
func (m *module) show(u *unit) {
	if u.external || m.development(u.path) {
		return
	}
	shows := make(map[string][]string) // by the name that shows them
	for _, s := range u.files {
		if s.test() {
			continue
		}
		for _, d := range s.Decls {
			addShown(shows, d)
		}
	}
	var inUse []string
	for _, n := range m.names {
		if n.pkg == u.path && (n.program || n.tests) {
			inUse = append(inUse, n.ident)
		}
	}
	seen := make(map[string]bool)
	for len(inUse) > 0 {
		from := inUse[len(inUse)-1]
		inUse = inUse[:len(inUse)-1]
		for _, to := range shows[from] {
			n := m.names[[2]string{u.path, to}]
			if n == nil || seen[to] {
				continue
			}
			seen[to], n.shown = true, true
			inUse = append(inUse, to)
		}
	}
}

// addShown adds the identifiers that a declaration shows.
func addShown(shows map[string][]string, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if !d.Name.IsExported() {
			return
		}
		by := d.Name.Name
		if d.Recv != nil {
			by = receiver(d.Recv.List[0].Type)
		}
		shows[by] = append(shows[by], identifiers(d.Type)...)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				shows[spec.Name.Name] = append(shows[spec.Name.Name], identifiers(spec.Type)...)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					shows[id.Name] = append(shows[id.Name], identifiers(spec.Type)...)
				}
			}
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// identifiers returns all identifiers of a type, except identifiers of hidden fields.
func identifiers(e ast.Expr) (all []string) {
	if e == nil {
		return nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, f := range n.Fields.List {
				if len(f.Names) == 0 || f.Names[0].IsExported() {
					all = append(all, identifiers(f.Type)...)
				}
			}
			return false
		case *ast.SelectorExpr:
			return false // of another package, which uses it by writing its name
		case *ast.Ident:
			all = append(all, n.Name)
		}
		return true
	})
	return all
}
