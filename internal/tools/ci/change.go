package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// A change is a set of files, from the module's root.
type change struct {
	base       string
	files      []string
	everything bool
}

func (c change) String() string {
	if c.everything {
		return "everything counts as changed: git knows no commit to compare with"
	}
	return fmt.Sprintf("%d files differ from %s", len(c.files), c.base)
}

// baseVariable names the commit to compare with.
const baseVariable = "OMNISCOPE_BASE"

// theChange asks git.
func theChange() change {
	base := os.Getenv(baseVariable)
	_ = os.Unsetenv(baseVariable) // it would set the flag --base of the tested program
	if base == "" {
		base = defaultBase()
	}
	differ, err := git("diff", "--name-only", "--no-renames", "-z", base, "--")
	if err != nil {
		return change{everything: true}
	}
	added, err := git("ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return change{everything: true}
	}
	files := strings.Split(differ+added, "\x00")
	return change{base: base, files: slices.DeleteFunc(files, func(f string) bool { return f == "" })}
}

// defaultBase returns the merge base with the upstream branch, or the commit before HEAD
// where there is no such branch or HEAD is in it.
func defaultBase() string {
	head, err := git("rev-parse", "HEAD")
	if err != nil {
		return "HEAD~1"
	}
	if base, err := git("merge-base", "HEAD", "@{upstream}"); err == nil && base != head {
		return strings.TrimSpace(base)
	}
	return "HEAD~1"
}

func git(args ...string) (string, error) {
	out, err := output("git", args...)
	return string(out), err
}
