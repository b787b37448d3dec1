package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"omniscope/internal/testing/built"
	"omniscope/internal/testing/fixture"
)

// TestBinary keeps the program one small file that needs no other.
func TestBinary(t *testing.T) {
	path := built.Program(t)
	info, err := os.Stat(path)
	fixture.OK(t, err)
	const most = 47_000_000 // with PostgreSQL, the queue, people's pages, the Model Context Protocol, the building of benchmarks, logs of other harnesses and the hub; 50 MB is the bound of the design
	if info.Size() >= most {
		t.Errorf("it has %d bytes, want fewer than %d", info.Size(), most)
	}
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF files only")
	}
	f, err := elf.Open(path)
	fixture.OK(t, err)
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("it has a segment %s: it is not static", p.Type)
		}
	}
	libraries, err := f.ImportedLibraries()
	if err == nil && len(libraries) > 0 {
		t.Errorf("it needs %v", libraries)
	}
}

// BenchmarkStartup starts the program and lets it print its version. The aim
// is under 50 ms.
func BenchmarkStartup(b *testing.B) {
	path := built.Program(b)
	for b.Loop() {
		fixture.OK(b, exec.Command(path, "--version").Run())
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "ms/start")
}
