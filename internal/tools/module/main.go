// Command module renames the Go module for the person who publishes it:
//
//	go run ./internal/tools/module example.org/someone/omniscope
//
// It rewrites go.mod, the imports of Go files and of programs in pages,
// and the files listed in mentions. The program and the Python package keep
// their name. Package paths that it finds anywhere else are printed, not changed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	modpath "golang.org/x/mod/module"
)

func main() {
	root := flag.String("root", ".", "folder of the module")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: make module MODULE=host/path, for example MODULE=example.org/someone/omniscope")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || flag.Arg(0) == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := rename(os.Stdout, *root, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "rename the module:", err)
		os.Exit(1)
	}
}

// rename gives the module in a folder another path and prints the changes.
// All files are read and checked before the first one is written; go.mod is
// written last, so that an interrupted rename can be repeated.
func rename(out io.Writer, root, to string) error {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return err
	}
	if mod.Module == nil {
		return errors.New("go.mod has no module line")
	}
	from := mod.Module.Mod.Path
	if from == to {
		fmt.Fprintf(out, "the module is already called %s\n", to)
		return nil
	}
	if err := check(mod, to); err != nil {
		return err
	}
	files, err := sourceFiles(root)
	if err != nil {
		return fmt.Errorf("list the files: %w", err)
	}
	r := newRenamer(from, to, files)
	changes, err := r.changes(root, files)
	if err != nil {
		return err
	}
	if err := mod.AddModuleStmt(to); err != nil {
		return err
	}
	if text, err = mod.Format(); err != nil {
		return err
	}
	for _, c := range append(changes.files, changed{"go.mod", text}) {
		if err := os.WriteFile(filepath.Join(root, c.path), c.text, 0o644); err != nil { // the file is there and keeps its mode
			return fmt.Errorf("%w; repeat the command when this is solved", err)
		}
	}
	changes.print(out, from, to)
	return nil
}

// check refuses a path that the go command would not fetch, or would confuse with a dependency.
func check(mod *modfile.File, to string) error {
	if err := modpath.CheckPath(to); err != nil {
		return fmt.Errorf("%w: give a host and a path, for example example.org/someone/omniscope", err)
	}
	for _, r := range mod.Require {
		if strings.HasPrefix(r.Mod.Path+"/", to+"/") {
			return fmt.Errorf("%s is taken by the dependency %s: choose another path", to, r.Mod.Path)
		}
	}
	return nil
}
