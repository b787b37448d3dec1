// Package built gives tests the program as it is shipped. `make test` builds it
// once for all of them and names it in OMNISCOPE_PROGRAM; a test that runs alone
// builds its own.
package built

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Env is the variable that names a program that is already built.
const Env = "OMNISCOPE_PROGRAM"

// Program returns the path of a program built as the Makefile builds it.
func Program(t testing.TB) string {
	t.Helper()
	if path := os.Getenv(Env); path != "" {
		// The go command sees this, and runs the test again when the file changes.
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("%s: %v", Env, err)
		}
		return path
	}
	path := filepath.Join(t.TempDir(), "omniscope")
	if err := Build(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Build builds the program for those who keep it longer than one test.
func Build(path string) error {
	cmd := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w", "-o", path, "omniscope/cmd/omniscope")
	cmd.Env, cmd.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	return cmd.Run()
}
