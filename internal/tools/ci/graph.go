package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A pkg is a package of the module. Names of packages are as `go test` takes them:
// "./bench/choice", "." for the root.
type pkg struct {
	imports []string // of ours, tests included
	long    bool     // it has TestLong tests
	racy    bool     // it is tested under the race detector
}

// A graph is the packages of the module by name.
type graph map[string]*pkg

// listed is what `go list -json` prints of a package.
type listed struct {
	ImportPath, Dir                    string
	Imports, TestImports, XTestImports []string
	TestGoFiles, XTestGoFiles          []string
	Module                             struct{ Path string }
}

func readGraph(racy []string) (graph, error) {
	out, err := output("go", "list", "-json=ImportPath,Dir,Imports,TestImports,XTestImports,TestGoFiles,XTestGoFiles,Module", "./...")
	if err != nil {
		return nil, err
	}
	g := make(graph)
	for packages := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := packages.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		long, err := hasLongTests(l.Dir, append(l.TestGoFiles, l.XTestGoFiles...))
		if err != nil {
			return nil, err
		}
		p := &pkg{long: long}
		for _, imported := range slices.Concat(l.Imports, l.TestImports, l.XTestImports) {
			if name, ok := nameOf(imported, l.Module.Path); ok {
				p.imports = append(p.imports, name)
			}
		}
		name, _ := nameOf(l.ImportPath, l.Module.Path)
		g[name] = p
	}
	if len(racy) == 0 {
		return g, nil
	}
	out, err = output("go", append([]string{"list", "-f", "{{.ImportPath}} {{.Module.Path}}"}, racy...)...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		importPath, module, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name, ok := nameOf(importPath, module); ok && g[name] != nil {
			g[name].racy = true
		}
	}
	return g, nil
}

// nameOf returns the name of one of our packages.
func nameOf(importPath, module string) (name string, ok bool) {
	if importPath == module {
		return ".", true
	}
	name, ok = strings.CutPrefix(importPath, module+"/")
	return "./" + name, ok
}

var longTest = regexp.MustCompile(`(?m)^func TestLong`)

func hasLongTests(dir string, files []string) (bool, error) {
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return false, err
		}
		if longTest.Match(text) {
			return true, nil
		}
	}
	return false, nil
}

// everything is every package, and the cross builds.
func (g graph) everything() touched {
	return touched{packages: slices.Collect(maps.Keys(g)), program: true}
}

// touched is what a change may break.
type touched struct {
	packages []string
	program  bool // Go files changed, so that other systems may not build
}

// touched returns the packages of changed files and their direct importers.
func (g graph) touched(c change) touched {
	if c.everything {
		return g.everything()
	}
	changed := make(map[string]bool)
	program := false
	for _, file := range c.files {
		program = program || strings.HasSuffix(file, ".go") || strings.HasSuffix(file, ".s")
		packages, ok := g.packagesOf(file)
		if !ok {
			return g.everything()
		}
		for _, name := range packages {
			changed[name] = true
		}
	}
	var names []string
	for name, p := range g {
		if changed[name] || slices.ContainsFunc(p.imports, func(i string) bool { return changed[i] }) {
			names = append(names, name)
		}
	}
	return touched{names, program}
}

// readers are the packages with tests of files that are in no package. The first
// pattern that a file or one of its folders matches counts.
var readers = []struct {
	pattern  string
	packages []string // nil = everything counts as changed
}{
	{"go.mod", nil},
	{"go.sum", nil},
	{"Makefile", nil},
	{".ci", nil},
	{"scripts", []string{"./internal/testing/docscheck", "./cmd/omniscope"}},
	{"deploy", []string{"./internal/testing/deploycheck", "./cmd/omniscope"}},
	{"action.yml", []string{"./internal/testing/deploycheck"}},
	{".devcontainer", []string{"./internal/testing/deploycheck"}},
	{".dockerignore", []string{"./internal/testing/deploycheck"}},
	{".pre-commit-hooks.yaml", []string{"./internal/testing/deploycheck"}},
	{"python", []string{"./internal/tools/dist"}},
	{"*", []string{"./internal/testing/docscheck"}}, // texts and pictures
}

// packagesOf returns the packages that a file belongs to; ok is false if it may concern
// every package.
func (g graph) packagesOf(file string) (packages []string, ok bool) {
	if path.Dir(file) == "." && strings.HasSuffix(file, ".go") {
		return []string{"."}, true
	}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if g["./"+dir] != nil {
			return []string{"./" + dir}, true
		}
	}
	if strings.HasSuffix(file, ".go") {
		return nil, false // of a package that is gone
	}
	first, _, _ := strings.Cut(file, "/")
	for _, r := range readers {
		if match, _ := path.Match(r.pattern, first); match {
			return r.packages, r.packages != nil
		}
	}
	return nil, false
}

// jobs returns the jobs for packages, the cheapest first.
func (g graph) jobs(t touched, costs costs) (jobs []job) {
	for _, name := range t.packages {
		if p := g[name]; p != nil && p.long {
			jobs = append(jobs, costs.job(long, name))
		}
		if p := g[name]; p != nil && p.racy {
			jobs = append(jobs, costs.job(race, name))
		}
	}
	if t.program {
		jobs = append(jobs, costs.job(cross, ""))
	}
	sortJobs(jobs)
	return jobs
}

// output returns what a program prints.
func output(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errOut.String())
	}
	return out, nil
}
