package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

const (
	mit    = "MIT License\n\nPermission is hereby granted, free of charge, to any person"
	apache = "Apache License\nVersion 2.0, January 2004"
)

// smallBuilder has all that a wheel is made of, but a program of some bytes.
func smallBuilder(t *testing.T) (*builder, *builtProgram) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go/LICENSE": "Redistributions in binary form must reproduce ... Neither the name of Google Inc.", "m/LICENSE.txt": mit, "m/NOTICE": "of m",
		"m/LICENSE-LOGO": "https://example.org/logo.png", "m/LICENSE-SQLITE": "All of the code\nhas been dedicated to the public\ndomain by the authors."} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	b := &builder{module: filepath.Join("..", "..", ".."), version: "v1.2.0-3-gbe21757ab8c4", goRoot: filepath.Join(dir, "go"),
		modules: []module{{Path: "example.org/m,n", Dir: filepath.Join(dir, "m")}},
		shared:  map[string]inArchive{"LICENSE": {text: []byte(apache)}, "NOTICE": {text: []byte("ours")}}}
	fixture.OK(t, b.readPython())
	return b, &builtProgram{name: "omniscope", text: []byte("\x7fELF program"), linked: []string{"example.org/m,n"}}
}

// unzipped reads a wheel: its files in their order, and what they hold.
func unzipped(t *testing.T, wheel []byte) (names []string, files map[string][]byte, modes map[string]os.FileMode) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
	fixture.OK(t, err)
	files, modes = make(map[string][]byte), make(map[string]os.FileMode)
	for _, f := range archive.File {
		r, err := f.Open()
		fixture.OK(t, err)
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		names, modes[f.Name] = append(names, f.Name), f.Mode()
		if !f.Modified.Equal(epoch) {
			t.Errorf("%s is of %s", f.Name, f.Modified)
		}
	}
	return names, files, modes
}

var twoTags = []string{"manylinux_2_17_x86_64", "musllinux_1_1_x86_64"}

func TestWheel(t *testing.T) {
	b, program := smallBuilder(t)
	name, wheel, err := b.packWheel(program, twoTags)
	fixture.OK(t, err)
	if want := "omniscope-1.2.0.post3+gbe21757ab8c4-py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"; name != want {
		t.Errorf("it is called %s, want %s", name, want)
	}
	const stem = "omniscope-1.2.0.post3+gbe21757ab8c4"
	names, files, modes := unzipped(t, wheel)
	if mode := modes[stem+".data/scripts/omniscope"]; mode != 0o755 {
		t.Errorf("the program has the mode %v", mode)
	}
	if !bytes.Equal(files[stem+".data/scripts/omniscope"], program.text) || files["omniscope/py.typed"] == nil || files["omniscope/__main__.py"] == nil {
		t.Errorf("files are %q", names)
	}
	for _, name := range names {
		if strings.Contains(name, "pycache") || strings.Contains(name, "tests") {
			t.Errorf("%s is in the wheel", name)
		}
	}
	if at := slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, ".dist-info/") }); slices.ContainsFunc(names[at:], func(name string) bool { return !strings.Contains(name, ".dist-info/") }) {
		t.Errorf("what describes the wheel is not at its end: %q", names)
	}
	if want := "Wheel-Version: 1.0\nGenerator: omniscope-dist\nRoot-Is-Purelib: false\nTag: py3-none-manylinux_2_17_x86_64\nTag: py3-none-musllinux_1_1_x86_64\n"; string(files[stem+".dist-info/WHEEL"]) != want {
		t.Errorf("WHEEL is\n%s", files[stem+".dist-info/WHEEL"])
	}
	checkMetadata(t, string(files[stem+".dist-info/METADATA"]))
	checkRecord(t, stem+".dist-info/RECORD", files)
}

