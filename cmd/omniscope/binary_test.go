package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// buildRelease builds the command as the Makefile does.
func buildRelease(tb testing.TB) (path string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), "omniscope")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestBinary keeps the program one small file that needs no other.
func TestBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	path := buildRelease(t)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	const most = 40 << 20
	if info.Size() >= most {
		t.Errorf("it has %d bytes, want fewer than %d", info.Size(), most)
	}
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF files only")
	}
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
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
	path := buildRelease(b)
	for b.Loop() {
		if err := exec.Command(path, "--version").Run(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "ms/start")
}
