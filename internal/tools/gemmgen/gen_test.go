package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGeneratedFiles(t *testing.T) {
	for name, want := range files() {
		if got, err := os.ReadFile(filepath.Join("../../../metric/neural/gemm", name)); err != nil || string(got) != want {
			t.Errorf("%s is not what gen writes (%v): run go generate ./metric/neural/gemm", name, err)
		}
	}
}
