package stats

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Sums of packed fields equal the sums of the clusters that drawTimes draws, bit for bit.
func TestPackedSums(t *testing.T) {
	for name, c := range map[string]Clusters{
		"small":        sixFields(97),
		"zeros":        {Width: 3, Rows: make([]float64, 30)},
		"one field":    {Width: 1, Rows: []float64{3, 0, 7, 1 << 31}},
		"full words":   {Width: 4, Rows: []float64{1<<31 - 1, 1<<31 - 1, 1<<31 - 1, 1<<31 - 1, 1, 2, 3, 4}},
		"mixed widths": {Width: 5, Rows: []float64{1 << 30, 1, 1 << 20, 0, 5, 1 << 29, 0, 3, 1, 1 << 19}},
	} {
		p, ok := pack(c.columns(), c.Len())
		if !ok {
			t.Errorf("%s: not packed", name)
			continue
		}
		a, b := rand.NewPCG(7, 8), rand.NewPCG(7, 8)
		got, want, times := make([]float64, c.Width), make([]float64, c.Width), make([]float64, c.Len())
		for range 50 {
			p.draw(a, got)
			drawTimes(b, times)
			for j, column := range c.columns() {
				want[j] = dot(times, column)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", name, got, want)
			}
		}
	}
}

func TestNotPacked(t *testing.T) {
	for name, c := range map[string]Clusters{
		"a fraction": {Width: 1, Rows: []float64{1, 0.5}},
		"negative":   {Width: 1, Rows: []float64{1, -1}},
		"large":      {Width: 1, Rows: []float64{1, 1 << 32}},
		"too many":   {Width: 5, Rows: slices.Repeat([]float64{1<<32 - 1}, 10)},
	} {
		if _, ok := pack(c.columns(), c.Len()); ok {
			t.Errorf("%s: packed", name)
		}
	}
}
