// Package golden finds the data that tests compare with and that are no part of
// this repository: vectors of the published programs and clips of known
// content, in the folder ../shared/data beside the checkout.
//
// A clone alone has none, and tests that need them are skipped there. Where they
// must not be skipped, as in .ci/run, OMNISCOPE_GOLDEN=required makes them fail.
package golden

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
)

// Env is the variable that makes tests fail without their data.
const Env = "OMNISCOPE_GOLDEN"

// Path returns where a file or folder of ../shared/data lies. Without it the
// test is skipped, or fails where the data are required.
func Path(t testing.TB, elements ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{folder(t)}, elements...)...)
	_, err := os.Stat(path)
	switch {
	case err == nil:
	case os.Getenv(Env) == "":
		t.Skipf("golden data are not here: %v", err)
	case os.Getenv(Env) == "required":
		t.Fatalf("golden data are not here, and %s=required: %v", Env, err)
	default:
		t.Fatalf("%s=%s: want required, or nothing", Env, os.Getenv(Env))
	}
	return path
}

// folder returns ../shared/data, relative to the module's root.
func folder(t testing.TB) string {
	t.Helper()
	return filepath.Join(filepath.Dir(Root(t)), "shared", "data")
}

// Root returns the module's root: the folder of go.mod, here or above the package under test.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	fixture.OK(t, err)
	for {
		if ondisk.Exists(filepath.Join(dir, "go.mod")) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod in this folder or above it")
		}
		dir = filepath.Dir(dir)
	}
}
