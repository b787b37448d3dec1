package scene

import (
	"testing"

	"omniscope"
	"omniscope/perceive"
)

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
