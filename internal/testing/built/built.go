// Package built gives tests the program as users run it. `make test` builds it once for
// all tests and names it in OMNISCOPE_PROGRAM; tests that run alone build their own.
//
// It has no version: a version changes with every commit, and each test that uses the
// program would run again.
package built

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// Env is the variable that names a program that is already built.
const Env = "OMNISCOPE_PROGRAM"

// Program returns the path of a program built as the Makefile builds it. TestMain must
// call Main or Remove.
func Program(t testing.TB) string {
	t.Helper()
	need.Processes(t)
	_ = os.Setenv("OMNISCOPE_JUDGE_EXAM", "false") // tests count calls; a valid name cannot fail
	if path := os.Getenv(Env); path != "" {
		// The go command sees this, and runs the test again when the file changes.
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("%s: %v", Env, err)
		}
		return path
	}
	path, err := build()
	fixture.OK(t, err)
	return path
}

// folder holds the program that was built here.
var folder string

var build = sync.OnceValues(func() (path string, err error) {
	if folder, err = os.MkdirTemp("", "omniscope-built-"); err != nil {
		return "", err
	}
	path = filepath.Join(folder, "omniscope")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w", "-o", path, "omniscope/cmd/omniscope")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build omniscope/cmd/omniscope: %w\n%s", err, out)
	}
	return path, nil
})

// Remove removes the program if it was built here.
func Remove() {
	if folder != "" {
		os.RemoveAll(folder)
	}
}

// Main runs the tests and removes the program.
func Main(m *testing.M) int {
	defer Remove()
	return m.Run()
}