func checkMetadata(t *testing.T, text string) {
	t.Helper()
	head, page, _ := strings.Cut(text, "\n\n")
	if !strings.HasPrefix(page, "# omniscope\n") {
		t.Errorf("the description is %.40q", page)
	}
	for _, want := range []string{"Metadata-Version: 2.4", "Name: omniscope", "Version: 1.2.0.post3+gbe21757ab8c4", "Requires-Python: >=3.9",
		"License-Expression: Apache-2.0 AND BSD-3-Clause AND LicenseRef-Public-Domain AND MIT", "License-File: LICENSE", "License-File: NOTICE", "License-File: go/LICENSE",
		"License-File: example.org/m,n/LICENSE.txt", "License-File: example.org/m,n/NOTICE"} {
		if !slices.Contains(strings.Split(head, "\n"), want) {
			t.Errorf("there is no line %q in\n%s", want, head)
		}
	}
}

// checkRecord compares RECORD with all files of a wheel, by its own reading of it.
func checkRecord(t *testing.T, record string, files map[string][]byte) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(files[record])).ReadAll()
	fixture.OK(t, err)
	if len(rows) != len(files) {
		t.Errorf("RECORD has %d lines, the wheel %d files", len(rows), len(files))
	}
	for _, row := range rows {
		text, ok := files[row[0]]
		sum := sha256.Sum256(text)
		want := []string{row[0], "sha256=" + base64.URLEncoding.WithPadding(base64.NoPadding).EncodeToString(sum[:]), strconv.Itoa(len(text))}
		if row[0] == record {
			want = []string{record, "", ""}
		}
		if !ok || !slices.Equal(row, want) {
			t.Errorf("RECORD says %q, want %q", row, want)
		}
	}
}

func TestWheelTwice(t *testing.T) {
	var first []byte
	for i := range 3 {
		b, program := smallBuilder(t)
		_, wheel, err := b.packWheel(program, twoTags)
		fixture.OK(t, err)
		if i == 0 {
			first = wheel
		} else if !bytes.Equal(first, wheel) {
			t.Fatal("two wheels of the same files are not the same")
		}
	}
}

func TestLicenceThatIsNotKnown(t *testing.T) {
	b, program := smallBuilder(t)
	b.shared["LICENSE"] = inArchive{text: []byte("All rights reserved.")}
	if _, _, err := b.packWheel(program, twoTags); err == nil || !strings.Contains(err.Error(), "LICENSE: no licence that is known") {
		t.Errorf("%v", err)
	}
}

// TestLongTagsOfPrograms builds a program for each platform, and reads what it says of itself.
func TestLongTagsOfPrograms(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module small\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() {}\n"} {
		fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	want := map[string]string{
		"linux/amd64":   "manylinux_2_17_x86_64 manylinux2014_x86_64 musllinux_1_1_x86_64",
		"linux/arm64":   "manylinux_2_17_aarch64 manylinux2014_aarch64 musllinux_1_1_aarch64",
		"darwin/amd64":  "macosx_12_0_x86_64", // of Go 1.26; another Go may need another
		"darwin/arm64":  "macosx_12_0_arm64",
		"windows/amd64": "win_amd64",
	}
	for _, p := range platforms {
		program := filepath.Join(dir, p.os+p.arch)
		if _, err := command(t.Context(), dir, []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch, "GOFLAGS="}, "go", "build", "-o", program, "."); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(program)
		fixture.OK(t, err)
		tags, err := wheelTags(p, text)
		if got := strings.Join(tags, " "); got != want[p.String()] || err != nil {
			t.Errorf("%s: %s, %v, want %s", p, got, err, want[p.String()])
		}
	}
}

func TestProgramThatIsNotStatic(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the git of this system is not a program for Linux")
	}
	text, err := os.ReadFile(need.Program(t, "git"))
	fixture.OK(t, err)
	if _, err := wheelTags(platform{"linux", runtime.GOARCH}, text); err == nil || !strings.Contains(err.Error(), "not static") {
		t.Errorf("%v", err)
	}
}

func TestProgramOfAnotherSystem(t *testing.T) {
	for _, p := range []platform{{"linux", "amd64"}, {"darwin", "arm64"}} {
		if tags, err := wheelTags(p, []byte("no program")); err == nil {
			t.Errorf("%s: %q", p, tags)
		}
	}
}
