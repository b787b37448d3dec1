package ocr

import (
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/perceive"
)

func opened(t *testing.T, clip omniscope.Clip) *perceive.Clip {
	t.Helper()
	c, err := perceive.Open(t.Context(), clip)
	fixture.OK(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func observed(t *testing.T, clip omniscope.Clip) *perceive.Answer {
	t.Helper()
	a, err := New(Options{}).Observe(t.Context(), opened(t, clip), "")
	fixture.OK(t, err)
	return a
}
