//go:build ort

package ort

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/neuralgen"
	"omniscope/metric/neural/encoder"
)

// BenchmarkForward compares the own engine with the runtime on networks of the
// published sizes, in tokens per second by the clock; the runtime shows the last
// layer only. OMNISCOPE_ORT_SHAPES is a folder with model folders named as in
// neuralgen.Shapes, which are made where they are missing: xlmr-large has 2.2 GB.
func BenchmarkForward(b *testing.B) {
	r := open(b)
	root := os.Getenv("OMNISCOPE_ORT_SHAPES")
	if root == "" {
		b.Skip("set OMNISCOPE_ORT_SHAPES to a folder for models of random weights")
	}
	for _, name := range []string{"bert-base-chinese", "xlmr-large"} {
		folder := filepath.Join(root, name)
		shape, err := neuralgen.Find(name)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := os.Stat(folder); err != nil {
			if err := neuralgen.Write(folder, shape, neuralgen.Options{Seed: 1}); err != nil {
				b.Fatal(err)
			}
		}
		cfg, err := encoder.ReadConfig(filepath.Join(folder, "config.json"))
		if err != nil {
			b.Fatal(err)
		}
		other, err := r.Load(cfg, filepath.Join(folder, "model.safetensors"), []int{cfg.Layers}, 0)
		if err != nil {
			b.Fatal(err)
		}
		own := ownEncoder(b, folder, cfg)
		for _, batch := range []struct {
			name    string
			lengths []int
		}{{"8x64", repeat(8, 64)}, {"32x32", repeat(32, 32)}, {"2x512", repeat(2, 512)}, {"1x24", repeat(1, 24)}, {"16..64", rising(24, 16, 64)}} {
			for _, engine := range []struct {
				name string
				e    forwarder
			}{{"own", own}, {"ort", other}} {
				b.Run(fmt.Sprintf("%s/%s/%s", name, batch.name, engine.name), func(b *testing.B) { measure(b, engine.e, batch.lengths) })
			}
		}
		other.Close()
	}
}

func measure(b *testing.B, e forwarder, lengths []int) {
	var ids [][]int32
	tokens := 0
	for s, length := range lengths {
		sentence := make([]int32, length)
		for t := range sentence {
			sentence[t] = int32(5 + (31*s+7*t)%900)
		}
		ids, tokens = append(ids, sentence), tokens+length
	}
	for b.Loop() {
		if err := e.Forward(b.Context(), ids, func(int, encoder.Hidden) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(tokens*b.N)/b.Elapsed().Seconds(), "tokens/s")
}

func repeat(n, length int) []int { return rising(n, length, length) }

// rising are n lengths from one to another.
func rising(n, from, to int) (lengths []int) {
	for i := range n {
		lengths = append(lengths, from+(to-from)*i/max(1, n-1))
	}
	return lengths
}
