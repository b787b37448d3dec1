package main

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"omniscope/internal/testing/fixture"
)

// TestLongRenamedCopy renames a copy of this module, builds and vets it, and runs two of its tests.
func TestLongRenamedCopy(t *testing.T) {
	from, dir := modulePath(t, moduleRoot), copied(t)
	var out bytes.Buffer
	fixture.OK(t, rename(&out, dir, "example.org/someone/omniscope"))
	if strings.Contains(out.String(), "not changed") {
		t.Errorf("files name packages by the old path:\n%s", &out)
	}
	if got := modulePath(t, dir); got != "example.org/someone/omniscope" {
		t.Fatalf("go.mod has the path %s", got)
	}
	checkSources(t, dir, from)
	// With -trimpath, the next copy reuses the compiled packages.
	inCopy(t, dir, "go", "build", "-trimpath", "./...")
	inCopy(t, dir, "go", "vet", "-trimpath", "./...")
	ran := inCopy(t, dir, "go", "test", "-trimpath", "-vet=off", "-count=1", "-skip=^TestLong", "./internal/...layers", "./...stats")
	for _, folder := range []string{"layers", "stats"} {
		if !strings.Contains(ran, "/"+folder+"\t") {
			t.Errorf("the tests of %s did not run in the copy:\n%s", folder, ran)
		}
	}
}

// copied copies the module's files into a folder that git does not know.
func copied(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files, err := sourceFiles(moduleRoot)
	fixture.OK(t, err)
	for _, name := range files {
		fixture.OK(t, os.MkdirAll(filepath.Join(dir, path.Dir(name)), 0o755))
		fixture.OK(t, copyFile(filepath.Join(moduleRoot, name), filepath.Join(dir, name)))
	}
	return dir
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// checkSources parses the copy's Go files: no import has the old path, and gofmt would change no file.
func checkSources(t *testing.T, dir, old string) {
	t.Helper()
	files, err := sourceFiles(dir)
	fixture.OK(t, err)
	parsed := 0
	for _, name := range files {
		if path.Ext(name) != ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		fixture.OK(t, err)
		tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		fixture.OK(t, err)
		parsed++
		for _, spec := range tree.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err != nil || strings.HasPrefix(imported+"/", old+"/") {
				t.Errorf("%s imports %s, %v", name, spec.Path.Value, err)
			}
		}
		if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
			t.Errorf("%s is not as gofmt writes it, %v", name, err)
		}
	}
	if parsed < 1000 {
		t.Errorf("the copy has only %d Go files", parsed)
	}
}

// inCopy runs a command without the network and returns what it prints.
func inCopy(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly -buildvcs=false", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0")
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, said)
	}
	return string(said)
}

func modulePath(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	fixture.OK(t, err)
	return modfile.ModulePath(text)
}
