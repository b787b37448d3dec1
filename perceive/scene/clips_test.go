package scene

import (
	"os/exec"
	"testing"

	"omniscope"
	"omniscope/perceive"
)

// needs skips a test where programs are not installed.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

func opened(t *testing.T, path string) *perceive.Clip {
	t.Helper()
	c, err := perceive.Open(t.Context(), omniscope.Clip{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func observed(t *testing.T, path string) *perceive.Answer {
	t.Helper()
	a, err := New().Observe(t.Context(), opened(t, path), "")
	if err != nil {
		t.Fatal(err)
	}
	return a
}
