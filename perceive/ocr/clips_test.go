package ocr

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

func opened(t *testing.T, clip omniscope.Clip) *perceive.Clip {
	t.Helper()
	c, err := perceive.Open(t.Context(), clip)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func observed(t *testing.T, clip omniscope.Clip) *perceive.Answer {
	t.Helper()
	a, err := New(Options{}).Observe(t.Context(), opened(t, clip), "")
	if err != nil {
		t.Fatal(err)
	}
	return a
}
