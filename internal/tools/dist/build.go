package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"omniscope/internal/ondisk"
)

// A builder builds programs, and keeps what all archives have in common.
type builder struct {
	module, version, work string

	modules []module             // of go.mod
	goRoot  string               // of the Go that builds
	linked  map[string]bool      // modules that are in one of the programs
	shared  map[string]inArchive // what all archives have, by path

	python     map[string]inArchive // the Python module, by path in a wheel
	pythonPage []byte
}

// prepare reads what all archives and wheels have, builds the program for this machine, and has it write its manual pages and
// completion scripts.
func (b *builder) prepare(ctx context.Context) error {
	if err := b.readModule(ctx); err != nil {
		return err
	}
	own, err := b.build(ctx, platform{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		return err
	}
	pages := filepath.Join(b.work, "man")
	if _, err := command(ctx, b.module, nil, own, "docs", "--man", pages); err != nil {
		return err
	}
	if err := b.share("man/man1", pages); err != nil {
		return err
	}
	for shell, name := range map[string]string{"bash": "omniscope.bash", "zsh": "_omniscope", "fish": "omniscope.fish", "powershell": "omniscope.ps1"} {
		script, err := command(ctx, b.module, nil, own, "completion", shell)
		if err != nil {
			return err
		}
		b.shared["completions/"+name] = inArchive{text: script}
	}
	return nil
}

// readModule looks for the modules and for Go's own licence, and reads pages, licences and the Python module.
func (b *builder) readModule(ctx context.Context) (err error) {
	b.linked, b.shared = make(map[string]bool), make(map[string]inArchive)
	if b.modules, err = modulesOf(ctx, b.module); err != nil {
		return err
	}
	root, err := command(ctx, b.module, nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	b.goRoot = strings.TrimSpace(string(root))
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE", "NOTICE"} {
		text, err := os.ReadFile(filepath.Join(b.module, name))
		if err != nil {
			return err
		}
		b.shared[name] = inArchive{text: text}
	}
	return b.readPython()
}

// share puts the files of a folder into all archives.
func (b *builder) share(as, dir string) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		b.shared[path.Join(as, name)] = inArchive{text: text}
		return err
	})
}

// build builds the program for a platform, once.
func (b *builder) build(ctx context.Context, p platform) (program string, err error) {
	program = filepath.Join(b.work, p.os+"-"+p.arch, "omniscope")
	if p.os == "windows" {
		program += ".exe"
	}
	if ondisk.Exists(program) {
		return program, nil
	}
	env := []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch, "GOFLAGS=-mod=readonly", "GOAMD64=v1", "GOARM64=v8.0"}
	_, err = command(ctx, b.module, env, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid= -X omniscope/internal/version.Stamped="+b.version, "-o", program, "./cmd/omniscope")
	if err != nil {
		return "", err
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", err
	}
	for _, m := range info.Deps {
		b.linked[m.Path] = true
	}
	return program, nil
}

// builtProgram is the program of a platform.
type builtProgram struct {
	name   string // omniscope or omniscope.exe
	text   []byte
	linked []string // paths of the modules in it
}

// read builds the program for a platform and reads it.
func (b *builder) read(ctx context.Context, p platform) (*builtProgram, error) {
	path, err := b.build(ctx, p)
	if err != nil {
		return nil, err
	}
	return readProgram(path)
}

func readProgram(path string) (*builtProgram, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	program := &builtProgram{name: filepath.Base(path), text: text}
	for _, m := range info.Deps {
		program.linked = append(program.linked, m.Path)
	}
	return program, nil
}

// archive writes the archive of a platform.
func (b *builder) archive(ctx context.Context, p platform, out string) error {
	program, err := b.read(ctx, p)
	if err != nil {
		return err
	}
	files := maps.Clone(b.shared)
	files[program.name] = inArchive{text: program.text, runs: true}
	if err := b.addLicences(files, "licences/", program.linked); err != nil {
		return err
	}
	name := fmt.Sprintf("omniscope-%s-%s-%s", b.version, p.os, p.arch)
	var packed bytes.Buffer
	if p.os == "windows" {
		err = writeZip(&packed, name, slices.Sorted(maps.Keys(files)), files)
		name += ".zip"
	} else {
		err = writeTar(&packed, name, files)
		name += ".tar.gz"
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, name), packed.Bytes(), 0o644)
}

// addLicences adds, below a folder, the licences of modules that a program holds, and of Go's own library.
func (b *builder) addLicences(files map[string]inArchive, folder string, linked []string) error {
	text, err := os.ReadFile(filepath.Join(b.goRoot, "LICENSE"))
	if err != nil {
		return err
	}
	files[folder+"go/LICENSE"] = inArchive{text: text}
	for _, path := range linked {
		at := slices.IndexFunc(b.modules, func(m module) bool { return m.Path == path })
		if at < 0 {
			return fmt.Errorf("the module %s is in the program and not in go.mod", path)
		}
		licences, err := b.modules[at].licences()
		if err != nil {
			return err
		}
		for name, text := range licences {
			files[folder+path+"/"+name] = inArchive{text: text}
		}
	}
	return nil
}

// command runs a program in a folder and returns what it printed.
func command(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, exit.Stderr)
	}
	return out, err
}
