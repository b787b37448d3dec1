package main

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestGeneratedFiles(t *testing.T) {
	files, err := generate("../../../metric/neural/vec/constants.go")
	fixture.OK(t, err)
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../../../metric/neural/vec", name))
		fixture.OK(t, err)
		if string(got) != want {
			t.Errorf("%s differs from what vecgen writes: run go generate in metric/neural/vec", name)
		}
	}
}
