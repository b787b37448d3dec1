package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// imports rewrites the import declarations of a Go file and sorts them as gofmt
// does. It returns the text and the number of rewritten imports.
func (r *renamer) imports(name string, text []byte) ([]byte, int, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, 0, err
	}
	head, n := slices.Clone(text), 0
	for _, spec := range slices.Backward(tree.Imports) {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		below, ours := strings.CutPrefix(path+"/", r.from+"/")
		if !ours {
			continue
		}
		path = strings.TrimSuffix(r.to+"/"+below, "/")
		head = slices.Replace(head, offset(set, spec.Path.Pos()), offset(set, spec.Path.End()), []byte(strconv.Quote(path))...)
		n++
	}
	if n == 0 {
		return text, 0, nil
	}
	after := len(text) - endOfImports(set, tree, text) // bytes, the same before and after
	body := head[len(head)-after:]
	head, err = format.Source(head[:len(head)-after])
	if err != nil {
		return nil, 0, fmt.Errorf("%s: format the imports: %w", name, err)
	}
	return append(append(bytes.TrimRight(head, "\n"), '\n'), body...), n, nil
}

// endOfImports returns the offset of the line after the last import.
func endOfImports(set *token.FileSet, tree *ast.File, text []byte) int {
	end := offset(set, tree.Decls[len(tree.Decls)-1].End())
	if line := bytes.IndexByte(text[end:], '\n'); line >= 0 {
		return end + line + 1
	}
	return len(text)
}

func offset(set *token.FileSet, at token.Pos) int { return set.Position(at).Offset }

// page rewrites the imports of the complete Go programs in a Markdown page.
func (r *renamer) page(name string, text []byte) ([]byte, int, error) {
	var out bytes.Buffer
	n := 0
	for rest := text; ; {
		before, after, found := bytes.Cut(rest, []byte("\n```go\n"))
		out.Write(before)
		if !found {
			return out.Bytes(), n, nil
		}
		out.WriteString("\n```go\n")
		program, after, closed := bytes.Cut(after, []byte("\n```"))
		if !closed {
			return nil, 0, fmt.Errorf("%s: a block of Go has no end: add a line with ```", name)
		}
		if bytes.HasPrefix(program, []byte("package ")) {
			renamed, imports, err := r.imports(name, append(program[:len(program):len(program)], '\n'))
			if err != nil {
				return nil, 0, err
			}
			program, n = bytes.TrimSuffix(renamed, []byte("\n")), n+imports
		}
		out.Write(program)
		out.WriteString("\n```")
		rest = after
	}
}
