package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

func TestMain(m *testing.M) { os.Exit(built.Main(m)) }

// copied is a copy of the project's files, those that git knows.
func copied(t *testing.T) string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	names, err := exec.Command(need.Program(t, "git"), "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skip("the project's files are not known: there is no git here")
	}
	dir := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if os.IsNotExist(err) {
			continue // it was removed, and git does not know yet
		}
		fixture.OK(t, err)
		path := filepath.Join(dir, filepath.FromSlash(name))
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(t, os.WriteFile(path, text, 0o644))
	}
	return dir
}

// released makes a release of a folder for this machine and for Windows, and returns its checksums.
func released(t *testing.T, module, out string) string {
	t.Helper()
	fixture.OK(t, release(t.Context(), module, "v1.2.3", out, runtime.GOOS+"/"+runtime.GOARCH+",windows/amd64", io.Discard))
	sums, err := os.ReadFile(filepath.Join(out, "checksums.txt"))
	fixture.OK(t, err)
	return string(sums)
}

func runs(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// TestLongReleaseTwice makes a release in two folders: all files are the same. The archive is unpacked into an empty folder, and what
// is in it is checked by the tools that it is for.
func TestLongReleaseTwice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no tar.gz for this system")
	}
	out := t.TempDir()
	first, second := released(t, copied(t), filepath.Join(out, "a")), released(t, copied(t), filepath.Join(out, "b"))
	if first != second || strings.Count(first, "\n") != 5 {
		t.Errorf("checksums differ:\n%s\n%s", first, second)
	}
	if sums := runs(t, filepath.Join(out, "a"), "sha256sum", "--check", "checksums.txt"); strings.Count(sums, ": OK") != 5 {
		t.Errorf("sha256sum says %s", sums)
	}
	empty := t.TempDir()
	runs(t, empty, "tar", "-xzf", filepath.Join(out, "a", "omniscope-v1.2.3-"+runtime.GOOS+"-"+runtime.GOARCH+".tar.gz"))
	dir := filepath.Join(empty, "omniscope-v1.2.3-"+runtime.GOOS+"-"+runtime.GOARCH)
	program := filepath.Join(dir, "omniscope")
	if said := runs(t, empty, program, "--version"); !strings.Contains(said, "v1.2.3") {
		t.Errorf("--version says %s", said)
	}
	if said := runs(t, empty, program, "__complete", "train", ""); !strings.Contains(said, "export\t") || !strings.Contains(said, "verify\t") {
		t.Errorf("train is completed to %s", said)
	}
	runs(t, dir, "bash", "-n", "completions/omniscope.bash")
	for shell, script := range map[string]string{"zsh": "_omniscope", "fish": "omniscope.fish"} {
		if _, err := exec.LookPath(shell); err == nil {
			runs(t, dir, shell, "-n", "completions/"+script)
		}
	}
	pages, err := filepath.Glob(filepath.Join(dir, "man", "man1", "*.1"))
	if err != nil || len(pages) < 100 {
		t.Fatalf("%d manual pages, %v", len(pages), err)
	}
	if _, err := exec.LookPath("groff"); err == nil {
		for _, page := range pages {
			if said := runs(t, dir, "groff", "-Kutf8", "-man", "-ww", "-Tutf8", "-z", page); said != "" {
				t.Errorf("groff says %s", said)
			}
		}
	}
	checkSBOM(t, filepath.Join(out, "a", "omniscope-v1.2.3.cdx.json"), dir)
}

// checkSBOM compares the list of modules with go.mod, and with the licences in an archive.
func checkSBOM(t *testing.T, path, dir string) {
	t.Helper()
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	var doc bom
	fixture.OK(t, json.Unmarshal(text, &doc))
	info, err := buildinfo.ReadFile(filepath.Join(dir, "omniscope"))
	fixture.OK(t, err)
	linked := make(map[string]bool) // in the archive's program; Windows has a few more
	for _, m := range info.Deps {
		linked[m.Path] = true
	}
	listed := make(map[string]bool)
	for _, c := range doc.Components {
		listed[c.Name] = true
		if linked[c.Name] && c.Scope != "required" {
			t.Errorf("%s is in the program, and its scope is %s", c.Name, c.Scope)
		}
		if entries, err := os.ReadDir(filepath.Join(dir, "licences", filepath.FromSlash(c.Name))); linked[c.Name] && (err != nil || len(entries) == 0) {
			t.Errorf("%s is in the program, and its licence is not in the archive: %v", c.Name, err)
		}
		if c.Scope == "required" && len(c.Licenses) == 0 {
			t.Errorf("%s has no licence in the list", c.Name)
		}
	}
	modules, err := os.ReadFile(filepath.Join("..", "..", "..", "go.mod"))
	fixture.OK(t, err)
	n := 0
	for line := range bytes.Lines(modules) {
		fields := strings.Fields(strings.TrimPrefix(string(line), "require "))
		if len(fields) < 2 || !strings.HasPrefix(fields[1], "v") {
			continue
		}
		if n++; !listed[fields[0]] {
			t.Errorf("%s is in go.mod and not in the list", fields[0])
		}
	}
	if n < 30 || n != len(listed) {
		t.Errorf("%d modules in go.mod, %d in the list", n, len(listed))
	}
}

func TestLicencesAreToldApart(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                      "Apache-2.0",
		"MIT License\n\nPermission is hereby granted, free of charge, to any person":        "MIT",
		"Redistributions in binary form must reproduce the above\ncopyright notice.":        "BSD-2-Clause",
		"Redistributions in binary form must reproduce ... Neither the name of Google Inc.": "BSD-3-Clause",
		"Mozilla Public License, version 2.0":                                               "MPL-2.0",
		"All rights reserved.":                                                              "",
	} {
		if got := licenceID([]byte(text)); got != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}

func TestWrongUse(t *testing.T) {
	full := t.TempDir()
	os.WriteFile(filepath.Join(full, "x"), nil, 0o644)
	for want, c := range map[string][3]string{
		"give a version":      {"", t.TempDir(), ""},
		"there are":           {"v1", t.TempDir(), "plan9/amd64"},
		"is not empty":        {"v1", full, ""},
		`"v1/2": give a ver`:  {"v1/2", t.TempDir(), ""},
		`"nightly" has no fo`: {"nightly", t.TempDir(), ""},
	} {
		if err := release(t.Context(), "../../..", c[0], c[1], c[2], io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
