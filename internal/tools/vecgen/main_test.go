package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGeneratedFiles(t *testing.T) {
	files, err := generate("../../../metric/neural/vec/constants.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../../../metric/neural/vec", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s differs from what vecgen writes: run go generate in metric/neural/vec", name)
		}
	}
}
