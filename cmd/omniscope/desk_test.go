package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"omniscope/internal/commandline"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/workdir"
)

// A desk is a folder of small files in which a test runs commands, in its own process. It
// keeps what the last command printed.
type desk struct {
	t           *testing.T
	code        int
	out, errOut string
}

// newDesk makes a folder of the archive's files the working folder. clips.jsonl is there, too.
func newDesk(t *testing.T, archive string) *desk {
	t.Helper()
	clips := workdir.Read(t, "testdata/clips.jsonl")
	workdir.Enter(t, archive)
	workdir.Write(t, "clips.jsonl", clips)
	return &desk{t: t}
}

// run runs a command, written as for a shell, which must end with this exit code.
func (d *desk) run(code int, line string) {
	d.t.Helper()
	words, err := commandline.Split(line)
	if err != nil {
		d.t.Fatalf("%s: %v", line, err)
	}
	var out, errOut bytes.Buffer
	d.code = execute(context.Background(), words, &out, &errOut)
	d.out, d.errOut = out.String(), errOut.String()
	if d.code != code {
		d.t.Fatalf("omniscope %s: exit code %d, want %d\n%s%s", line, d.code, code, d.out, d.errOut)
	}
}

// runWith runs a command that reads a file on its standard input.
func (d *desk) runWith(input string, code int, line string) {
	d.t.Helper()
	f, err := os.Open(input)
	fixture.OK(d.t, err)
	defer f.Close()
	before := os.Stdin
	os.Stdin = f
	defer func() { os.Stdin = before }()
	d.run(code, line)
}

// refuse runs a command that ends with this exit code and an error that matches the patterns.
func (d *desk) refuse(code int, line string, patterns ...string) {
	d.t.Helper()
	d.run(code, line)
	d.says(patterns...)
}

// find checks that a text has lines that match the patterns.
func (d *desk) find(what, text string, patterns []string) {
	d.t.Helper()
	for _, pattern := range patterns {
		if !regexp.MustCompile("(?m)" + pattern).MatchString(text) {
			d.t.Errorf("%s does not match %q:\n%s", what, pattern, text)
		}
	}
}

// findNone checks that a text has no line that matches a pattern.
func (d *desk) findNone(what, text string, patterns []string) {
	d.t.Helper()
	for _, pattern := range patterns {
		if regexp.MustCompile("(?m)" + pattern).MatchString(text) {
			d.t.Errorf("%s matches %q:\n%s", what, pattern, text)
		}
	}
}

func (d *desk) prints(patterns ...string) {
	d.t.Helper()
	d.find("the output", d.out, patterns)
}

func (d *desk) lacks(patterns ...string) {
	d.t.Helper()
	d.findNone("the output", d.out, patterns)
}

func (d *desk) says(patterns ...string) {
	d.t.Helper()
	d.find("the messages", d.errOut, patterns)
}

func (d *desk) saysNo(patterns ...string) {
	d.t.Helper()
	d.findNone("the messages", d.errOut, patterns)
}

// saysNothing checks that the last command printed no message.
func (d *desk) saysNothing() {
	d.t.Helper()
	if d.errOut != "" {
		d.t.Errorf("it says %s", d.errOut)
	}
}

// printsFile checks that the last command printed what a file holds.
func (d *desk) printsFile(path string) {
	d.t.Helper()
	if want := workdir.Read(d.t, path); d.out != want {
		d.t.Errorf("it prints\n%s\nwant\n%s", d.out, want)
	}
}

func (d *desk) holds(path string, patterns ...string) {
	d.t.Helper()
	d.find(path, workdir.Read(d.t, path), patterns)
}

func (d *desk) holdsNo(path string, patterns ...string) {
	d.t.Helper()
	d.findNone(path, workdir.Read(d.t, path), patterns)
}

// same checks that two files are equal.
func (d *desk) same(a, b string) {
	d.t.Helper()
	if first, second := workdir.Read(d.t, a), workdir.Read(d.t, b); first != second {
		d.t.Errorf("%s differs from %s:\n%s\n%s", a, b, first, second)
	}
}

func (d *desk) exist(paths ...string) {
	d.t.Helper()
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			d.t.Error(err)
		}
	}
}

func (d *desk) gone(paths ...string) {
	d.t.Helper()
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil {
			d.t.Errorf("there is a file %s", path)
		}
	}
}

// copy copies a file. Folders on the way are made.
func (d *desk) copy(from, to string) {
	d.t.Helper()
	d.write(to, workdir.Read(d.t, from))
}

// write writes a file. Folders on the way are made.
func (d *desk) write(path, text string) {
	d.t.Helper()
	fixture.OK(d.t, os.MkdirAll(filepath.Dir(path), 0o755))
	workdir.Write(d.t, path, text)
}

func (d *desk) remove(path string) {
	d.t.Helper()
	fixture.OK(d.t, os.RemoveAll(path))
}
