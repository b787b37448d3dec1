package main

import (
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/results/cite"
	"omniscope/session/catalog"
)

// TestPapersOfBenchmarks compares the list of papers with what the benchmarks say of
// themselves.
func TestPapersOfBenchmarks(t *testing.T) {
	for _, name := range catalog.BenchmarkNames() {
		b, err := catalog.Benchmark(name)
		fixture.OK(t, err)
		p, ok := cite.PaperOf(name)
		says := b.Info().Paper
		if published := strings.HasPrefix(says, "arXiv "); published != ok || ok && says != "arXiv "+p.ArXiv {
			t.Errorf("%s: %q, in the list %q", name, says, p.ArXiv)
		}
	}
}
