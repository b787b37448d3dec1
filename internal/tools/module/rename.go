package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// mentions are the ends of the paths of files that name packages by their
// import path outside of import declarations: for the linker, for `go build`,
// in generated code, or as a line of go.mod.
var mentions = []string{
	".golangci.yml",
	"Makefile",
	"built/built.go",
	"deploy/install.sh",
	"dist/build.go",
	"docs/library.md",
	"gemm/gemm.go",
	"gemmgen/main.go",
	"lint/errcheck.txt",
	"vec/kernel.go",
	"vecgen/main.go",
}

// A renamer rewrites files from one module path to another.
type renamer struct {
	from, to string
	folders  map[string]bool // with Go files, and the folders above them
	packages *regexp.Regexp  // finds what may be the path of a package
	module   *regexp.Regexp  // finds the module's path in arguments and lines of go.mod
}

func newRenamer(from, to string, files []string) *renamer {
	quoted := regexp.QuoteMeta(from)
	r := &renamer{from: from, to: to, folders: make(map[string]bool),
		packages: regexp.MustCompile(`(^|[^\w./-])` + quoted + `/([\w/-]+)`),
		module:   regexp.MustCompile(`(\b(?:module|require|replace|get)[ =])` + quoted + `([\s=@]|$)`),
	}
	for _, name := range files {
		for dir := path.Dir(name); strings.HasSuffix(name, ".go") && dir != "."; dir = path.Dir(dir) {
			r.folders[dir] = true
		}
	}
	return r
}

// A changed file has its new text.
type changed struct {
	path string
	text []byte
}

// changes are the effects of a rename.
type changes struct {
	files   []changed
	imports map[string]int // by ending of the file's name
	sources map[string]int // files with such imports, by ending
	listed  []string       // changed files of mentions
	left    []string       // places that name a package by its old path
}

// changes computes the new text of every file but go.mod.
func (r *renamer) changes(root string, files []string) (*changes, error) {
	c := &changes{imports: make(map[string]int), sources: make(map[string]int)}
	for _, name := range files {
		old, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		text, imports, err := r.file(name, old)
		if err != nil {
			return nil, err
		}
		if imports > 0 {
			c.imports[path.Ext(name)] += imports
			c.sources[path.Ext(name)]++
		}
		if isListed(name) {
			before := text
			if text = r.mention(text); !bytes.Equal(before, text) {
				c.listed = append(c.listed, name)
			}
		}
		c.left = append(c.left, r.left(name, text)...)
		if !bytes.Equal(old, text) {
			c.files = append(c.files, changed{name, text})
		}
	}
	return c, nil
}

// file rewrites the imports of a file of any form.
func (r *renamer) file(name string, text []byte) ([]byte, int, error) {
	switch path.Ext(name) {
	case ".go":
		if !slices.Contains(strings.Split(name, "/"), "testdata") { // may be invalid on purpose
			return r.imports(name, text)
		}
	case ".md":
		return r.page(name, text)
	}
	return text, 0, nil
}

func isListed(name string) bool {
	return slices.ContainsFunc(mentions, func(end string) bool { return strings.HasSuffix("/"+name, "/"+end) })
}

// mention rewrites paths of packages, and the module's own in arguments and lines of go.mod.
func (r *renamer) mention(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines {
		for _, at := range slices.Backward(r.paths(line)) {
			line = slices.Replace(line, at, at+len(r.from), []byte(r.to)...)
		}
		lines[i] = r.module.ReplaceAll(line, []byte("${1}"+r.to+"${2}"))
	}
	return bytes.Join(lines, nil)
}

// paths returns where a line names one of the module's packages.
func (r *renamer) paths(line []byte) (at []int) {
	for _, m := range r.packages.FindAllSubmatchIndex(line, -1) {
		file := m[5]+1 < len(line) && line[m[5]] == '.' && 'a' <= line[m[5]+1] && line[m[5]+1] <= 'z'
		if !file && r.folders[strings.TrimSuffix(string(line[m[4]:m[5]]), "/")] {
			at = append(at, m[3])
		}
	}
	return at
}

// left returns the places of a text that name a package by the old path.
func (r *renamer) left(name string, text []byte) (places []string) {
	if !bytes.Contains(text, []byte(r.from+"/")) || bytes.IndexByte(text, 0) >= 0 {
		return nil
	}
	n := 0
	for line := range bytes.Lines(text) {
		if n++; len(r.paths(line)) > 0 {
			places = append(places, fmt.Sprintf("%s:%d", name, n))
		}
	}
	return places
}

func (c *changes) print(out io.Writer, from, to string) {
	fmt.Fprintf(out, "go.mod: module %s is now %s\n", from, to)
	for _, kind := range []struct{ ending, name string }{{".go", "Go files"}, {".md", "pages"}} {
		if n := c.imports[kind.ending]; n > 0 {
			fmt.Fprintf(out, "%s: %d imports in %d files\n", kind.name, n, c.sources[kind.ending])
		}
	}
	for _, name := range c.listed {
		fmt.Fprintf(out, "%s: paths of packages\n", name)
	}
	for _, place := range c.left {
		fmt.Fprintf(out, "%s: not changed; change it by hand, or list the file in mentions of internal/tools/module if it has the old path of a package\n", place)
	}
}

// sourceFiles lists the module's files, with slashes, in order: the files that
// git tracks or could track, or all files where git does not know the folder.
func sourceFiles(root string) ([]string, error) {
	names, err := listed(root)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		info, err := os.Lstat(filepath.Join(root, name))
		return err != nil || !info.Mode().IsRegular() // deleted, but git does not know it yet; a link
	})
	slices.Sort(names)
	return slices.Compact(names), nil
}

func listed(root string) ([]string, error) {
	if !inCheckout(root) {
		return walked(root)
	}
	git := func(args ...string) ([]byte, error) {
		return exec.Command("git", append([]string{"-C", root, "ls-files"}, args...)...).Output()
	}
	if _, err := git("--error-unmatch", "go.mod"); err != nil {
		return walked(root)
	}
	out, err := git("-z", "--cached", "--others", "--exclude-standard")
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), err
}

// inCheckout reports whether a folder is in the working tree of a git repository.
func inCheckout(folder string) bool {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return false
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			return true
		}
		above := filepath.Dir(folder)
		if above == folder {
			return false
		}
		folder = above
	}
}

func walked(root string) (names []string, err error) {
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git", d.IsDir() && file == filepath.Join(root, "bin"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		name, err := filepath.Rel(root, file)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	return names, err
}
