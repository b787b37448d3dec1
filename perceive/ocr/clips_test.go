package ocr

import (
	"testing"

	"omniscope"
	"omniscope/perceive"
)

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
