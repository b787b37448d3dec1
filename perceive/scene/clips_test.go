package scene

import (
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/perceive"
)

func opened(t *testing.T, path string) *perceive.Clip {
	t.Helper()
	c, err := perceive.Open(t.Context(), omniscope.Clip{Path: path})
	fixture.OK(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func observed(t *testing.T, path string) *perceive.Answer {
	t.Helper()
	a, err := New().Observe(t.Context(), opened(t, path), "")
	fixture.OK(t, err)
	return a
}
