package encoder

import (
	"fmt"
	"math"
	"slices"
)

// reference does tensorOps in float64 and in the plainest way, from a source and
// sentences. It is here to be compared with.
type reference struct {
	cfg Config
	src Source
	in  tokens
}

type rows [][]float64

var _ tensorOps[rows] = (*reference)(nil)

// tensor returns a tensor's rows; a vector is one row.
func (r *reference) tensor(name string, shape ...int) rows {
	numbers, err := r.src.Floats(name, shape...)
	if err != nil {
		panic(err)
	}
	var m rows
	for row := range slices.Chunk(numbers, shape[len(shape)-1]) {
		wide := make([]float64, len(row))
		for i, x := range row {
			wide[i] = float64(x)
		}
		m = append(m, wide)
	}
	return m
}

func (r *reference) Embed() rows {
	words := r.tensor(WordTable, r.cfg.Vocab, r.cfg.Hidden)
	positions := r.tensor(PositionTable, r.cfg.Positions, r.cfg.Hidden)
	types := r.tensor(TypeTable, r.cfg.Types, r.cfg.Hidden)
	var sum, other rows
	for t, id := range r.in.IDs {
		row := slices.Clone(words[id])
		for i := range row {
			row[i] += types[0][i]
		}
		sum, other = append(sum, row), append(other, positions[r.in.Positions[t]])
	}
	return r.AddNorm(sum, other, Place{0, Embeddings})
}

func (r *reference) Linear(x rows, at Place, then activation) rows {
	y := make(rows, len(x))
	out, in := at.size(r.cfg)
	for _, module := range at.Modules() {
		weight, bias := r.tensor(module+".weight", out, in), r.tensor(module+".bias", out)[0]
		for t := range x {
			for j := range out {
				sum := bias[j]
				for i, v := range x[t] {
					sum += v * weight[j][i]
				}
				if then == gelu {
					sum *= (1 + math.Erf(sum/math.Sqrt2)) / 2
				}
				y[t] = append(y[t], sum)
			}
		}
	}
	return y
}

func (r *reference) Attention(qkv rows) rows {
	out := make(rows, len(qkv))
	hidden, d := r.cfg.Hidden, r.cfg.Hidden/r.cfg.Heads
	for s := range len(r.in.Start) - 1 {
		own := qkv[r.in.Start[s]:r.in.Start[s+1]]
		for t, row := range own {
			for at := 0; at < hidden; at += d {
				weights, total := make([]float64, len(own)), 0.0
				for u, other := range own {
					for i := range d {
						weights[u] += row[at+i] * other[hidden+at+i]
					}
					weights[u] = math.Exp(weights[u] / math.Sqrt(float64(d)))
					total += weights[u]
				}
				for i := range d {
					sum := 0.0
					for u, other := range own {
						sum += weights[u] / total * other[2*hidden+at+i]
					}
					out[r.in.Start[s]+t] = append(out[r.in.Start[s]+t], sum)
				}
			}
		}
	}
	return out
}

func (r *reference) AddNorm(x, residual rows, at Place) rows {
	module := at.Modules()[0]
	gamma, beta := r.tensor(module+".weight", r.cfg.Hidden)[0], r.tensor(module+".bias", r.cfg.Hidden)[0]
	out := make(rows, len(x))
	for t := range x {
		n := float64(len(x[t]))
		mean, variance := 0.0, 0.0
		for i := range x[t] {
			mean += (x[t][i] + residual[t][i]) / n
		}
		for i := range x[t] {
			d := x[t][i] + residual[t][i] - mean
			variance += d * d / n
		}
		for i := range x[t] {
			d := x[t][i] + residual[t][i] - mean
			out[t] = append(out[t], d/math.Sqrt(variance+r.cfg.Eps)*gamma[i]+beta[i])
		}
	}
	return out
}

func (r *reference) Free(rows) {}

// memory is a Source of tensors that a test made.
type memory map[string][]float32

func (m memory) Floats(name string, shape ...int) ([]float32, error) {
	size := 1
	for _, n := range shape {
		size *= n
	}
	if numbers, ok := m[name]; ok && len(numbers) == size {
		return numbers, nil
	}
	return nil, fmt.Errorf("tensor %s has %d numbers, want %v", name, len(m[name]), shape)
}

// invent makes weights by a rule, so that another program can make the same:
// number i of the n-th tensor, from 0, is hashed(n, i) times a scale that keeps
// sums small, and 1 more for the factors of norms.
func invent(c Config) memory {
	m, n := make(memory), 0
	add := func(name string, size int, scale, offset float64) {
		numbers := make([]float32, size)
		for i := range numbers {
			numbers[i] = float32(offset + scale*hashed(n, i))
		}
		m[name] = numbers
		n++
	}
	add(WordTable, c.Vocab*c.Hidden, 1, 0)
	add(PositionTable, c.Positions*c.Hidden, 1, 0)
	add(TypeTable, c.Types*c.Hidden, 1, 0)
	add("embeddings.LayerNorm.weight", c.Hidden, 0.5, 1)
	add("embeddings.LayerNorm.bias", c.Hidden, 0.5, 0)
	for layer := range c.Layers {
		for part := QueryKeyValue; part <= OutputNorm; part++ {
			at := Place{layer, part}
			for _, module := range at.Modules() {
				out, in := at.size(c)
				if part == AttentionNorm || part == OutputNorm {
					add(module+".weight", c.Hidden, 0.5, 1)
					out = c.Hidden
				} else {
					add(module+".weight", out*in, 2/math.Sqrt(float64(in)), 0)
				}
				add(module+".bias", out, 0.5, 0)
			}
		}
	}
	return m
}

// hashed is a number between -1 and 1 that looks like no other.
func hashed(n, i int) float64 {
	h := uint32(n)*0x9e3779b1 + uint32(i)
	for _, m := range []uint32{0x85ebca6b, 0xc2b2ae35} {
		h = (h ^ h>>15) * m
	}
	return float64(h^h>>16)/(1<<31) - 1
}
