package vec

import (
	"fmt"
	"testing"

	"omniscope/metric/neural/isa"
)

// BenchmarkRows measures rows as long as those of XLM-R large: hidden states
// of 1024, 4096 in the feed-forward layer, attention over 64 tokens and over a
// number that fills no block. An element is 4 bytes.
func BenchmarkRows(b *testing.B) {
	for _, c := range []struct {
		name   string
		length int
		run    func(v *Kernel, r [5][]float32)
	}{
		{"softmax", 64, func(v *Kernel, r [5][]float32) { v.Softmax(r[0], 0.125) }},
		{"softmax", 37, func(v *Kernel, r [5][]float32) { v.Softmax(r[0], 0.125) }},
		{"softmax", 512, func(v *Kernel, r [5][]float32) { v.Softmax(r[0], 0.125) }},
		{"gelu", 4096, func(v *Kernel, r [5][]float32) { v.GELU(r[0]) }},
		{"tanh", 2048, func(v *Kernel, r [5][]float32) { v.Tanh(r[0]) }},
		{"addnorm", 1024, func(v *Kernel, r [5][]float32) { v.AddNorm(r[0], r[1], r[2], r[3], r[4], 1e-5) }},
		{"add", 1024, func(v *Kernel, r [5][]float32) { v.Add(r[0], r[1]) }},
		{"addscaled", 1024, func(v *Kernel, r [5][]float32) { v.AddScaled(r[0], r[1], 0) }},
		{"scale", 1024, func(v *Kernel, r [5][]float32) { v.Scale(r[0], 1) }},
		{"dot", 1024, func(v *Kernel, r [5][]float32) { v.Dot(r[0], r[1]) }},
		{"normalize", 1024, func(v *Kernel, r [5][]float32) { v.Normalize(r[0]) }},
		{"max", 1024, func(v *Kernel, r [5][]float32) { v.Max(r[0]) }},
		{"maxinto", 1024, func(v *Kernel, r [5][]float32) { v.MaxInto(r[0], r[1]) }},
	} {
		for _, set := range isa.Available() {
			b.Run(fmt.Sprintf("%s/%d/%s", c.name, c.length, set), func(b *testing.B) {
				v, rows := New(set), fillers[0].rows(c.length)
				start := append([]float32{}, rows[0]...)
				for b.Loop() {
					if c.name == "gelu" || c.name == "softmax" || c.name == "tanh" {
						copy(rows[0], start) // or the values would converge
					}
					c.run(v, rows)
				}
				b.ReportMetric(float64(b.N)*float64(c.length)/b.Elapsed().Seconds()/1e9, "Gelem/s")
			})
		}
	}
}
