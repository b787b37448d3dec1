package neural

import (
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"omniscope/metric/neural/isa"
)

// A pair of 60 tokens each, as wide as roberta-large.
func BenchmarkMatch(b *testing.B) {
	m := newMatcher(isa.Best(), 1024)
	of := func(tokens int) vectors {
		v := vectors{rows: make([]float32, tokens*1024), counts: make([]bool, tokens)}
		for i := range v.rows {
			v.rows[i] = float32(rand.NormFloat64()) / 32
		}
		for i := 1; i < tokens-1; i++ {
			v.counts[i] = true
		}
		return v
	}
	hypothesis, reference := of(60), of(60)
	for b.Loop() {
		m.match(hypothesis, reference)
	}
}

// The vectors of 10,000 sentences of COMET.
func BenchmarkStore(b *testing.B) {
	path := filepath.Join(b.TempDir(), "s")
	warn := func(format string, args ...any) { b.Errorf(format, args...) }
	s := openStore(path, testHeader, time.Second, warn)
	defer s.close()
	var records []record
	for n := range 10_000 {
		r := record{value: make([]byte, 4096)}
		binary.LittleEndian.PutUint32(r.key[:], uint32(n))
		records = append(records, r)
	}
	start := time.Now()
	s.put(records)
	b.Logf("writing takes %v", time.Since(start))
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			openStore(path, testHeader, time.Second, warn).close()
		}
	})
	b.Run("get", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s.get(records[i%len(records)].key)
		}
	})
}

// What the estimator of wmt22-comet-da looks at, for one segment.
func BenchmarkFeatures(b *testing.B) {
	v := make([]float32, 1024)
	x := make([]float32, 0, 6*1024)
	for b.Loop() {
		x = features(x[:0], v, v, v)
	}
}
