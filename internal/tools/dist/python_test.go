package main

import (
	"os"
	"os/exec"
	"testing"

	"omniscope/internal/testing/need"
)

// pythonOrSkip is a Python with which pages and module can be tried.
func pythonOrSkip(t *testing.T) string {
	t.Helper()
	python := need.Program(t, "python3")
	if out, err := exec.Command(python, "-c", "import sys; sys.exit(sys.version_info < (3, 9))").CombinedOutput(); err != nil {
		t.Skipf("python3 is older than 3.9 %s", out)
	}
	return python
}

// TestPythonModule runs the module's own tests, with warnings as errors.
func TestPythonModule(t *testing.T) {
	cmd := exec.Command(pythonOrSkip(t), "-W", "error", "-m", "unittest", "discover", "-s", "tests")
	cmd.Dir = "../../../python"
	cmd.Env = append(os.Environ(), "PYTHONPATH=.", "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
