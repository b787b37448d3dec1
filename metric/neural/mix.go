package neural

import "slices"

// sparsemax projects scores on the weights that are nearest and sum to 1, many
// of which are 0 (Martins and Astudillo 2016, algorithm 1). The steps are those
// of entmax in float32.
func sparsemax(scores []float32) []float32 {
	if len(scores) == 0 {
		return nil
	}
	top := slices.Max(scores)
	z := make([]float32, len(scores))
	for i, s := range scores {
		z[i] = s - top
	}
	sorted := slices.Clone(z)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	var sum, tau float32
	for i, v := range sorted {
		sum += v
		if k, over := float32(i+1), sum-1; float32(k*v) > over {
			tau = over / k
		}
	}
	for i := range z {
		z[i] = max(z[i]-tau, 0)
	}
	return z
}

// used are the layers with a weight, of which sparsemax leaves at least one.
func used(weights []float32) (layers []int) {
	for i, w := range weights {
		if w != 0 {
			layers = append(layers, i)
		}
	}
	return layers
}

// pool averages a sentence's rows into out. Rows of padding ids add nothing and
// are counted, as in COMET 2.2.4 (average_pooling): only a text that spells the
// padding token has any. Sums are float64 and are rounded before they are
// divided.
func pool(out []float32, rows []float32, ids []int32, pad int32) {
	width := len(out)
	sums := make([]float64, width)
	for t, id := range ids {
		if id == pad {
			continue
		}
		for i, v := range rows[t*width:][:width] {
			sums[i] += float64(v)
		}
	}
	n := float32(len(ids))
	for i, s := range sums {
		out[i] = float32(s) / n
	}
}
